import HLS
import Ports
import Testing

/// Breaks from markers across many reloads (HLS-23).
@Suite struct BreakTrackTests {
    private var timeline = Timeline()
    private var track = BreakTrack()
    private var reload = 0

    private mutating func fold(_ playlist: MediaPlaylist) {
        _ = timeline.fold(playlist)
        track.fold(timeline, reload: reload)
        reload += 1
    }

    private func cue(_ kind: CuePoint.Kind, _ sequence: Int, duration: Double? = nil, elapsed: Double? = nil)
        -> CuePoint
    {
        CuePoint(
            kind: kind, tag: "EXT-X-CUE-\(kind.rawValue)", sequence: sequence, duration: duration.map { .seconds($0) },
            elapsed: elapsed.map { .seconds($0) })
    }

    @Test mutating func outAndInOfDifferentReloadsMakeOneBreak() throws {
        fold(steady(0) { $0.cuePoints = [cue(.out, 4, duration: 24)] })
        fold(steady(3) { $0.cuePoints = [cue(.out, 4, duration: 24), cue(.in, 8)] })
        fold(steady(9))
        let found = try #require(track.breaks.first)
        #expect(track.breaks.count == 1)
        #expect(found.start == .second(24) && found.end == .second(48))
        #expect(found.startSequence == 4 && found.endSequence == 8)
        #expect(found.closedBy == .in && !found.isJoinedMid)
        #expect(found.firstSeenReload == 0 && found.endedReload == 1)
    }

    @Test mutating func aContJoinsInTheMiddleAndTeachesTheDuration() throws {
        fold(steady(10) { $0.cuePoints = [cue(.cont, 10, elapsed: 12), cue(.cont, 11, duration: 60, elapsed: 18)] })
        let found = try #require(track.breaks.first)
        #expect(found.isJoinedMid && found.isOpen)
        #expect(found.start == .second(48))
        #expect(found.startStream == .second(-12))
        #expect(found.startSequence == nil)
        #expect(found.plannedDuration == .seconds(60))
    }

    @Test mutating func aDurationAloneClosesWhenReached() throws {
        fold(steady(0) { $0.cuePoints = [cue(.out, 3, duration: 20)] })
        #expect(track.breaks.first?.isOpen == true)
        fold(steady(1) { $0.cuePoints = [cue(.out, 3, duration: 20)] })
        let found = try #require(track.breaks.first)
        #expect(found.closedBy == .duration)
        #expect(found.end == .second(38) && found.endStream == .second(38))
        #expect(found.endSequence == nil, "the segment after it is not listed yet")
    }

    /// Packagers write a length of 0 where they do not know it: what follows tells it.
    @Test mutating func aLengthOfZeroIsUnknown() throws {
        let cues = [cue(.out, 5, duration: 0), cue(.cont, 6, duration: 0, elapsed: 6), cue(.in, 7)]
        fold(steady(0) { $0.cuePoints = [cues[0]] })
        #expect(track.breaks.first?.isOpen == true && track.breaks.first?.expectedLength == nil)
        fold(steady(1) { $0.cuePoints = Array(cues.prefix(2)) })
        fold(steady(3) { $0.cuePoints = cues })
        let found = try #require(track.breaks.first)
        #expect(track.breaks.count == 1 && found.closedBy == .in)
        #expect(found.start == .second(30) && found.end == .second(42))
    }

    /// Some mark points with it, which have no end: the next break is not inside.
    @Test mutating func aLengthOfZeroEndsWhereTheNextBreakBegins() throws {
        fold(steady(0) { $0.cuePoints = [cue(.out, 2, duration: 0), cue(.out, 4, duration: 12)] })
        #expect(track.breaks.map(\.start) == [.second(12), .second(24)])
        #expect(track.breaks.first?.end == .second(12))
        track = BreakTrack()
        timeline = Timeline()
        fold(listing(0, [600, 600, 600, 600], date: 0, target: 600) { $0.cuePoints = [cue(.out, 0, duration: 0)] })
        #expect(track.breaks.map(\.end) == [.second(0)], "nothing ended it in half an hour")
    }

    @Test mutating func whileContsComeTheSegmentAfterTheEndDecides() throws {
        let conts = [
            cue(.out, 3, duration: 18), cue(.cont, 4, duration: 18, elapsed: 6),
            cue(.cont, 5, duration: 18, elapsed: 12),
        ]
        fold(steady(0) { $0.cuePoints = conts })
        #expect(track.breaks.first?.isOpen == true, "an IN may stand before the next segment")
        fold(steady(1) { $0.cuePoints = conts })
        let found = try #require(track.breaks.first)
        #expect(found.closedBy == .duration && found.endSequence == 6 && found.endedReload == 1)
    }

    @Test mutating func aContAfterTheEndKeepsItOpen() {
        let conts = [cue(.out, 3, duration: 12), cue(.cont, 5, duration: 12, elapsed: 12)]
        fold(steady(0) { $0.cuePoints = conts })
        fold(steady(1) { $0.cuePoints = conts })
        #expect(track.breaks.first?.isOpen == true)
        // The list has no CONT any more: the break was over with the last segment that had one.
        fold(steady(6))
        #expect(track.breaks.map(\.endStream) == [.second(36)] && track.breaks.map(\.end) == [.second(36)])
        #expect(track.breaks.map(\.endSequence) == [6] && track.breaks.map(\.closedBy) == [.duration])
    }

    @Test mutating func aLateInCorrectsTheEnd() throws {
        fold(steady(0) { $0.cuePoints = [cue(.out, 3, duration: 18)] })
        #expect(track.breaks.first?.closedBy == .duration)
        fold(steady(2) { $0.cuePoints = [cue(.out, 3, duration: 18), cue(.in, 7)] })
        let found = try #require(track.breaks.first)
        #expect(found.closedBy == .in && found.end == .second(42) && found.endedReload == 1)
    }

    @Test mutating func lengthsAreStreamTime() throws {
        // The date jumps 2 s ahead where the break ends, as SSAI returns do.
        fold(
            steady(0, count: 8) {
                $0.cuePoints = [cue(.out, 2, duration: 24), cue(.in, 6)]
                $0.jumpDates(from: 6, by: 2)
            })
        let found = try #require(track.breaks.first)
        #expect(found.startStream == .second(12) && found.endStream == .second(36))
        #expect(found.end == .second(38))
    }

    @Test mutating func anUnknownDurationIsGivenUpAfterHalfAnHour() {
        fold(steady(0) { $0.cuePoints = [cue(.out, 1)] })
        fold(listing(1, Array(repeating: 6, count: 299), date: 6))
        #expect(track.breaks.first?.isOpen == true)
        fold(listing(2, Array(repeating: 6, count: 301), date: 12))
        #expect(track.breaks.first?.closedBy == .duration)
    }

    /// A length is announced, or half an hour is over: in the reloads of a playlist, and in one that lists everything.
    @Test(
        arguments: [
            (2_400, 2_400, .in), (2_400, 3_000, .in), (2_400, 4_800, .duration), (nil, 1_800, .in),
            (nil, 2_400, .duration),
        ] as [(Double?, Double, AdBreakMarker.Closing)], [false, true])
    mutating func anEndMayBeLateByHalfAnHour(_ test: (Double?, Double, AdBreakMarker.Closing), isGrowing: Bool) {
        let (length, place, closing) = test
        let last = Int(place / 600)
        for count in isGrowing ? 1...last + 1 : last + 1...last + 1 {
            fold(
                listing(0, Array(repeating: 600, count: count), date: 0, target: 600) {
                    $0.cuePoints = [cue(.out, 0, duration: length)] + (count > last ? [cue(.in, last)] : [])
                })
        }
        #expect(track.breaks.map(\.closedBy) == [closing])
        #expect(track.breaks.map(\.endStream) == [.second(closing == .in ? place : length ?? 1_800)])
    }

    @Test mutating func markersAddedToAListedSegmentCount() {
        fold(steady(0))
        fold(steady(1) { $0.cuePoints = [cue(.out, 5, duration: 12)] })
        #expect(track.breaks.first?.startSequence == 5)
        fold(steady(2) { $0.cuePoints = [cue(.out, 5, duration: 12)] })
        #expect(track.breaks.count == 1)
    }

    @Test mutating func dateRangesAreJoinedByID() throws {
        fold(
            steady(0) {
                $0.adBreaks = [
                    AdBreakMarker(source: .dateRange, id: "r", start: .second(12), plannedDuration: .seconds(18))
                ]
            })
        fold(
            steady(1) {
                $0.adBreaks = [
                    AdBreakMarker(
                        source: .dateRange, id: "r", start: .second(12), end: .second(29), closedBy: .dateRange)
                ]
            })
        fold(steady(5))
        let found = try #require(track.breaks.first)
        #expect(track.breaks.count == 1)
        #expect(found.startStream == .second(12) && found.endStream == .second(29))
        #expect(found.plannedDuration == .seconds(18))
        #expect(found.closedBy == .dateRange && found.firstSeenReload == 0 && found.endedReload == 1)
    }

    /// The first playlist of a viewer who comes late may list several breaks.
    @Test(arguments: [false, true]) mutating func theNextOutEndsABreakWhoseLengthIsOver(hasConts: Bool) {
        var cues = [cue(.out, 1, duration: 12), cue(.out, 6, duration: 12)]
        if hasConts {
            cues = [
                cues[0], cue(.cont, 2, duration: 12, elapsed: 6), cues[1], cue(.cont, 7, duration: 12, elapsed: 6),
            ]
        }
        fold(steady(0, count: 12) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.start) == [.second(6), .second(36)])
        #expect(track.breaks.map(\.end) == [.second(18), .second(48)])
        #expect(track.breaks.allSatisfy { $0.closedBy == .duration })
    }

    /// A window that has lost the start of a break has lost its length, too.
    @Test mutating func theNextOutEndsABreakThatNothingContinues() {
        fold(
            steady(10, count: 8) {
                $0.cuePoints = [cue(.cont, 10, elapsed: 12), cue(.cont, 11, elapsed: 18), cue(.out, 15, duration: 12)]
            })
        #expect(track.breaks.map(\.end) == [.second(72), .second(102)])
    }

    @Test mutating func anOutInsideABreakIsNested() {
        fold(steady(0, count: 8) { $0.cuePoints = [cue(.out, 1, duration: 30), cue(.out, 3, duration: 6)] })
        #expect(track.breaks.map(\.plannedDuration) == [.seconds(30)])
    }

    /// Packagers may write the end of a break under an ID of its own.
    @Test mutating func aRangeWithTheEndAloneEndsTheOpenBreak() {
        var start = DateRange(id: "r")
        (start.start, start.hasBreakStart) = (.second(12), true)
        var end = DateRange(id: "r-in")
        (end.start, end.hasBreakEnd) = (.second(30), true)
        #expect(start.isAdBreak && !end.isAdBreak)
        for ranges in [[start], [start, end], [start, end]] {
            fold(
                steady(reload) {
                    $0.dateRanges = ranges
                    $0.adBreaks = [AdBreakMarker(source: .dateRange, id: "r", start: .second(12))]
                })
        }
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
        #expect(track.breaks.first?.endStream == .second(30) && track.breaks.first?.closedBy == .dateRange)
        // The tag of an end has the ID of its break, whose first tag has left the playlist.
        var own = DateRange(id: "r")
        (own.start, own.hasBreakEnd) = (.second(12), true)
        fold(steady(reload) { $0.dateRanges = [own] })
        #expect(track.breaks.map(\.end) == [.second(30)])
    }

    /// The tag of an end has the ID of its break, whose first tag has left the playlist, and its own date.
    @Test mutating func theTagOfAnEndMayHaveItsDate() {
        fold(steady(0) { $0.adBreaks = [AdBreakMarker(source: .dateRange, id: "r", start: .second(12))] })
        var end = DateRange(id: "r")
        (end.start, end.hasBreakEnd) = (.second(30), true)
        for first in 1...2 { fold(steady(first) { $0.dateRanges = [end] }) }
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
        #expect(track.breaks.map(\.closedBy) == [.dateRange] && track.breaks.map(\.endedReload) == [1])
    }

    /// A packager that gives every break the same ID, and a cache that gives an old list in between.
    @Test mutating func anIDThatComesAgainIsAnotherBreak() {
        func ranges(_ start: Double) -> [AdBreakMarker] {
            [
                AdBreakMarker(
                    source: .dateRange, id: "r", start: .second(start), end: .second(start + 6), closedBy: .dateRange)
            ]
        }
        for (first, start) in [(0, 6.0), (5, 36), (6, 6), (7, 36)] {
            fold(steady(first) { $0.adBreaks = ranges(start) })
        }
        #expect(track.breaks.map(\.start) == [.second(6), .second(36)])
        #expect(track.breaks.map(\.end) == [.second(12), .second(42)])
    }

    @Test mutating func whatEndedLongAgoIsForgotten() {
        for first in 0..<40 {
            fold(steady(first) { $0.cuePoints = [cue(first % 4 == 0 ? .out : .in, first)] })
        }
        // Out at 0 s, 24 s, …, each closed 6 s later.
        #expect(track.breaks.count == 10)
        track.forget(endedBefore: .second(102), in: timeline)
        #expect(track.breaks.map(\.number) == [4, 5, 6, 7, 8, 9])
        track.forget(endedBefore: .second(90), in: timeline)
        #expect(track.breaks.count == 6)
        fold(steady(40) { $0.cuePoints = [cue(.out, 40)] })
        #expect(track.breaks.last?.number == 10 && track.breaks.last?.isOpen == true)
    }

    /// A server may list a range for ever: a dropped range must not return as a new break.
    @Test mutating func aForgottenRangeStaysForgotten() {
        let old = AdBreakMarker(source: .dateRange, id: "old", start: .second(0), end: .second(6), closedBy: .dateRange)
        let new = AdBreakMarker(source: .dateRange, id: "new", start: .second(60), plannedDuration: .seconds(18))
        for first in 0..<20 { fold(steady(first) { $0.adBreaks = first < 8 ? [old] : [old, new] }) }
        track.forget(endedBefore: .second(50), in: timeline)
        #expect(track.breaks.map(\.markerID) == ["new"])
        fold(steady(20) { $0.adBreaks = [old, new] })
        #expect(track.breaks.map(\.number) == [1])
    }

    /// Nor does a range whose break was dropped end another one.
    @Test mutating func theEndOfAForgottenRangeStaysForgotten() {
        let starts = [0.0, 6].map { AdBreakMarker(source: .dateRange, id: "at \($0)", start: .second($0)) }
        var ending = DateRange(id: "end")
        (ending.start, ending.hasBreakEnd) = (.second(12), true)
        func list(_ first: Int) -> MediaPlaylist {
            steady(first) {
                $0.adBreaks = starts
                $0.dateRanges = [ending]
            }
        }
        for first in 0..<20 { fold(list(first)) }
        #expect(track.breaks.map(\.end) == [nil, .second(12)])
        track.forget(endedBefore: .second(50), in: timeline)
        fold(list(20))
        #expect(track.breaks.map(\.start) == [.second(0)] && track.breaks.map(\.end) == [nil])
    }

    /// A break is kept as long as the playlist lists its media.
    @Test mutating func whatIsStillListedIsNotForgotten() {
        fold(steady(0, count: 30) { $0.cuePoints = [cue(.out, 4), cue(.in, 6)] })
        track.forget(endedBefore: .second(170), in: timeline)
        #expect(track.breaks.count == 1)
    }

    /// Ads may have dates of their own, long before those of the stream.
    @Test mutating func whatIsListedWithOldDatesIsNotForgotten() {
        fold(
            steady(0, count: 30) { playlist in
                playlist.cuePoints = [cue(.out, 4, duration: 12)]
                playlist.jumpDates(from: 4, by: -300_000_000)
                playlist.jumpDates(from: 6, by: 300_000_000)
            })
        #expect(track.breaks.first?.closedBy == .duration)
        track.forget(endedBefore: .second(170), in: timeline)
        #expect(track.breaks.count == 1)
        fold(steady(30))
        track.forget(endedBefore: .second(170), in: timeline)
        #expect(track.breaks.isEmpty)
    }

    /// Many packagers announce no length and close nothing: such ranges must leave, too.
    @Test mutating func anOpenRangeThatSlidOutIsForgottenAfterHalfAnHour() {
        let ranges = (0..<5).map { number in
            AdBreakMarker(source: .dateRange, id: "open\(number)", start: .second(Double(number) * 600))
        }
        for number in 0..<5 { fold(steady(number * 100) { $0.adBreaks = [ranges[number]] }) }
        fold(steady(800))
        track.forget(endedBefore: .second(1_900), in: timeline)
        #expect(track.breaks.map(\.markerID) == ["open1", "open2", "open3", "open4"])
        track.forget(endedBefore: .second(4_300), in: timeline)
        #expect(track.breaks.isEmpty)
    }

    /// Each ends one break: of those that are open, the one that began last.
    @Test func rangesWithTheEndAloneEndTheLastOpenBreakBeforeThem() {
        let seed: UInt64 = 0x7E57_0102
        var random = SplitMix64(seed: seed)
        func dates() -> [UnixTime] {
            (0..<Int.random(in: 0...9, using: &random)).map { _ in
                .second(Double(Int.random(in: 0...400, using: &random)) * 10)
            }
        }
        for round in 0..<500 {
            let (starts, endings) = (dates(), dates())
            var expected = [UnixTime?](repeating: nil, count: starts.count)
            for end in endings.sorted() {
                let open = starts.indices.filter {
                    starts[$0] < end && expected[$0] == nil && end - starts[$0] <= BreakTrack.openLimit
                }
                guard let index = open.max(by: { (starts[$0], $0) < (starts[$1], $1) }) else { continue }
                expected[index] = end
            }
            let playlist = steady(0) {
                $0.adBreaks = starts.enumerated().map { AdBreakMarker(source: .dateRange, id: "b\($0)", start: $1) }
                $0.dateRanges = endings.enumerated().map { number, end in
                    var range = DateRange(id: "e\(number)")
                    (range.start, range.hasBreakEnd) = (end, true)
                    return range
                }
            }
            var track = BreakTrack()
            track.fold(folded(playlist), reload: 0)
            #expect(track.breaks.map(\.end) == expected, "seed \(seed), round \(round)")
        }
    }

    /// Of several open breaks, a range ends that of the event in its message, once.
    @Test mutating func aRangeEndsTheOpenBreakOfItsEvent() {
        func range(_ id: String, _ start: Double, _ event: UInt64?, isEnd: Bool = false) -> DateRange {
            var range = DateRange(id: id)
            range.start = .second(start)
            let message = event.flatMap { splice(.out, 0, segment($0, isEnd ? 0x35 : 0x34)).scte35 }
            if isEnd {
                (range.hasBreakEnd, range.scte35In) = (true, message)
            } else {
                (range.hasBreakStart, range.scte35Out) = (true, message)
            }
            return range
        }
        let starts = [range("a", 6, 1), range("b", 12, 2)]
        let markers = starts.map { AdBreakMarker(source: .dateRange, id: $0.id, start: $0.start) }
        let (first, second) = (range("e", 18, 1, isEnd: true), range("f", 30, nil, isEnd: true))
        for ranges in [starts, starts + [first], starts + [first]] {
            fold(
                steady(reload) {
                    $0.dateRanges = ranges
                    $0.adBreaks = markers
                })
        }
        #expect(track.breaks.map(\.end) == [.second(18), nil])
        fold(
            steady(reload) {
                $0.dateRanges = starts + [first, second]
                $0.adBreaks = markers
            })
        #expect(track.breaks.map(\.end) == [.second(18), .second(30)])
    }

    /// A range tells the start, and cue tags one segment later the end, which its own corrects.
    @Test mutating func aRangeWithoutAnEndEndsWithTheCuesOfItsBreak() {
        var marker = AdBreakMarker(source: .dateRange, id: "r", start: .second(10))
        let cues = [cue(.out, 2), cue(.in, 5)]
        for count in 1...2 {
            fold(
                steady(reload) {
                    $0.adBreaks = [marker]
                    $0.cuePoints = Array(cues.prefix(count))
                })
        }
        #expect(track.breaks.map(\.start) == [.second(12), .second(10)])
        #expect(track.breaks.map(\.end) == [.second(30), .second(30)])
        #expect(track.breaks.map(\.endStream) == [.second(30), .second(30)])
        #expect(track.breaks.map(\.closedBy) == [.in, .in])
        (marker.end, marker.closedBy) = (.second(24), .dateRange)
        fold(steady(reload) { $0.adBreaks = [marker] })
        #expect(track.breaks.map(\.end) == [.second(30), .second(24)])
        #expect(track.breaks.map(\.closedBy) == [.in, .dateRange])
    }

    /// The length in the message of its start is that of a range whose attributes tell none. Cue tags tell its end all the same.
    @Test(arguments: [false, true]) mutating func aRangeIsAsLongAsItsMessageAnnounces(hasCues: Bool) {
        var range = DateRange(id: "r")
        (range.start, range.hasBreakStart, range.messageLength) = (.second(12), true, .seconds(60))
        let marker = AdBreakMarker(source: .dateRange, id: "r", start: .second(12), plannedDuration: .seconds(60))
        for count in hasCues ? [1, 2] : [0] {
            fold(
                steady(reload) {
                    $0.cuePoints = Array([cue(.out, 2), cue(.in, 5)].prefix(count))
                    ($0.dateRanges, $0.adBreaks) = ([range], [marker])
                })
        }
        let found = track.breaks.first { $0.source == .dateRange }
        #expect(found?.plannedDuration == .seconds(60))
        #expect(found?.expectedLength == .seconds(hasCues ? 18 : 60) && found?.isOpen == !hasCues)
    }

    /// The range of another ID ends it more exactly than the segment of the cue tag; one that is far away is of another break, unless it names
    /// the event.
    @Test(arguments: [(28.5, nil, 28.5), (60, nil, 30), (60, 1, 60)] as [(Double, UInt64?, Double)])
    mutating func aRangeOfAnotherIDCorrectsTheEndOfCues(_ date: Double, event: UInt64?, expected: Double) {
        var (start, end) = (DateRange(id: "r"), DateRange(id: "e"))
        (start.start, start.hasBreakStart) = (.second(12), true)
        start.scte35Out = splice(.out, 0, segment(1, 0x34)).scte35
        (end.start, end.hasBreakEnd) = (.second(date), true)
        end.scte35In = event.flatMap { splice(.in, 0, segment($0, 0x35)).scte35 }
        let cues = [cue(.out, 2), cue(.in, 5)]
        for (count, ranges) in [(1, [start]), (2, [start]), (2, [start, end]), (2, [start, end])] {
            fold(
                steady(reload) {
                    $0.cuePoints = Array(cues.prefix(count))
                    $0.dateRanges = ranges
                    $0.adBreaks = [AdBreakMarker(source: .dateRange, id: "r", start: .second(12))]
                })
        }
        #expect(track.breaks.map(\.end) == [.second(30), .second(expected)])
        #expect(track.breaks.map(\.endStream) == [.second(30), .second(expected)])
        #expect(track.breaks.map(\.closedBy) == [.in, expected == 30 ? .in : .dateRange])
    }

    /// A continuation behind the announced length opens the break again, and the range that ended with it.
    @Test mutating func aRangeGoesOnWithItsCues() {
        let cues = [
            cue(.out, 1, duration: 12), cue(.cont, 2, duration: 12, elapsed: 6),
            cue(.cont, 3, duration: 12, elapsed: 12), cue(.in, 4),
        ]
        for (count, end) in [(2, .second(18)), (3, nil), (4, .second(24))] as [(Int, UnixTime?)] {
            fold(
                steady(reload) {
                    $0.cuePoints = Array(cues.prefix(count))
                    $0.adBreaks = [AdBreakMarker(source: .dateRange, id: "r", start: .second(6))]
                })
            #expect(track.breaks.map(\.source) == [.cue, .dateRange])
            #expect(track.breaks.map(\.end) == [end, end] && track.breaks.map(\.isOpen) == [end == nil, end == nil])
        }
    }

    /// Of two breaks in a row, a range ends with the one that begins with it.
    @Test mutating func aRangeEndsWithTheCuesThatBeginWithIt() {
        fold(
            steady(0) {
                $0.cuePoints = [cue(.out, 2), cue(.in, 3), cue(.out, 3), cue(.in, 5)]
                $0.adBreaks = [12.0, 18].map { AdBreakMarker(source: .dateRange, id: "at \($0)", start: .second($0)) }
            })
        #expect(track.breaks.map(\.source) == [.cue, .cue, .dateRange, .dateRange])
        #expect(track.breaks.map(\.end) == [.second(18), .second(30), .second(18), .second(30)])
    }

    /// Markers that a server adds to one segment with each reload are not all remembered; those that it still lists are.
    @Test mutating func rememberedMarkersAreBounded() {
        for round in 0..<4 {
            fold(
                steady(0) {
                    $0.cuePoints = [cue(.out, 2, duration: 6), cue(.out, 4, duration: 12)]
                    $0.cuePoints += (0..<PlaylistLimits.cuePoints - 2).map { number in
                        CuePoint(kind: .asset, tag: "EXT-X-ASSET-\(round)-\(number)", sequence: 5)
                    }
                })
        }
        #expect(track.breaks.map(\.startSequence) == [2, 4])
    }

    /// The segment behind an announced end is the first that starts there or later.
    @Test func theSegmentAfterTheEndIsTheFirstBehindIt() {
        for (length, sequence) in [(6.0, 2), (7, 3), (12, 3), (23, 5), (30, nil)] as [(Double, Int?)] {
            var track = BreakTrack()
            track.fold(folded(steady(0) { $0.cuePoints = [cue(.out, 1, duration: length)] }), reload: 0)
            #expect(track.breaks.map(\.endSequence) == [sequence], "\(length) s")
        }
    }

    @Test mutating func theNumberOfBreaksIsBounded() {
        for first in 0..<(2 * BreakTrack.breakLimit + 40) {
            fold(steady(first) { $0.cuePoints = [cue(first % 2 == 0 ? .out : .in, first)] })
        }
        #expect(track.breaks.count == BreakTrack.breakLimit)
        #expect(track.breaks.first?.number == 20)
    }

    /// Dates step back where the programme returns: the length is that of the segments.
    @Test(arguments: [-30.0, -3, 30]) mutating func aStepOfDatesAtTheEndChangesNoLength(step: Double) {
        fold(
            steady(0, count: 8) {
                $0.cuePoints = [cue(.out, 2, duration: 18), cue(.in, 5)]
                $0.jumpDates(from: 5, by: step)
            })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.expectedLength) == [.seconds(18)])
        #expect(track.breaks.first?.endStream == .second(30) && track.breaks.first?.closedBy == .in)
    }

    /// Segmentation types 0x34 and 0x35 around 0x30 and 0x31: an ad inside a break.
    @Test mutating func theEndOfASegmentInsideDoesNotEndTheBreak() {
        func splice(_ kind: CuePoint.Kind, _ sequence: Int, _ message: String) -> CuePoint {
            var point = cue(kind, sequence)
            point.scte35 = SpliceTransport.bytes(of: message)
            return point
        }
        func message(_ event: Int, _ type: String, _ crc: String) -> String {
            "0xFC302700000000000000FFF00506FE000000000011020F435545490000000\(event)7FBF0000\(type)0101\(crc)"
        }
        let cues = [
            splice(.out, 2, message(1, "34", "14DBD918")), splice(.out, 2, message(2, "30", "FF5B0E5A")),
            splice(.in, 3, message(2, "31", "FE83A2DD")), splice(.in, 5, message(1, "35", "1503759F")),
        ]
        fold(steady(0, count: 8) { $0.cuePoints = cues })
        fold(steady(1, count: 8) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
    }

    /// A time_signal without a time, about segments of these events and types.
    private func splice(_ kind: CuePoint.Kind, _ sequence: Int, _ segments: [UInt8]...) -> CuePoint {
        var point = cue(kind, sequence)
        point.tag = "EXT-X-SPLICEPOINT-SCTE35"
        point.scte35 = SpliceSectionWriter.section(command: 6, body: [0x7F], descriptors: segments.flatMap { $0 })
        return point
    }

    private func cue(_ kind: CuePoint.Kind, _ sequence: Int, section segment: [UInt8]) -> CuePoint {
        var point = splice(kind, sequence, segment)
        point.tag = cue(kind, sequence).tag
        return point
    }

    private func segment(_ event: UInt64, _ type: UInt64, seconds: UInt64? = nil) -> [UInt8] {
        var fields: [(UInt64, Int)] = [(event, 32), (0x7F, 8), (1, 1), (seconds == nil ? 0 : 1, 1), (0x3F, 6)]
        if let seconds { fields.append((seconds * 90_000, 40)) }
        fields += [(0, 8), (0, 8), (type, 8), (1, 8), (1, 8)]
        return SpliceSectionWriter.descriptor(2, SpliceSectionWriter(fields).bytes)
    }

    /// Messages that begin a break and an ad in it, end an ad and begin the next, and end a break and begin the next.
    @Test mutating func oneMessageMayBeAboutSeveralEvents() {
        let cues = [
            splice(.out, 2, segment(1, 0x34), segment(2, 0x30, seconds: 6)),
            splice(.in, 3, segment(2, 0x31), segment(3, 0x30, seconds: 6)), splice(.in, 4, segment(3, 0x31)),
            splice(.in, 5, segment(1, 0x35), segment(4, 0x36, seconds: 12)),
        ]
        fold(steady(0, count: 8) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.start) == [.second(12), .second(30)])
        #expect(track.breaks.map(\.end) == [.second(30), .second(42)])
        #expect(track.breaks.map(\.markerID) == ["1", "4"])
        #expect(track.breaks.map(\.plannedDuration) == [nil, .seconds(12)])
    }

    /// CUE-OUT marks a break at whose first segment a message begins the first ad, in either order: neither the length nor the end of the ad
    /// is that of the break.
    @Test(arguments: [false, true], [nil, 18.0])
    mutating func anotherMarkerAnnouncesTheBreakOfTheFirstAd(isMessageFirst: Bool, length: Double?) {
        let start = [cue(.out, 2, duration: length), splice(.out, 2, segment(2, 0x30, seconds: 6))]
        let cues =
            (isMessageFirst ? start.reversed() : start) + [
                splice(.in, 3, segment(2, 0x31), segment(3, 0x30, seconds: 12)), splice(.in, 5, segment(3, 0x31)),
                cue(.in, 5),
            ]
        fold(steady(0, count: 4) { $0.cuePoints = Array(cues.prefix(3)) })
        #expect(track.breaks.map(\.plannedDuration) == [length.map { .seconds($0) }])
        #expect(track.breaks.map(\.isOpen) == [true] && track.breaks.map(\.scte35.count) == [1])
        fold(steady(1, count: 8) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
        #expect(track.breaks.map(\.closedBy) == [.in])
    }

    /// A message about the break itself names its event, which ends it; one about an ad that is the whole break does not prevent its end.
    @Test mutating func aMessageMayEndTheBreakOfAnotherMarker() {
        fold(
            steady(0, count: 8) {
                $0.cuePoints = [
                    cue(.out, 1), splice(.out, 1, segment(1, 0x34)), splice(.in, 2, segment(1, 0x35)),
                    cue(.out, 4), splice(.out, 4, segment(2, 0x30)), cue(.in, 6, section: segment(2, 0x31)),
                ]
            })
        #expect(track.breaks.map(\.start) == [.second(6), .second(24)])
        #expect(track.breaks.map(\.end) == [.second(12), .second(36)])
    }

    /// A marker of a break, or a payload beside it, may carry the message about the first ad: that is an event inside, and neither names nor
    /// ends the break.
    @Test(arguments: [0x30, 0x32, 0x3C] as [UInt64], [false, true])
    mutating func theMessageOfAMarkerMayBeAboutTheFirstAd(type: UInt64, isBeside: Bool) {
        let ad = segment(2, type, seconds: 6)
        var start = [cue(.out, 2, duration: 18), cue(.scte35, 2, section: ad)]
        if !isBeside {
            start = [cue(.out, 2, section: ad)]
            start[0].duration = .seconds(18)
        }
        fold(
            steady(0, count: 8) {
                $0.cuePoints =
                    start + [
                        splice(.in, 3, segment(2, type + 1), segment(3, type, seconds: 12)),
                        splice(.in, 5, segment(3, type + 1)), cue(.in, 5),
                    ]
            })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
        #expect(track.breaks.map(\.plannedDuration) == [.seconds(18)] && track.breaks.map(\.closedBy) == [.in])
    }

    /// EXT-OATCLS-SCTE35 is listed before the CUE-OUT that it describes, or behind it.
    @Test(arguments: [false, true]) mutating func aPayloadIsThatOfTheBreakAtItsSegment(isFirst: Bool) throws {
        let payload = cue(.scte35, 2, section: segment(1, 0x34))
        let markers = [payload, cue(.out, 2, duration: 18)]
        fold(steady(0, count: 8) { $0.cuePoints = isFirst ? markers : markers.reversed() })
        let message = try #require(payload.scte35)
        #expect(track.breaks.map(\.scte35) == [[message]])
    }

    /// A later marker at the first segment names the event of the break, and its message is that of the break.
    @Test mutating func theBreakHasTheMessageAboutItself() throws {
        let own = splice(.out, 2, segment(1, 0x34))
        let message = try #require(own.scte35)
        fold(
            steady(0, count: 8) {
                $0.cuePoints = [
                    cue(.out, 2, section: segment(2, 0x30, seconds: 6)), own, cue(.in, 3, section: segment(2, 0x31)),
                    splice(.in, 5, segment(1, 0x35)),
                ]
            })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
        #expect(track.breaks.map(\.scte35) == [[message]])
    }

    /// The message of one tag may be about the break and an ad at its edge, in any order.
    @Test mutating func theMessageOfATagMayBeAboutBreakAndAd() {
        fold(
            steady(0, count: 8) {
                var cues = [splice(.out, 2, segment(1, 0x34), segment(2, 0x30)), splice(.in, 3, segment(2, 0x31))]
                cues += [splice(.out, 4, segment(3, 0x30)), splice(.in, 5, segment(3, 0x31), segment(1, 0x35))]
                for index in [0, 3] { cues[index].tag = "EXT-X-SCTE35" }
                $0.cuePoints = cues
            })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.end) == [.second(30)])
    }

    /// A window that begins in a break has lost the start of the ad on the air: its end is not that of the break.
    @Test mutating func theEndOfAnAdWhoseStartIsLostDoesNotEndTheBreak() {
        fold(
            steady(10, count: 8) {
                $0.cuePoints = [cue(.cont, 10, elapsed: 12), splice(.in, 11, segment(9, 0x31)), cue(.in, 13)]
            })
        #expect(track.breaks.map(\.end) == [.second(78)])
    }

    /// A set has its elements in another order in each process: a marker about the ad that opened the break and about another one is
    /// always inside.
    @Test(arguments: 2..<18 as Range<UInt64>) mutating func aMarkerAboutSeveralAdsIsReadTheSameWay(other: UInt64) {
        fold(
            steady(0, count: 8) {
                var next = splice(.out, 3, segment(1, 0x30), segment(other, 0x30))
                (next.tag, next.duration) = ("EXT-X-CUE-OUT", .seconds(6))
                $0.cuePoints = [splice(.out, 2, segment(1, 0x30)), next]
            })
        #expect(track.breaks.map(\.start) == [.second(12)] && track.breaks.map(\.plannedDuration) == [nil])
    }

    /// A message has room for hundreds, and a playlist for thousands of messages.
    @Test mutating func theEventsOfAMessageAreLimited() {
        var point = splice(.out, 2)
        let segments = (0..<40).flatMap { segment(UInt64($0 / 2), $0 % 2 == 0 ? 0x34 : 0x35) }
        point.scte35 = SpliceSectionWriter.section(command: 6, body: [0x7F], descriptors: segments)
        fold(steady(0) { $0.cuePoints = [point] })
        #expect(track.breaks.count == 8)
    }

    /// The end of an ad may come before that of its break in one message; the break is over.
    @Test mutating func theEndsOfAnAdAndItsBreakMayShareAMessage() {
        let cues = [
            splice(.out, 2, segment(1, 0x34), segment(2, 0x30)), splice(.in, 4, segment(2, 0x31), segment(1, 0x35)),
        ]
        fold(steady(0, count: 8) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.end) == [.second(24)])
    }

    /// The length of an ad that begins inside is not that of the break.
    @Test mutating func anAdInsideTeachesNoLength() {
        var cues = [splice(.out, 2, segment(1, 0x34)), splice(.out, 3, segment(2, 0x30, seconds: 6))]
        cues[1].duration = .seconds(6)
        fold(steady(0, count: 8) { $0.cuePoints = cues })
        #expect(track.breaks.map(\.plannedDuration) == [nil] && track.breaks.map(\.isOpen) == [true])
    }

    /// The same media under lower numbers is a new epoch, and the break in it is known.
    @Test mutating func aBreakOfAnEarlierEpochIsNotAnother() {
        fold(steady(100) { $0.cuePoints = [cue(.out, 103, duration: 12)] })
        fold(listing(0, Array(repeating: 6, count: 7), date: 600) { $0.cuePoints = [cue(.out, 3, duration: 12)] })
        #expect(timeline.epoch == 1 && track.breaks.map(\.start) == [.second(618)])
        fold(listing(1, Array(repeating: 6, count: 9), date: 606) { $0.cuePoints = [cue(.out, 8, duration: 12)] })
        #expect(track.breaks.map(\.start) == [.second(618), .second(648)])
    }

    /// A range is announced before its media is listed: where dates step in between, it is where they are then, and stays there.
    @Test mutating func aRangeAheadIsWhereItsMediaIs() {
        func range(_ playlist: inout MediaPlaylist) {
            var range = DateRange(id: "a")
            (range.start, range.hasBreakStart, range.statedDuration) = (.second(60), true, .seconds(6))
            playlist.dateRanges = [range]
            playlist.adBreaks = [AdBreakMarker(source: .dateRange, id: "a", start: range.start, end: .second(66))]
        }
        fold(steady(0, edit: range))
        #expect(track.breaks.map(\.startStream) == [.second(60)])
        fold(
            steady(4, count: 8) {
                range(&$0)
                $0.jumpDates(from: 4, by: -3)
            })
        #expect(track.breaks.map(\.startStream) == [.second(63)] && track.breaks.map(\.endStream) == [.second(69)])
        fold(
            steady(6, count: 8) {
                range(&$0)
                $0.jumpDates(from: 2, by: -4)
            })
        #expect(track.breaks.map(\.startStream) == [.second(63)])
    }

    /// A range that goes before the playlist reaches its start was withdrawn; one that has begun only left the playlist.
    @Test mutating func aRangeThatGoesBeforeItsStartIsWithdrawn() {
        func ranges(_ starts: [String: Double]) -> (inout MediaPlaylist) -> Void {
            { playlist in
                for (id, start) in starts {
                    var range = DateRange(id: id)
                    (range.start, range.hasBreakStart, range.plannedDuration) = (.second(start), true, .seconds(6))
                    playlist.dateRanges.append(range)
                    playlist.adBreaks.append(
                        AdBreakMarker(
                            source: .dateRange, id: id, start: range.start, plannedDuration: range.plannedDuration))
                }
            }
        }
        fold(steady(0, edit: ranges(["a": 12, "b": 48])))
        fold(steady(1, edit: ranges(["a": 12, "b": 48])))
        #expect(Set(track.breaks.compactMap(\.markerID)) == ["a", "b"])
        fold(steady(1))
        #expect(track.breaks.compactMap(\.markerID) == ["a"])
    }
}
