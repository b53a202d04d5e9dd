import Ports
import Testing

@testable import HLS

/// Several servers that list the same media under addresses or numbers of their own (HLS-28).
@Suite struct SegmentResourceTests {
    /// Segments of 6 s from number `first`, as read from `uri`; `folder` precedes each name.
    private static func listed(
        _ first: Int, count: Int = 6, at uri: String, folder: String = "", isDated: Bool = true, skipped: Int = 0
    ) throws -> MediaPlaylist {
        var text = InlinePlaylist.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in first + skipped..<first + count {
            if isDated { text += "#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(Double(number) * 6).iso8601)\n" }
            text += "#EXTINF:6,\n\(folder)seg\(number).ts?token=\(first)\n"
        }
        return try #require(InlinePlaylist.parse(text, uri: uri).media)
    }

    private static let edges = [
        "https://cdn.example.com/e0/ch1/v.m3u8", "https://cdn.example.com/e1/ch1/v.m3u8?a=/b/c",
    ]

    /// A load balancer redirects each request to one of two edges that list the same.
    @Test(arguments: ["", "media/", "../ts/", "/ts/"]) func edgesThatListTheSameAreOneStream(folder: String) throws {
        var timeline = Timeline()
        for reload in 0..<12 {
            let fold = timeline.fold(try Self.listed(reload, at: Self.edges[reload % 2], folder: folder))
            #expect(fold.findings.isEmpty && !fold.isReset, "reload \(reload)")
        }
        #expect(timeline.window?.end == .second(17 * 6))
    }

    /// One of two edges is two segments behind: its lists are old copies.
    @Test(arguments: [true, false]) func anEdgeThatLagsListsOldCopies(isDated: Bool) throws {
        var timeline = folded(try Self.listed(0, at: Self.edges[0], isDated: isDated))
        for reload in 0..<20 {
            let isBehind = reload % 2 == 1
            let first = isBehind ? reload - 1 : reload + 2
            let fold = timeline.fold(try Self.listed(first, at: Self.edges[reload % 2], isDated: isDated))
            #expect(!fold.isReset, "reload \(reload)")
            #expect(fold.outcome == (isBehind ? .unchanged : .changed))
        }
        #expect(timeline.window?.end == .second(26 * 6))
    }

    /// One of two edges keeps six segments more.
    @Test func anEdgeThatKeepsMoreContinuesTheStream() throws {
        var timeline = Timeline()
        _ = timeline.fold(try Self.listed(10, at: Self.edges[0]))
        _ = timeline.fold(try Self.listed(16, at: Self.edges[0]))
        for reload in 0..<10 {
            let isLonger = reload % 2 == 0
            let first = 17 + reload - (isLonger ? 6 : 0)
            let fold = timeline.fold(try Self.listed(first, count: isLonger ? 12 : 6, at: Self.edges[isLonger ? 1 : 0]))
            #expect(!fold.isReset && fold.hasAdvanced, "reload \(reload)")
        }
    }

    /// Two hosts in the addresses of the segments themselves, one of them two segments behind.
    @Test func anotherHostIsTheSameResource() throws {
        func listed(_ first: Int, host: Int) throws -> MediaPlaylist {
            try Self.listed(first, at: InlinePlaylist.uri, folder: "https://edge\(host).example.com/ch1/")
        }
        var timeline = folded(try listed(0, host: 0))
        for reload in 0..<20 {
            let isBehind = reload % 2 == 1
            let fold = timeline.fold(try listed(isBehind ? reload - 1 : reload + 2, host: reload % 2))
            #expect(!fold.isReset && fold.outcome == (isBehind ? .unchanged : .changed), "reload \(reload)")
            #expect(isBehind || fold.findings.isEmpty)
        }
    }

    /// A delta update of one edge leaves the segments of the other in place.
    @Test func segmentsOfADeltaUpdateAreThoseOfTheEdgeThatListedThem() throws {
        var timeline = folded(try Self.listed(0, at: Self.edges[0]))
        _ = timeline.fold(try Self.listed(1, at: Self.edges[1]))
        _ = timeline.fold(try Self.listed(2, at: Self.edges[0]))
        let fold = timeline.fold(try Self.listed(3, at: Self.edges[1], skipped: 4))
        #expect(fold.findings.isEmpty && fold.hasAdvanced)
    }

    /// Another folder under one address is another resource, and so is media of another length on another host.
    @Test func otherResourcesStayDifferent() throws {
        let known = TimelineSegment(try Self.listed(3, at: Self.edges[0]).segments[0], start: .zero)
        func isSame(_ uri: String, base: String, seconds: Int = 6) -> Bool {
            known.hasSameResource(
                as: MediaSegment(sequence: 3, uri: uri, base: base, duration: .seconds(seconds)))
        }
        #expect(isSame("https://other.example.com/e0/ch1/seg3.ts", base: Self.edges[0]))
        #expect(!isSame("https://other.example.com/e0/ch1/seg3.ts", base: Self.edges[0], seconds: 5))
        #expect(!isSame("https://other.example.com/e0/ch2/seg3.ts", base: Self.edges[0]))
        #expect(!isSame("https://cdn.example.com/e0/ch2/seg3.ts", base: Self.edges[0]))
        #expect(!isSame("https://cdn.example.com/e1/ch1/ads/seg3.ts", base: Self.edges[1]))
        #expect(!isSame("https://cdn.example.com/e1/seg3.ts", base: Self.edges[1]))
        #expect(isSame("https://cdn.example.com/e1/ch1/seg3.ts", base: Self.edges[1], seconds: 5))
    }

    // MARK: Numbers

    /// Each fifth answer comes from an origin that numbers the same media higher or lower.
    @Test(arguments: [5_000, -400]) func otherNumbersForTheSameMediaAreNoNewEpoch(offset: Int) {
        var timeline = Timeline()
        for first in 1_000..<1_040 {
            let fold = timeline.fold(steady(first).numbered(first % 5 == 4 ? offset : 0))
            // The numbers of each second change do fall.
            #expect(!fold.isReset && fold.findings.allSatisfy { $0.rule == "media-sequence-backwards" }, "\(first)")
            #expect(timeline.window?.end == .second(Double(first - 994) * 6))
        }
    }

    /// An origin that numbers the same media lower takes over.
    @Test func theNumbersOfAnotherOriginFallOnce() {
        var timeline = Timeline()
        for first in 1_000..<1_030 {
            let fold = timeline.fold(steady(first).numbered(first < 1_010 ? 0 : -400))
            #expect(!fold.isReset && fold.hasAdvanced, "\(first)")
            #expect(fold.findings.map(\.rule) == (first == 1_010 ? ["media-sequence-backwards"] : []))
        }
    }
}

extension MediaPlaylist {
    /// With other numbers.
    fileprivate func numbered(_ offset: Int) -> MediaPlaylist {
        var playlist = self
        playlist.mediaSequence += offset
        for index in segments.indices { playlist.segments[index].sequence += offset }
        return playlist
    }
}
