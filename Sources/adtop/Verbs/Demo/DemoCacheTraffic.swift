import CreativeCache
import CreativeServer
import Live
import Ports

/// Traffic for the demo's cache: every few seconds a bid wins, its creative is stored in the origin's remote cache and
/// in the local one, and a page requests it, sometimes with an unknown id.
struct DemoCacheTraffic {
    let cache: SessionCache
    /// The origin, e.g. `http://127.0.0.1:8080`.
    let origin: String
    let transport: any HTTPTransport

    private static let interval: Duration = .seconds(3)
    private static let bidders = ["osprey", "kestrel", "merlin"]
    /// One request in `missEvery` is for an unknown creative, and one in `foreignEvery` is from a page that may not
    /// read.
    private static let missEvery = 7
    private static let foreignEvery = 11

    /// Runs until the calling task is cancelled.
    func run() async {
        var round = 0
        while !Task.isCancelled {
            await play(round)
            round += 1
            guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
        }
    }

    private func play(_ round: Int) async {
        let bidder = Self.bidders[round % Self.bidders.count]
        let isVideo = round % 3 == 1
        let markup =
            isVideo
            ? "<VAST version=\"4.2\"><Ad id=\"\(bidder)-\(round)\"></Ad></VAST>"
            : "<div style=\"width:300px;height:250px\">\(bidder) \(round)</div>"
        guard let id = await store(markup, type: isVideo ? "video" : "banner") else { return }
        cache.shelf.put(
            CachedCreative(
                id: id, kind: isVideo ? .video : .banner, fallbackURL: "\(origin)/pbc/v1/cache?uuid=\(id.text)",
                origin: CachedCreative.Origin(auction: "req-\(100 + round)", bidder: bidder),
                content: CachedCreative.Content(
                    body: Array(markup.utf8), bidJSON: Array(Self.bid(markup, isVideo: isVideo).text().utf8))))
        await ask(id.text, host: "localhost:\(cache.address.port)")
        if round % Self.missEvery == 3 { await ask("unknown-\(round)", host: "localhost:\(cache.address.port)") }
        if round % Self.foreignEvery == 5 { await ask(id.text, host: "attacker.example") }
    }

    private static func bid(_ markup: String, isVideo: Bool) -> JSONValue {
        ["adm": .string(markup), "ext": ["prebid": ["type": .string(isVideo ? "video" : "banner")]]]
    }

    /// Puts the bid into the origin's cache; nil when that fails, which the scenario's faults may cause.
    private func store(_ markup: String, type: String) async -> CreativeID? {
        guard let url = try? WebURL("\(origin)/pbc/v1/cache") else { return nil }
        let body: JSONValue = [
            "puts": [["type": "json", "value": Self.bid(markup, isVideo: type == "video"), "ttlseconds": 300]]
        ]
        var request = HTTPRequest(method: .post, url: url, maximumBodyBytes: Limits.beaconAnswerBytes)
        request.fields = [HTTPField("Content-Type", "application/json")]
        request.body = Array(body.text().utf8)
        let exchange = await transport.send(request)
        // An answer that is not JSON counts as no answer.
        let answer = exchange.isSuccess ? try? JSONReader.read(exchange.body) : nil
        return answer?["responses"]?.arrayValue?.first?["uuid"]?.stringValue.flatMap { CreativeID($0) }
    }

    /// Requests a creative as a page on this computer would.
    private func ask(_ id: String, host: String) async {
        guard let url = try? WebURL("http://127.0.0.1:\(cache.address.port)/\(id)") else { return }
        var request = HTTPRequest(url: url, maximumBodyBytes: Limits.beaconAnswerBytes)
        request.fields = [HTTPField("Host", host), HTTPField("Origin", "https://pub.example")]
        _ = await transport.send(request)
    }
}
