import HLS
import Ports
import TestSupport
import Testing

/// Positions, windows and the rules across reloads (HLS-11, HLS-28).
@Suite struct TimelineFoldTests {
    @Test func aSegmentStartsWhereItsPredecessorEnds() throws {
        let timeline = folded(
            listing(10, [6.006, 5.994, 4.0005], date: 0), listing(11, [5.994, 4.0005, 6], date: 6.006))
        let window = try #require(timeline.window)
        #expect(timeline.segment(sequence: 10)?.start == .zero)
        #expect(window.start == StreamTime(microseconds: 6_006_000))
        #expect(timeline.segment(sequence: 13)?.start == StreamTime(microseconds: 16_000_500))
        #expect(window.end == StreamTime(microseconds: 22_000_500))
        #expect(window.firstSequence == 11 && window.lastSequence == 13)
        #expect(window.startDate == .second(6.006))
    }

    @Test func sumsOfDurationsAreExact() throws {
        // 6.006 s has no exact binary form: a sum of Doubles would drift over 3,600 segments.
        let timeline = folded(listing(0, Array(repeating: 6.006, count: 3_600), date: nil))
        #expect(timeline.window?.end == StreamTime(microseconds: 3_600 * 6_006_000))
    }

    @Test(
        "gap: the larger of the last duration and the difference of dates; without dates the target duration",
        arguments: [
            (date: 72.0 as Double?, start: 72.0), (date: 50, start: 50), (date: 33, start: 36), (date: nil, start: 72),
        ])
    func holes(_ given: (date: Double?, start: Double)) throws {
        var timeline = folded(listing(0, Array(repeating: 6, count: 6), date: given.date == nil ? nil : 0))
        let fold = timeline.fold(listing(12, [6, 6], date: given.date))
        #expect(fold.findings.map(\.rule) == ["window-jump"])
        #expect(timeline.window?.start == .second(given.start))
        #expect(timeline.segment(at: .second(given.start - 0.5))?.sequence == (given.start == 36 ? 5 : nil))
    }

    @Test func numbersThatFallBeginANewEpochAtTheOldEnd() throws {
        var timeline = folded(steady(100))
        let fold = timeline.fold(listing(7, [6, 6, 6], date: 0))
        #expect(fold.isReset)
        #expect(fold.findings.map(\.rule) == ["media-sequence-backwards", "timeline-reset"])
        #expect(timeline.epoch == 1)
        #expect(timeline.window?.start == .second(36))
        #expect(timeline.segment(sequence: 8)?.start == .second(42))
        #expect(timeline.segment(sequence: 101) == nil, "numbers of the old epoch mean other segments now")
        #expect(timeline.segment(at: .second(7))?.sequence == 101)
    }

    @Test func anOldCopyChangesNothing() {
        var timeline = folded(steady(10), steady(11))
        let before = timeline
        let fold = timeline.fold(steady(10))
        #expect(fold.outcome == .unchanged)
        #expect(fold.findings.map(\.rule) == ["media-sequence-backwards"])
        #expect(timeline == before)
    }

    /// The sequence model of the vectors requires this.
    @Test func takenAtItsWordAnOldCopyStartsAnew() {
        var timeline = Timeline(ignoresOldCopies: false)
        for playlist in [steady(10), steady(11)] { _ = timeline.fold(playlist) }
        let end = timeline.window?.end
        let fold = timeline.fold(steady(10))
        #expect(fold.outcome == .changed && fold.isReset)
        #expect(fold.findings.map(\.rule) == ["media-sequence-backwards", "timeline-reset"])
        #expect(timeline.window?.firstSequence == 10)
        #expect(timeline.window?.start == end)
    }

    @Test func anOldCopyWithTheSameStartIsFlaggedToo() {
        var timeline = folded(steady(10, count: 5), steady(10, count: 6))
        let fold = timeline.fold(steady(10, count: 5))
        #expect(fold.outcome == .unchanged)
        #expect(fold.findings.map(\.rule) == ["old-copy"])
        #expect(timeline.window?.lastSequence == 15)
    }

    @Test func knownSegmentsKeepTheirPlace() throws {
        var timeline = folded(steady(0))
        let fold = timeline.fold(
            steady(1) { playlist in
                playlist.segments[2].duration = .seconds(7.5)
                playlist.segments[1].uri = "https://cdn.example.com/live/other2.ts"
                playlist.segments[0].discontinuitySequence = 4
            })
        #expect(
            fold.findings.map(\.rule) == [
                "media-sequence-uri-mismatch", "segment-duration-changed", "discontinuity-sequence-mismatch",
            ])
        #expect(timeline.segment(sequence: 4)?.start == .second(24))
        #expect(timeline.segment(sequence: 3)?.duration == .seconds(7.5))
        #expect(timeline.segment(sequence: 2)?.uri == "https://cdn.example.com/live/seg2.ts")
        #expect(fold.findings[0].message.contains("segment 2 "))
    }

    /// To the millisecond, and with all digits where two lengths would read the same.
    @Test(
        arguments: [
            (5_833_333, "5.833"), (7_500_000, "7.5"), (6_000_400, "6.0004"),
        ] as [(Int64, String)])
    func aChangedLengthIsShownAsItDiffers(microseconds: Int64, text: String) {
        var timeline = folded(steady(0))
        let fold = timeline.fold(steady(1) { $0.segments[2].duration = .microseconds(microseconds) })
        #expect(fold.findings.map(\.message) == ["segment 3 changed from 6 s to \(text) s"])
    }

    @Test func queryStringsAreNoOtherResource() {
        var timeline = folded(steady(0) { $0.segments[3].uri += "?token=1" })
        let fold = timeline.fold(steady(1) { $0.segments[2].uri += "?token=2" })
        #expect(fold.findings.isEmpty)
    }

    @Test(
        "dates of known segments: rounding is not a change, a correction is",
        arguments: [(0.05, false), (0.2, true), (-1.5, true)])
    func changedDates(_ given: (shift: Double, isFlagged: Bool)) {
        var timeline = folded(steady(0))
        let fold = timeline.fold(listing(1, Array(repeating: 6, count: 6), date: 6 + given.shift))
        #expect(fold.findings.map(\.rule) == (given.isFlagged ? ["pdt-changed"] : []))
        let date = timeline.segment(sequence: 2)?.date
        #expect(date == .second(12 + (given.isFlagged ? given.shift : 0)))
    }

    @Test func headRules() {
        var timeline = folded(
            steady(0) {
                $0.playlistType = .event
                $0.hasEndList = true
                $0.discontinuitySequence = 3
            })
        let fold = timeline.fold(
            steady(1) {
                $0.playlistType = .event
                $0.targetDuration = .seconds(8)
            })
        #expect(
            fold.findings.map(\.rule) == [
                "discontinuity-sequence-backwards", "target-duration-changed", "endlist-removed",
                "event-segments-removed",
            ])
        #expect(fold.findings.allSatisfy { $0.severity == .error })
    }

    @Test func dateRangeRules() {
        func ranges(_ edit: (inout DateRange) -> Void) -> (inout MediaPlaylist) -> Void {
            var range = DateRange(id: "a")
            range.start = .second(18)
            range.plannedDuration = .seconds(12)
            edit(&range)
            let edited = range
            return { $0.dateRanges = [edited] }
        }
        var timeline = folded(steady(0, edit: ranges { _ in }))
        #expect(
            timeline.fold(steady(1, edit: ranges { $0.endDate = .second(30) })).findings.isEmpty,
            "attributes may be added")
        #expect(
            timeline.fold(steady(2, edit: ranges { $0.plannedDuration = .seconds(13) })).findings.map(\.rule)
                == ["daterange-changed"])
        #expect(timeline.fold(steady(3)).findings.map(\.rule) == ["daterange-removed-early"])
        #expect(timeline.fold(steady(4)).findings.isEmpty, "said once")
    }

    @Test func aRangeMayGoWithItsLastSegmentOrBeforeItsFirst() {
        var past = DateRange(id: "past")
        past.start = .second(-20)
        past.end = .second(6)
        var future = DateRange(id: "future")
        future.start = .second(60)
        let ranges = [past, future]
        var timeline = folded(steady(0) { $0.dateRanges = ranges })
        #expect(timeline.fold(steady(1)).findings.isEmpty)
    }

    @Test func outcomes() {
        var timeline = Timeline()
        #expect(timeline.fold(steady(0)).outcome == .changed)
        let again = timeline.fold(steady(0))
        #expect(again.outcome == .unchanged && !again.hasAdvanced)
        let slid = timeline.fold(steady(1, count: 5))
        #expect(slid.outcome == .changed && !slid.hasAdvanced, "a segment went, none came")
        let ended = timeline.fold(steady(1, count: 5) { $0.hasEndList = true })
        #expect(ended.outcome == .changed && ended.hasAdvanced)
        let marked = timeline.fold(
            steady(1, count: 5) {
                $0.hasEndList = true
                $0.dateRanges = [DateRange(id: "x")]
            })
        #expect(marked.outcome == .changed && !marked.hasAdvanced)
    }

    @Test func trailingPartsMoveTheEdgeInLowLatencyOnly() throws {
        let playlist = listing(0, [4, 4, 4], date: 0, target: 4) {
            $0.partTarget = .seconds(1)
            $0.serverControl = ServerControl(holdBack: .seconds(12), partHoldBack: .seconds(3))
            $0.trailingParts = (0..<2).map { PartialSegment(sequence: 3, index: $0, uri: "p", duration: .seconds(1)) }
        }
        var low = Timeline(prefersLowLatency: true)
        _ = low.fold(playlist)
        #expect(low.window?.end == .second(14))
        #expect(low.window?.latest == .second(11))
        #expect(low.window?.endDate == .second(14))
        var plain = Timeline()
        _ = plain.fold(playlist)
        #expect(plain.window?.end == .second(12))
        #expect(plain.window?.latest == .zero)
    }

    @Test func holdBackDefaultsToThreeTargetDurations() {
        #expect(folded(steady(0)).holdBack == .seconds(18))
        #expect(folded(steady(0) { $0.serverControl = ServerControl(holdBack: .seconds(24)) }).holdBack == .seconds(24))
        #expect(folded(steady(0) { $0.targetDuration = nil }).holdBack == .seconds(18), "the longest segment stands in")
        #expect(folded(steady(0) { $0.hasEndList = true }).window?.latest == .second(36))
        #expect(folded(steady(0) { $0.playlistType = .vod }).window?.latest == .second(36))
        #expect(folded(steady(0, count: 2)).window?.latest == .zero, "never before the window")
    }

    @Test func anEmptyPlaylistShowsNothingAndLosesNothing() {
        var timeline = Timeline()
        #expect(timeline.fold(listing(5, [], date: nil)).outcome == .changed)
        #expect(timeline.window == nil)
        _ = timeline.fold(steady(5))
        _ = timeline.fold(listing(11, [], date: nil))
        #expect(timeline.window?.lastSequence == 10)
        #expect(timeline.fold(steady(6)).outcome == .changed)
        #expect(timeline.window?.lastSequence == 11)
    }

    @Test func numbersThatFallBehindAnEmptyPlaylistAreAResetToo() {
        var timeline = folded(steady(10), listing(2, [], date: nil))
        #expect(timeline.fold(steady(2)).isReset)
        #expect(timeline.listed.map(\.sequence) == Array(2...7))
        #expect(timeline.window?.start == .second(36))
    }

    @Test func pastSegmentsStayUpToTheirLimit() throws {
        var timeline = Timeline()
        var most = 0
        for first in 0..<100_000 {
            _ = timeline.fold(steady(first))
            most = max(most, timeline.segments.count)
        }
        let window = try #require(timeline.window)
        #expect(window.lastSequence == 100_004)
        #expect(window.end == .second(600_030))
        #expect(most <= Timeline.pastSegmentLimit * 5 / 4 + 6)
        #expect(timeline.segments.count >= Timeline.pastSegmentLimit)
        #expect(timeline.segments.capacity < most * 4 / 3, "their room is not doubled for the last of them")
        let behind = window.start - .seconds(6 * Timeline.pastSegmentLimit)
        #expect(timeline.segment(at: behind)?.sequence == 99_999 - Timeline.pastSegmentLimit)
        #expect(timeline.position(of: .second(600_000)) == .second(600_000))
    }
}
