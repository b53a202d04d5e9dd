import HLS
import Ports

@testable import AdTracking

extension FuzzTarget {
    /// Answers of providers that are polled, in turn, with a restart before every third. The first byte selects the provider and
    /// whether the stream has dates, or a playlist with ad creative signaling.
    static func followPolls(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        let stream = StreamFacts(timeline: timeline(hasDates: choice & 1 == 0))
        switch choice >> 1 & 7 {
        case 0: poll(rest, BroadpeakProvider(options("https://x.broadpeak.io/c.m3u8?bpkio_sessionid=1")), stream)
        case 1: poll(rest, PrimetimeProvider(options("https://m.example/auditude/c.m3u8")), stream)
        case 2: poll(rest, VMAPProvider(options("https://once.example/vmap")), stream)
        case 3, 4: placeByRecords(rest)
        case 5:
            guard let url = try? WebURL("https://h.example/c.m3u8") else { return }
            _ = YospaceSession(manifest: String(decoding: rest, as: UTF8.self), at: url)
            _ = YospaceSession(programme: rest, at: url)
        default: readSignals(rest)
        }
    }

    private static func options(_ url: String) -> ProviderOptions {
        guard let url = try? WebURL(url) else { fatalError("the address is one") }
        return ProviderOptions(mediaURL: url)
    }

    private static func poll(_ bytes: [UInt8], _ opened: some AdMetadataProvider, _ stream: StreamFacts) {
        var provider = opened
        if case .request(let request) = provider.open() {
            let hop = HTTPExchange.Hop(url: request.url.text, status: 200, fields: [])
            _ = provider.openingAnswered(HTTPExchange(hops: [hop], body: bytes))
        }
        var course = TrackerCourse()
        let range = DataRange(start: streamStart - .seconds(60), end: streamStart + .seconds(3_600))
        for (index, text) in texts(bytes).enumerated() {
            if index % 3 == 2 { course.restart() }
            let moment = Moment(wall: streamStart, uptime: .seconds(6 * index))
            _ = provider.request(on: stream, at: moment)
            let hop = HTTPExchange.Hop(url: "https://h.example/", status: 200, fields: [])
            guard let document = try? provider.read(HTTPExchange(hops: [hop], body: text), on: stream) else { continue }
            provider.succeeded(at: moment)
            checkBounds(document)
            let outcome = course.take(document, plays: range, isAnswered: index % 2 == 0)
            _ = provider.lint(document, outcome, course.book, on: stream, at: moment)
        }
    }

    /// Answers alternate with records, each of which is a line of four fields. No ad is placed twice, and ads with a place are in
    /// order.
    private static func placeByRecords(_ bytes: [UInt8]) {
        var queue = YospaceQueue()
        for (index, text) in texts(bytes).enumerated() {
            if index % 2 == 0 {
                guard let answer = try? YospaceDocument.read(text, .records).answer else { continue }
                _ = queue.add(answer)
            } else {
                for (second, line) in String(decoding: text, as: UTF8.self).split(separator: "\n").enumerated() {
                    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
                    let names = ["YMID", "YTYP", "YSEQ", "YDUR"]
                    let fields = Dictionary(zip(names, words)) { first, _ in first }
                    let time = ExactDecimal(Int32(clamping: index * 100 + second))
                    if let record = YospaceRecord(fields, at: time, isDated: false) { queue.add(record) }
                }
            }
            require(queue.pending.count + queue.placed.count <= YospaceQueue.breakLimit, "breaks are bounded")
            require(queue.unknownStarts.count <= YospaceQueue.breakLimit, "starts are bounded")
            require(queue.takeFindings().count <= DecodedMetadata.findingsKept, "findings are bounded")
            for adBreak in queue.placed {
                let starts = adBreak.ads.map(\.start)
                require(starts == starts.sorted(), "ads are in order")
                require(adBreak.ads.contains { !$0.isPlanned }, "a placed break has an ad that was seen")
            }
        }
    }

    /// Playlists with date ranges, in turn; what they list is bounded and in order.
    private static func readSignals(_ bytes: [UInt8]) {
        var signals = SignaledListing()
        for text in texts(bytes) {
            signals.add(PlaylistParser.parse(text, uri: "https://h.example/0.m3u8").media?.dateRanges ?? [])
        }
        var listing = Listing()
        listing.add(signals.answer)
        require(listing.breaks.count <= ListedAnswer.breakLimit, "breaks are bounded")
        require(listing.breaks.flatMap(\.ads).count <= ListedAnswer.adLimit, "ads are bounded")
        let events = listing.breaks.flatMap(\.ads).flatMap(\.events)
        require(events.allSatisfy { $0.urls.count <= DecodedMetadata.urlsPerEvent }, "URLs are bounded")
    }
}
