import AdTracking
import HLS
import Ports
import Testing

/// Ads of the metadata against the discontinuities of the playlist (L43, L44).
@Suite struct StitchLintTests {
    /// A timeline of 2 s segments from 0 s, with discontinuities before those that start at these seconds, and media that
    /// is longer by these milliseconds there.
    private static func timeline(
        _ seams: [Double], longer: [Double: Int64] = [:], segments: Int = 50, hasEnded: Bool = false
    ) -> Timeline {
        var playlist = MediaPlaylist(uri: "https://h/media.m3u8")
        playlist.hasEndList = hasEnded
        playlist.targetDuration = .seconds(4)
        var start = Duration.zero
        for number in 0..<segments {
            let second = Double(number * 2)
            let length = Duration.milliseconds(2_000 + (longer[second] ?? 0))
            var segment = MediaSegment(
                sequence: number, uri: "https://h/\(number).ts", duration: length, start: start,
                date: .ms(0) + start, dateSource: .explicit)
            segment.isDiscontinuity = seams.contains(second)
            playlist.segments.append(segment)
            start += length
        }
        var timeline = Timeline()
        _ = timeline.fold(playlist)
        return timeline
    }

    /// A break at 20 s with ads of 10 and 20 s.
    private static func findings(
        _ timeline: Timeline, range: ClosedRange<Int64> = 0...90_000
    ) throws -> [String] {
        var viewer = AdViewer()
        let ads = [Ad.full("1", 20_000, 10_000), .full("2", 30_000, 20_000)]
        viewer.metadata([.test("b", 20_000, 30_000, ads)], range: range)
        let adBreak = try #require(viewer.tracker.book.breaks.first)
        return StitchLint.findings(adBreak, in: timeline, dataRange: viewer.tracker.dataRange).map {
            "\($0.rule) \($0.message)"
        }
    }

    @Test func discontinuitiesAtTheAdsAreNoFinding() throws {
        #expect(try Self.findings(Self.timeline([20, 30, 50])) == [])
    }

    @Test func aPlaylistWithoutDiscontinuitiesIsNotJudged() throws {
        #expect(try Self.findings(Self.timeline([])) == [])
        #expect(try Self.findings(Self.timeline([4, 80])) == [])
    }

    @Test func aMissingDiscontinuityIsAFinding() throws {
        #expect(
            try Self.findings(Self.timeline([20, 50]))
                == ["L43 break b: 1 of 3 starts and ends of ads have no discontinuity"])
    }

    @Test func aDiscontinuityInsideAnAdIsAFinding() throws {
        #expect(
            try Self.findings(Self.timeline([20, 30, 40, 50])) == [
                "L43 break b: 1 of 4 discontinuities lie inside an ad"
            ])
    }

    @Test func anotherLengthIsAFinding() throws {
        #expect(
            try Self.findings(Self.timeline([20, 30, 50], longer: [28: 630]))
                == ["L44 ad 1: 10630 ms of media, 10000 ms in the metadata"])
    }

    /// The ad behind an element of 2 s begins at the nearer of two discontinuities.
    @Test func anAdBehindAShortElementHasItsOwnLength() throws {
        var viewer = AdViewer()
        let ads = [Ad.full("1", 20_000, 2_000), .full("2", 22_000, 4_000)]
        viewer.metadata([.test("b", 20_000, 6_000, ads)], range: 0...90_000)
        let adBreak = try #require(viewer.tracker.book.breaks.first)
        func findings(_ longer: [Double: Int64]) -> [String] {
            StitchLint.findings(
                adBreak, in: Self.timeline([20, 22, 26], longer: longer), dataRange: viewer.tracker.dataRange
            ).map(\.message)
        }
        #expect(findings([:]) == [])
        #expect(findings([24: 630]) == ["ad 2: 4630 ms of media, 4000 ms in the metadata"])
    }

    /// An overlay occupies no media (PRV-24).
    @Test func anOverlayIsNotJudged() throws {
        var overlay = Ad.full("ov1", 30_000, 18_500)
        overlay.extras.append("linear", false)
        var viewer = AdViewer()
        let ads = [Ad.full("1", 20_000, 10_000), .full("2", 30_000, 20_000), overlay]
        viewer.metadata([.test("b", 20_000, 30_000, ads)], range: 0...90_000)
        let adBreak = try #require(viewer.tracker.book.breaks.first)
        let findings = StitchLint.findings(
            adBreak, in: Self.timeline([20, 30, 50]), dataRange: viewer.tracker.dataRange)
        #expect(findings.map(\.message) == [])
    }

    @Test func roundingIsNoFinding() throws {
        #expect(try Self.findings(Self.timeline([20, 30, 50], longer: [28: 40, 48: 40])) == [])
    }

    /// The segment after the break is not listed yet, so nothing is known about its discontinuity.
    @Test func anEndAtTheEdgeIsNotJudged() throws {
        #expect(try Self.findings(Self.timeline([20, 30], segments: 25)) == [])
        #expect(
            try Self.findings(Self.timeline([20], segments: 25))
                == ["L43 break b: 1 of 2 starts and ends of ads have no discontinuity"])
    }

    /// Beyond the end by more than what belongs to it, or where the list is complete.
    @Test(arguments: [(25, false, false), (26, false, false), (27, false, true), (25, true, true)])
    func theEndIsListedOnceSegmentsLieBehindIt(segments: Int, hasEnded: Bool, isListed: Bool) throws {
        let timeline = Self.timeline([20, 30, 50], segments: segments, hasEnded: hasEnded)
        var viewer = AdViewer()
        let ads = [Ad.full("1", 20_000, 10_000), .full("2", 30_000, 20_000)]
        viewer.metadata([.test("b", 20_000, 30_000, ads)], range: 0...90_000)
        #expect(StitchLint.isListed(try #require(viewer.tracker.book.breaks.first), in: timeline) == isListed)
    }

    @Test func aBreakThatGrowsIsNotJudged() throws {
        #expect(try Self.findings(Self.timeline([20, 50]), range: 0...50_000) == [])
    }
}
