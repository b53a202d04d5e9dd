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

    /// A break is kept as long as the playlist lists its media.
    @Test mutating func whatIsStillListedIsNotForgotten() {
        fold(steady(0, count: 30) { $0.cuePoints = [cue(.out, 4), cue(.in, 6)] })
        track.forget(endedBefore: .second(170), in: timeline)
        #expect(track.breaks.count == 1)
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

    @Test mutating func theNumberOfBreaksIsBounded() {
        for first in 0..<(2 * BreakTrack.breakLimit + 40) {
            fold(steady(first) { $0.cuePoints = [cue(first % 2 == 0 ? .out : .in, first)] })
        }
        #expect(track.breaks.count == BreakTrack.breakLimit)
        #expect(track.breaks.first?.number == 20)
    }
}
