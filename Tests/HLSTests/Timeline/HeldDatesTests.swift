import HLS
import Ports
import TestSupport
import Testing

/// Lists without a date: the media before tells the dates, also where only an earlier list had it (HLS-12).
@Suite struct HeldDatesTests {
    private static func undated(_ first: Int, count: Int, edit: (inout MediaPlaylist) -> Void = { _ in })
        -> MediaPlaylist
    {
        listing(first, Array(repeating: 6, count: count), date: nil, edit: edit)
    }

    @Test func datesContinueOverReloadsWithoutOne() throws {
        var timeline = folded(listing(0, [2, 2, 2, 2], date: 0), listing(1, [2, 2, 2, 2], date: nil))
        #expect(timeline.window?.startDate == .second(2) && timeline.window?.endDate == .second(10))
        let fold = timeline.fold(listing(2, [2, 2, 2, 2.5], date: nil))
        #expect(fold.findings.isEmpty)
        #expect(timeline.window?.endDate == .second(12.5))
        #expect(timeline.position(of: .second(9)) == .second(9))
        #expect(timeline.segment(sequence: 5)?.dateSource == .forward)
    }

    /// Two missing segments count one target duration each; the date that a list states later replaces the estimate.
    @Test func behindAHoleDatesAreAnEstimate() throws {
        var timeline = folded(steady(0, count: 3), Self.undated(5, count: 2))
        #expect(timeline.segment(sequence: 5)?.start == .second(30))
        #expect(timeline.segment(sequence: 5)?.date == .second(30))
        #expect(timeline.window?.endDate == .second(42))
        let fold = timeline.fold(listing(5, [6, 6, 6], date: 33))
        #expect(fold.findings.isEmpty)
        #expect(timeline.listed.map(\.date) == [.second(33), .second(39), .second(45)])
        #expect(timeline.segment(sequence: 5)?.start == .second(30))
    }

    /// The list that has the next date is counted back from it, which is wrong before a step of the dates.
    @Test func datesContinueOverADiscontinuityUpToTheNextDate() throws {
        var timeline = folded(steady(0, count: 4), Self.undated(1, count: 5) { $0.segments[3].isDiscontinuity = true })
        #expect(timeline.segment(sequence: 4)?.date == .second(24))
        let fold = timeline.fold(
            listing(2, Array(repeating: 6, count: 6), date: 112) { playlist in
                for index in 0..<5 { playlist.segments[index].dateSource = .backward }
                playlist.segments[2].isDiscontinuity = true
                playlist.segments[5].isDiscontinuity = true
                playlist.segments[5].dateSource = .explicit
            })
        #expect(fold.findings.isEmpty)
        #expect(timeline.listed.map(\.date) == [12, 18, 24, 30, 36, 142].map { .second($0) })
        #expect(timeline.position(of: .second(142)) == .second(42))
        #expect(timeline.dateStretches(from: .second(12), to: .second(48)).count == 2)
    }

    @Test(
        "an own date replaces a derived one; beyond rounding that is a finding",
        arguments: [(0.0, false), (0.05, false), (2, true)])
    func ownDates(_ given: (shift: Double, isFlagged: Bool)) {
        var timeline = folded(steady(0, count: 3), Self.undated(1, count: 3))
        #expect(timeline.segment(sequence: 3)?.date == .second(18))
        let playlist = listing(3, [6, 6, 6], date: 18 + given.shift)
        let fold = timeline.fold(playlist)
        #expect(fold.findings.map(\.rule) == (given.isFlagged ? ["pdt-changed"] : []))
        #expect(timeline.segment(sequence: 3)?.date == .second(18 + given.shift))
        #expect(timeline.fold(playlist).findings.isEmpty, "the same list again")
    }

    @Test func aRestartWithoutDatesHasNone() {
        var timeline = folded(steady(10, count: 4), Self.undated(11, count: 4))
        let fold = timeline.fold(Self.undated(0, count: 2))
        #expect(fold.isReset)
        #expect(timeline.window?.startDate == nil && timeline.window?.endDate == nil)
        #expect(timeline.date(at: .second(29)) == .second(89))
    }

    /// Its segments have dates, although it lists none.
    @Test func anOldCopyWithoutDatesIsNoRestart() {
        var timeline = folded(steady(0), Self.undated(1, count: 6), Self.undated(2, count: 6))
        let fold = timeline.fold(Self.undated(1, count: 6))
        #expect(fold.outcome == .unchanged && !fold.isReset)
        #expect(fold.findings.map(\.rule) == ["media-sequence-backwards"])
    }

    @Test func aDeltaUpdateWithoutDatesContinues() {
        var timeline = folded(steady(0), Self.undated(1, count: 6))
        let fold = timeline.fold(
            Self.undated(2, count: 6) { playlist in
                playlist.skip = SkippedSegments(count: 4)
                playlist.segments.removeFirst(4)
            })
        #expect(fold.outcome == .changed && fold.findings.isEmpty)
        #expect(timeline.window?.startDate == .second(12) && timeline.window?.endDate == .second(48))
    }
}
