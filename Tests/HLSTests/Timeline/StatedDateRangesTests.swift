import Ports
import Testing

@testable import HLS

/// Attributes of a date range do not change, whatever lies in between (HLS-28).
@Suite struct StatedDateRangesTests {
    /// A range ahead of what `steady` lists, so that it may go at any time.
    private static func range(_ id: String, _ edit: (inout DateRange) -> Void = { _ in }) -> DateRange {
        var range = DateRange(id: id)
        range.start = .second(6_000)
        edit(&range)
        return range
    }

    private static func planned(_ seconds: Double?) -> [DateRange] {
        [range("a") { $0.plannedDuration = seconds.map { .seconds($0) } }]
    }

    /// The messages of the rule for each of the playlists, which list these ranges.
    private static func messages(_ ranges: [[DateRange]]) -> [[String]] {
        var timeline = Timeline()
        return ranges.enumerated().map { number, ranges in
            messages(timeline.fold(steady(number) { $0.dateRanges = ranges }))
        }
    }

    private static func messages(_ fold: TimelineFold) -> [String] {
        fold.findings.filter { $0.rule == "daterange-changed" }.map(\.message)
    }

    private static let change = ["date range a changed its PLANNED-DURATION"]

    @Test func anAttributeThatWasLeftOutComesBackAsItWas() {
        let kept = [Self.planned(12), Self.planned(nil), Self.planned(12), Self.planned(12)]
        #expect(Self.messages(kept) == [[], [], [], []])
        let changed = [
            Self.planned(12), Self.planned(nil), Self.planned(13), Self.planned(13), Self.planned(nil),
            Self.planned(13),
        ]
        #expect(Self.messages(changed) == [[], [], Self.change, [], [], []], "once")
    }

    @Test func aRangeThatWasLeftOutComesBackAsItWas() {
        #expect(
            Self.messages([Self.planned(12), [], Self.planned(13), Self.planned(13)]) == [[], [], Self.change, []])
    }

    /// A server may add an attribute to its ranges with each playlist.
    @Test(arguments: [(60, true), (70, false)]) func whatIsRememberedIsBounded(_ playlists: Int, isKnown: Bool) {
        let long = String(repeating: "a", count: PlaylistLimits.lineBytes)
        let growing = (0..<playlists).map { number in
            ["b", "c"].map { id in
                Self.range(id) {
                    $0.extensions = [ExtensionAttribute(name: "X-\(number)", value: .string(long))]
                }
            }
        }
        let messages = Self.messages([Self.planned(12)] + growing.map { $0 + Self.planned(nil) } + [Self.planned(13)])
        #expect(messages.dropLast().allSatisfy { $0.isEmpty })
        #expect(messages.last == (isKnown ? Self.change : []))
    }

    /// One finding for each playlist.
    @Test func furtherRangesAreCounted() {
        func both(_ name: String) -> [DateRange] {
            ["a", "b", "c"].map { id in
                Self.range(id) {
                    $0.extensions = [ExtensionAttribute(name: "X-N", value: .string(id == "c" ? "same" : name))]
                }
            }
        }
        #expect(Self.messages([both("one"), both("two")]) == [[], ["date range a changed its X-N (and 1 more)"]])
    }

    /// An ID that comes again long after may be that of another range.
    @Test(arguments: [(StatedDateRanges.reach - 1, true), (StatedDateRanges.reach + 1, false)])
    func whatHasBeenGoneForLongIsForgotten(playlists: Int, isKnown: Bool) {
        let gone = [[DateRange]](repeating: [], count: playlists)
        let messages = Self.messages([Self.planned(12)] + gone + [Self.planned(13)])
        #expect(messages.last == (isKnown ? Self.change : []))
    }

    @Test func whatIsRememberedIsBounded() {
        var timeline = Timeline()
        let count = StatedDateRanges.limit / 2
        for number in 0..<StatedDateRanges.reach {
            let ranges = (0..<count).map { Self.range("\(number)-\($0)") }
            _ = timeline.fold(steady(number) { $0.dateRanges = ranges })
            #expect(timeline.statedDateRanges.count <= StatedDateRanges.limit + count)
        }
        _ = timeline.fold(steady(100))
        #expect(timeline.statedDateRanges.count <= StatedDateRanges.limit)
    }

    /// The merged playlist keeps the first value, so that the change shows in the update alone.
    @Test func aDeltaUpdateIsCompared() {
        var timeline = Timeline()
        func delta(_ first: Int, _ ranges: [DateRange]) -> MediaPlaylist {
            var delta = listing(first + 3, [6, 6, 6], date: nil)
            delta.mediaSequence = first
            delta.skip = SkippedSegments(count: 3)
            delta.serverControl = ServerControl(canSkipDateRanges: true)
            delta.dateRanges = ranges
            return delta
        }
        _ = timeline.fold(steady(0) { $0.dateRanges = Self.planned(12) })
        for first in 1...StatedDateRanges.reach + 1 {
            #expect(Self.messages(timeline.fold(delta(first, []))) == [])
        }
        let next = StatedDateRanges.reach + 2
        #expect(Self.messages(timeline.fold(delta(next, Self.planned(13)))) == Self.change, "it was kept all the time")
        #expect(Self.messages(timeline.fold(delta(next + 1, Self.planned(13)))) == [], "once")
    }

    /// Another variant is another text; `variant-mismatch` is about what both must share.
    @Test func anotherVariantBeginsAgain() {
        var timeline = Timeline()
        _ = timeline.fold(steady(0) { $0.dateRanges = Self.planned(12) })
        timeline.variantChanged()
        let other = timeline.fold(steady(1) { $0.dateRanges = Self.planned(13) })
        #expect(Self.messages(other) == [])
        #expect(Self.messages(timeline.fold(steady(2) { $0.dateRanges = Self.planned(12) })) == Self.change)
    }
}
