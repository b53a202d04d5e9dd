import HLS
import Ports

@testable import AdTracking

extension FuzzTarget {
    /// Answers of providers that are polled, in turn, with a restart before every third. The first byte selects the provider and
    /// whether the stream has dates, a playlist with ad creative signaling, or what places breaks without times.
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
            poll(rest, YospaceProvider(options("https://h.example/csm/c.m3u8;jsessionid=1")), stream)
        case 6: readSignals(rest)
        default: if choice & 16 == 0 { placeByMediaIDs(rest) } else { followPings(rest) }
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
                    let time = MediaMoment(seconds: ExactDecimal(Int32(clamping: index * 100 + second)))
                    if let record = YospaceRecord(fields, at: time) { queue.add(record) }
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

    /// Metadata alternates with media ids, one a line. What they place is bounded, and each id is verified once.
    private static func placeByMediaIDs(_ bytes: [UInt8]) {
        _ = try? DAIProvider.saved(bytes)
        guard let asked = try? WebURL("https://dai.example/v1/stream") else { return }
        var metadata = DAIMetadata()
        var ids = DAIMediaIDs(verification: asked)
        for (index, text) in texts(bytes).enumerated() {
            let value = try? MetadataProblem.json(text)
            if let value, let session = try? DAISession(value, asked: asked) { checkBounds(session.programme) }
            if let value { _ = try? metadata.add(value) }
            if index % 2 == 1 {
                for (second, line) in String(decoding: text, as: UTF8.self).split(separator: "\n").enumerated() {
                    ids.add(String(line), at: MediaMoment(seconds: ExactDecimal(Int32(clamping: index * 100 + second))))
                }
            }
            let placed = ids.placed(by: metadata)
            checkBounds(placed.answer)
            let verified =
                placed.answer.breaks.flatMap(\.ads).flatMap(\.events).flatMap(\.urls) + placed.loose.compactMap(\.url)
            require(Set(verified).count == verified.count, "an id is verified once")
        }
    }

    private static func checkBounds(_ answer: ListedAnswer?) {
        guard let answer else { return }
        require(answer.breaks.count <= ListedAnswer.breakLimit, "breaks are bounded")
        require(answer.breaks.flatMap(\.ads).count <= ListedAnswer.adLimit, "ads are bounded")
    }

    /// Answers to pings in turn: nothing is due while one is under way, and nothing once they have ended.
    private static func followPings(_ bytes: [UInt8]) {
        guard let asked = try? WebURL("https://content.example/preplay/a.json?ad.cping=1") else { return }
        var pings = UplynkPings(areWanted: true)
        _ = pings.started(at: .zero)
        for (index, text) in texts(bytes).enumerated() {
            checkBounds((try? UplynkDocument.read(text))?.answer)
            guard let value = try? MetadataProblem.json(text) else { continue }
            _ = try? UplynkSession(value, asked: asked)
            let position = ExactDecimal(Int32(clamping: index * 100))
            require(pings.moved(to: position) == nil, "one ping at a time")
            let finding = pings.answered(value, ping: pings.newest)
            require((finding != nil) == (pings.next == .never), "an end is reported")
            if pings.next == .never {
                return require(pings.sought(from: .zero, to: position) == nil, "the end is an end")
            }
            if pings.moved(to: position) == nil { _ = pings.sought(from: .zero, to: position) }
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
