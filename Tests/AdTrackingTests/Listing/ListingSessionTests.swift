import HLS
import Ports
import TestSupport
import Testing

@testable import AdTracking

/// Vectors and `metadata parse` merge answers with ``Listing``, a session with ``AdTracker``: both have the same breaks, ads and beacons. Answers of
/// services whose ads the media places are not merged by ``Listing``.
@Suite struct ListingSessionTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var id: String
        var provider: String
        var input: JSONValue

        var testDescription: String { id }

        /// The bodies of the good answers, in order.
        var answers: [[UInt8]] {
            let opening = input["init"]?["response"]?["body"].map { [$0] } ?? []
            let polled = (input["tracking"]?.arrayValue ?? []).filter { $0["status"]?.integerValue == 200 }
            let pinged = (input["play"]?.arrayValue ?? []).compactMap { $0["answer"] }
            // The opening answer lists breaks where there are pings.
            let bodies = (provider == UplynkProvider.name ? opening : []) + polled.compactMap { $0["body"] } + pinged
            return bodies.map { Array(($0.stringValue ?? $0.text()).utf8) }
        }
    }

    /// What one answer lists.
    private typealias Reader = @Sendable ([UInt8], PolledProgramme) throws -> (listed: ListedAnswer, zero: UnixTime?)

    private static let readers: [String: Reader] = [
        MediaTailorProvider.name: { bytes, _ in
            let document = try MediaTailorDocument.read(bytes, .client)
            return (document.answer, document.zero)
        },
        BroadpeakProvider.name: { (try Broadpeak.read($0, charset: nil, of: $1).listed, nil) },
        PrimetimeProvider.name: { (try Primetime.read($0, charset: nil, of: $1).listed, nil) },
        VMAPProvider.name: { (try VMAPPolls.read($0, charset: nil, of: $1).listed, nil) },
        UplynkProvider.name: { bytes, _ in (try UplynkDocument.read(bytes).answer, nil) },
    ]

    static let vectors: [Vector] = ConformanceFolder.files(in: "providers").sorted { $0.key < $1.key }.flatMap {
        name, bytes in
        let file = (try? JSONReader.read(bytes)) ?? .null
        return (file["cases"]?.arrayValue ?? []).compactMap { value -> Vector? in
            let provider = (value["provider"] ?? file["provider"])?.stringValue ?? ""
            let vector = Vector(
                id: value["id"]?.stringValue ?? name, provider: provider, input: value["input"] ?? .null)
            return readers[provider] == nil || vector.answers.isEmpty ? nil : vector
        }
    }

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func thereAreVectorsOfEachProvider() {
        #expect(Set(Self.vectors.map(\.provider)) == Set(Self.readers.keys))
    }

    @Test(arguments: vectors) func aSessionHasTheBreaksOfTheListing(_ vector: Vector) throws {
        let live = Self.stream(vector.input, isEnded: vector.input["live"] == false)
        let ended = Self.stream(vector.input, isEnded: true)
        let reader = try #require(Self.readers[vector.provider])
        let type = try #require(ProviderTable.providers.first { $0.name == vector.provider })
        var provider: any AdMetadataProvider = type.init(ProviderOptions(mediaURL: try WebURL("https://h.example/x")))
        var (listing, clock, viewer) = (Listing(), MediaTailorClock(), AdViewer())
        clock.noted(live.timeline.playlist)
        for bytes in vector.answers {
            let answer = try reader(bytes, live.programme)
            listing.add(answer.listed)
            _ = clock.anchored(answer.zero)
            viewer.metadata(try provider.read(Self.exchange(bytes), on: live))
        }
        // What a break reports at its end is known when the stream is behind it.
        let last = try #require(ProviderSamples.all[vector.provider]).empty
        viewer.metadata(try provider.read(Self.exchange(Array(last.utf8)), on: ended))
        let placed = clock.placement(on: live.knownTimeline).placed(listing.breaks)
        let expected = placed.compactMap { AdBreak($0, listedUntil: nil) }.flatMap(Self.facts)
        #expect(viewer.tracker.book.breaks.flatMap(Self.facts) == expected)
    }

    /// A page may list what is left of a break with a length of 0 (PRV-9).
    @Test func aPageWithoutALengthKeepsTheKnownOne() {
        let start = TrackingEvent.test(.start, 70_000)
        var document = DecodedMetadata.test([.test("b", 70_000, 10_000, [.test("a", 70_000, 10_000, [start])])])
        document.keepsUnlisted = true
        var (viewer, page) = (AdViewer(), document)
        viewer.metadata(document)
        page.breaks[0].duration = .zero
        page.breaks[0].ads[0].duration = .zero
        #expect(!viewer.metadata(page).merge.changesAnything)
        #expect(viewer.tracker.book.breaks.flatMap(Self.facts) == document.breaks.flatMap(Self.facts))
        // Without pages a length is what the newest document says.
        page.keepsUnlisted = false
        viewer.metadata(page)
        #expect(viewer.tracker.book.breaks.map(\.duration) == [.zero])
    }

    // MARK: Streams

    private static func exchange(_ bytes: [UInt8]) -> HTTPExchange {
        var exchange = HTTPExchange.answer(200)
        exchange.body = bytes
        return exchange
    }

    /// The playlists of a vector, or one that ends before its breaks.
    private static func stream(_ input: JSONValue, isEnded: Bool) -> StreamFacts {
        var texts = (input["playlists"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
        if texts.isEmpty { texts = [playlistText(0, count: 2)] }
        if isEnded, let last = texts.last { texts.append(last + "\n#EXT-X-ENDLIST\n") }
        var timeline = Timeline()
        for text in texts {
            if let playlist = PlaylistParser.parse(Array(text.utf8), uri: "https://h.example/x").media {
                _ = timeline.fold(playlist)
            }
        }
        return StreamFacts(timeline: timeline)
    }

    // MARK: Comparison

    /// What beacons depend on, in lines.
    private static func facts(_ adBreak: AdBreak) -> [String] {
        lines(adBreak.name ?? "-", adBreak.start, adBreak.duration)
            + adBreak.ads.flatMap { ad in lines(ad.name ?? "-", ad.start, ad.duration) + lines(ad.events) }
    }

    private static func facts(_ adBreak: KnownBreak) -> [String] {
        lines(adBreak.name.text, adBreak.start, adBreak.duration)
            + adBreak.presentAds.flatMap { ad in
                lines(ad.name.text, ad.start, ad.ad.duration)
                    + lines(ad.events.filter { $0.presence != .vanished }.map(\.event))
            }
    }

    private static func lines(_ name: String, _ start: UnixTime, _ duration: Duration) -> [String] {
        ["\(name) \(start.microseconds) \(duration)"]
    }

    private static func lines(_ events: [TrackingEvent]) -> [String] {
        events.flatMap { event in event.urls.map { "  \(event.type) \(event.start.microseconds) \($0)" } }.sorted()
    }
}
