import Ports
import Testing

@testable import HLS

/// A packager that restarts under the same names, and one whose list moves while its numbers do not (HLS-28).
@Suite struct TimelineNumbersTests {
    private static func undated(_ first: Int, count: Int) -> MediaPlaylist {
        listing(first, Array(repeating: 6, count: count), date: nil)
    }

    /// The list begins again at 0 and grows by a segment with each reload: it is followed before it has grown by four.
    @Test(arguments: [8, 28, 300], [1, 3]) func aRestartedPackagerIsFollowed(watched: Int, size: Int) throws {
        var timeline = Timeline()
        for first in 0..<watched { _ = timeline.fold(Self.undated(first, count: 5)) }
        let end = try #require(timeline.window?.end)
        var resets: [Int] = []
        for made in 1..<12 {
            let count = min(made, size)
            let fold = timeline.fold(Self.undated(made - count, count: count))
            if fold.isReset {
                resets.append(made)
                #expect(fold.findings.contains { $0.rule == "timeline-reset" })
                #expect(fold.outcome == .changed)
            }
        }
        #expect(resets == [4])
        #expect(timeline.window?.lastSequence == 10)
        #expect(try #require(timeline.window?.end) > end)
    }

    /// A cache that lags lists what is known, and between its answers the newest list comes.
    @Test func aCacheThatLagsIsNoRestart() {
        var timeline = Timeline()
        for first in 0..<6 { _ = timeline.fold(Self.undated(first, count: 5)) }
        for first in 0..<20 {
            _ = timeline.fold(Self.undated(first + 6, count: 5))
            let fold = timeline.fold(Self.undated(first, count: 5))
            #expect(!fold.isReset)
        }
    }

    /// Two caches that lag by different amounts list old copies that go forth and back.
    @Test func twoCachesThatLagAreNoRestart() {
        var timeline = Timeline()
        for first in 0..<20 { _ = timeline.fold(Self.undated(first, count: 5)) }
        for first in 0..<8 {
            for copy in [first + 2, first] {
                let fold = timeline.fold(Self.undated(copy, count: 5))
                #expect(!fold.isReset)
            }
        }
    }

    /// The same dates under the same names are the same media, however long the list lags.
    @Test func withDatesAnOldCopyStaysOne() {
        var timeline = Timeline()
        for first in 0..<20 { _ = timeline.fold(steady(first)) }
        for first in 0..<15 {
            let fold = timeline.fold(steady(first))
            #expect(!fold.isReset && fold.outcome == .unchanged)
        }
    }

    // MARK: Numbers that do not move

    /// What a packager lists that writes one file and forgets to count: number 0 first, other bytes with every reload.
    private static func oneFile(_ first: Int, isDated: Bool, number: Int = 0, count: Int = 5) -> MediaPlaylist {
        listing(number, Array(repeating: 6, count: count), date: isDated ? Double(first) * 6 : nil) { playlist in
            for index in playlist.segments.indices {
                playlist.segments[index].uri = "https://cdn.example.com/live/all.ts"
                playlist.segments[index].byteRange = ByteRange(length: 1_000, offset: (first + index) * 1_000)
            }
        }
    }

    @Test(arguments: [true, false], [1, 2, 5, 9]) func aListThatMovesUnderOneNumberIsFollowed(isDated: Bool, step: Int)
    {
        var timeline = Timeline()
        _ = timeline.fold(Self.oneFile(0, isDated: isDated))
        for reload in 1..<30 {
            let fold = timeline.fold(Self.oneFile(reload * step, isDated: isDated))
            #expect(fold.hasAdvanced && fold.outcome == .changed && !fold.isReset)
            #expect(fold.findings.map(\.rule).contains("media-sequence-stuck"))
            #expect(!fold.findings.map(\.rule).contains("media-sequence-uri-mismatch"))
            #expect(!fold.findings.map(\.rule).contains("pdt-changed"))
        }
        #expect(timeline.listed.count == 5)
        if isDated, step < 6 { #expect(timeline.window?.end == .second(Double(29 * step + 5) * 6)) }
    }

    @Test func theSameListTwiceIsNoMove() {
        var timeline = folded(Self.oneFile(0, isDated: false), Self.oneFile(1, isDated: false))
        let fold = timeline.fold(Self.oneFile(1, isDated: false))
        #expect(fold.outcome == .unchanged && fold.findings.isEmpty)
    }

    /// Names that move under one number are found in the same way.
    @Test func namesThatMoveUnderOneNumber() {
        var timeline = Timeline()
        for first in 0..<10 {
            let fold = timeline.fold(
                Self.undated(0, count: 5).moved { index in "https://cdn.example.com/live/seg\(first + index).ts" })
            #expect(fold.hasAdvanced)
        }
    }

    /// Numbers that count again are believed.
    @Test func numbersThatCountAgain() {
        var timeline = Timeline()
        for first in 0..<5 { _ = timeline.fold(Self.oneFile(first, isDated: true)) }
        for first in 5..<10 {
            let fold = timeline.fold(Self.oneFile(first, isDated: true, number: first))
            #expect(fold.hasAdvanced && fold.findings.map(\.rule) == [])
        }
        #expect(timeline.window?.end == .second(14 * 6))
    }

    /// Other tokens in the names of the same numbers are a finding, and move nothing.
    @Test func otherNamesForTheSameMediaMoveNothing() {
        var timeline = folded(steady(10))
        let end = timeline.window?.end
        let fold = timeline.fold(
            steady(10).moved { index in "https://cdn.example.com/live/token2/seg\(10 + index).ts" })
        #expect(fold.findings.map(\.rule) == ["media-sequence-uri-mismatch"])
        #expect(timeline.window?.end == end)
    }

    /// Other bytes of the file under a known number are other media (rfc8216bis-22 section 6.2.1), also where the name stays.
    @Test func otherBytesUnderOneNumberMoveNothing() throws {
        func ranged(_ change: (inout MediaPlaylist) -> Void = { _ in }) -> MediaPlaylist {
            steady(10) { playlist in
                for index in playlist.segments.indices {
                    playlist.segments[index].uri = "https://cdn.example.com/live/all.ts"
                    playlist.segments[index].byteRange = ByteRange(length: 1_000, offset: index * 1_000)
                }
                change(&playlist)
            }
        }
        var timeline = folded(ranged())
        let end = timeline.window?.end
        let same = timeline.fold(ranged())
        #expect(same.findings.isEmpty)
        let fold = timeline.fold(
            ranged { $0.segments[2].byteRange = ByteRange(length: 500, offset: 2_500) })
        #expect(fold.findings.map(\.rule) == ["media-sequence-uri-mismatch"])
        let message = try #require(fold.findings.first?.message)
        #expect(message.contains("segment 12 changed from bytes 2000+1000 to 2500+500"))
        #expect(timeline.window?.end == end)
        // The newer range is the known one from now on.
        let again = timeline.fold(
            ranged { $0.segments[2].byteRange = ByteRange(length: 500, offset: 2_500) })
        #expect(again.findings.isEmpty)
    }

    /// The model of the vectors believes the numbers.
    @Test func takenAtTheirWordNumbersStand() {
        var timeline = Timeline(ignoresOldCopies: false)
        _ = timeline.fold(Self.oneFile(0, isDated: true))
        let fold = timeline.fold(Self.oneFile(1, isDated: true))
        #expect(!fold.findings.map(\.rule).contains("media-sequence-stuck"))
        #expect(!fold.hasAdvanced)
    }

    /// Markers move with the segments that they stand before.
    @Test func markersOfAStuckListStayAtTheirSegments() {
        var timeline = Timeline()
        var track = BreakTrack()
        for first in 0..<12 {
            var playlist = Self.oneFile(first, isDated: true)
            if (first..<first + 5).contains(8) {
                playlist.cuePoints = [
                    CuePoint(kind: .out, tag: "EXT-X-CUE-OUT", sequence: 8 - first, duration: .seconds(12))
                ]
            }
            _ = timeline.fold(playlist)
            track.fold(timeline, reload: first)
        }
        #expect(track.breaks.map(\.start) == [.second(48)] && track.breaks.map(\.end) == [.second(60)])
    }

    /// The place as each known segment in turn would be tried.
    private static func placeByTrying(_ listed: [MediaSegment], in known: [TimelineSegment]) -> Int? {
        guard !listed.isEmpty else { return nil }
        return known.indices.first { start in zip(known[start...], listed).allSatisfy { $0.isSameMedia(as: $1) } }
    }

    /// Few names and dates, so that lists repeat themselves.
    @Test func aListIsPlacedWhereItIsFoundFirst() {
        let seed: UInt64 = 0x7E57_0101
        var random = SplitMix64(seed: seed)
        func segments(_ names: Int) -> [MediaSegment] {
            (0..<Int.random(in: 0...12, using: &random)).map { number in
                let name = Int.random(in: 0..<names, using: &random)
                let date = Int.random(in: 0..<4, using: &random)
                return MediaSegment(
                    sequence: number, uri: "s\(name).ts?token=\(number)", duration: .seconds(6),
                    date: date == 0 ? nil : .second(Double(date / 3)), dateSource: date == 0 ? nil : .explicit)
            }
        }
        for round in 0..<2_000 {
            let names = 1 + round % 3
            let known = segments(names).map { TimelineSegment($0, start: .second(Double($0.sequence) * 6)) }
            let listed = segments(names)
            let place = Timeline.place(of: listed, in: known[...])
            #expect(place == Self.placeByTrying(listed, in: known), "seed \(seed), round \(round)")
        }
    }

    /// Where that would cost the product of both lists, the numbers are believed.
    @Test func theSearchForAPlaceIsBounded() {
        func segments(_ count: Int) -> [MediaSegment] {
            (0..<count).map { number in
                MediaSegment(sequence: number, uri: number + 1 < count ? "s.ts" : "t.ts", duration: .seconds(1))
            }
        }
        for (count, isFound) in [(500, true), (8_000, false)] {
            let known = segments(count).map { TimelineSegment($0, start: .zero) }
            #expect((Timeline.place(of: segments(count / 2), in: known[...]) == count - count / 2) == isFound)
        }
    }

    // MARK: Several origins

    /// Two origins whose windows have 6 and 12 segments answer in turn: the viewer is not sent to the live point with each answer.
    @Test func anOriginThatListsMoreOfThePastIsNoNewEpoch() {
        var timeline = Timeline()
        for first in 0..<8 { _ = timeline.fold(steady(first)) }
        for first in 8..<20 {
            let isLonger = first % 2 == 0
            let fold = timeline.fold(isLonger ? steady(first - 6, count: 12) : steady(first))
            #expect(!fold.isReset && fold.hasAdvanced, "reload \(first)")
            #expect(timeline.window?.start == .second(Double(isLonger ? first - 6 : first) * 6))
            #expect(timeline.window?.end == .second(Double(first + 6) * 6))
        }
        let other = timeline.fold(listing(13, Array(repeating: 6, count: 14), date: 9_000))
        #expect(other.isReset)
    }

    /// A cache may give a copy from before the viewer came, whether or not it lists a known segment.
    @Test(arguments: [9, 6, 4, 0]) func aCopyOlderThanTheWindowIsOld(first: Int) {
        var timeline = Timeline()
        _ = timeline.fold(steady(10))
        let fold = timeline.fold(steady(first))
        #expect(!fold.isReset && fold.outcome == .unchanged)
        #expect(fold.findings.map(\.rule) == ["media-sequence-backwards"])
    }

    /// Lower numbers with later dates are those of a packager that began again; so are dates that do not lead to what is known.
    @Test(arguments: [200.0, 50, -400]) func lowerNumbersWithOtherDatesAreANewEpoch(date: Double) {
        var timeline = Timeline()
        _ = timeline.fold(steady(10))
        let fold = timeline.fold(listing(0, [6, 6, 6, 6], date: date))
        #expect(fold.isReset)
    }

    /// A channel that plays a loop of dated media begins again far back.
    @Test func aLoopThatBeginsAgainIsANewEpoch() {
        var timeline = Timeline()
        _ = timeline.fold(steady(100))
        let fold = timeline.fold(steady(0))
        #expect(fold.isReset)
    }
}

extension MediaPlaylist {
    /// With other URIs, by index.
    fileprivate func moved(_ uri: (Int) -> String) -> MediaPlaylist {
        var playlist = self
        for index in segments.indices { playlist.segments[index].uri = uri(index) }
        return playlist
    }
}
