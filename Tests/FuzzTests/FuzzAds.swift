import Ports

@testable import AdFormats
@testable import Bidding
@testable import CreativeCache

extension FuzzTarget {
    private static let now = UnixTime(milliseconds: 1_800_000_000_000)

    /// The text is the answer of a bidder, the answer of a Prebid Server, and an auction document.
    static func holdAuctions(_ bytes: [UInt8]) {
        var auction = Auction(id: "fuzz", placement: Placement(id: "home", sizes: [AdSize(320, 50)]))
        auction.rates = CurrencyTable(conversions: ["USD": ["EUR": 0.9]])
        auction.rules.allowedCurrencies = ["USD", "EUR"]
        auction.events = [.display, .click]
        auction.answers = [
            EndpointAnswer(bidder: "dsp", latency: .milliseconds(5), status: 200, body: bytes),
            EndpointAnswer(bidder: "other", latency: .milliseconds(6), status: 200, body: bytes),
        ]
        hold(auction)
        // Text that is not JSON has nothing more to check.
        guard let json = try? JSONReader.read(bytes) else { return }
        if let answer = PrebidAnswer(json, requiresCacheID: false) {
            for imp in answer.imps { require(imp.bids.count <= BidResponse.maximumBids, "bids are bounded") }
        }
        _ = Result { () throws(AmazonProblem) in
            try AmazonAnswer.adapter(json, table: try AmazonPriceTable(json))
        }
        if case .success(let auction) = Result(catching: { () throws(AuctionProblem) in try Auction(json) }) {
            hold(auction)
        }
    }

    private static func hold(_ auction: Auction) {
        let result = auction.held()
        require((result.winner == nil) == (result.cpm == nil), "a winner has a price")
        require(result.winner != nil || result.failure != nil, "an auction without a winner has a failure")
        require(
            result.candidates.indices.allSatisfy { result.candidates[$0].state != .won || $0 == result.winner },
            "an auction has at most one winner")
        require(result == auction.held(), "the same auction has the same result")
        requireReadable(result.json)
    }

    /// A request line, fields, an empty line, a body, answered from a store with one creative.
    static func answerRequests(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n", maxSplits: 40, omittingEmptySubsequences: false)
        let line = lines[0].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = lines.dropFirst().map { line in
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(String(field[0]), field.count > 1 ? String(field[1].drop { $0 == " " }) : "")
        }
        let request = LoopbackRequest(
            method: String(line[0]), target: line.count > 1 ? String(line[1]) : "", fields: fields,
            body: Array((parts.count > 1 ? parts[1] : "").utf8))
        var store = CreativeStore()
        guard let id = CreativeID("known") else { return }
        let secret = Array("the creative".utf8)
        store.put(CachedCreative(id: id, kind: .banner, content: CachedCreative.Content(body: secret)), at: now)
        var random = SplitMix64(seed: 1)
        let responder = LoopbackResponder(rules: LoopbackRules(port: 16_257))
        let step = responder.answer(request, store: &store, using: &random, at: now)
        guard case .answer(let answer) = step else { fatalError("nothing is on disk") }
        require([200, 204, 400, 403, 404].contains(answer.status), "an answer has a known status")
        require(
            answer.fields.allSatisfy { field in
                (field.name + field.value).utf8.allSatisfy { 0x20...0x7E ~= $0 }
            }, "no field contains a line end")
        if answer.body == secret {
            let host = request.fields["host"].map(responder.rules.isOwn(host:)) ?? !request.requiresHost
            require(host && answer.status == 200, "only this host's requests get a creative")
        }
        require(store.count <= 1 + responder.rules.maximumValues, "a write is bounded")
    }

    /// Output of a plugin; the first byte selects how it is cut into reads.
    static func hearPlugin(_ bytes: [UInt8]) {
        var session = PluginSession()
        var outputs = session.started(configuration: .null, parameters: .null, at: .zero)
        outputs += session.send(.bid(request: "r", openRTB: .null, within: .seconds(1)), at: .zero)
        var whole = session
        let length = max(1, Int(bytes.first ?? 1))
        var rest = bytes[...]
        while !rest.isEmpty {
            outputs += session.received(rest.prefix(length), at: .milliseconds(1))
            rest = rest.dropFirst(length)
        }
        _ = whole.received(bytes, at: .milliseconds(1))
        require(session.state == whole.state, "the result does not depend on the length of reads")
        outputs += session.advance(to: .seconds(60))
        outputs += session.exited("ended")
        require(session.isEnded && session.nextDue == nil, "an ended plugin has no deadline")
        require(outputs.count { if case .ended = $0 { true } else { false } } == 1, "a plugin ends once")
    }

    /// Ad markup, parsed by each of the formats.
    static func readMarkup(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let surface = AdSurface(.html(text), size: nil)
        require(
            surface.lines.count <= MarkupText.maximumLines && surface.links.count <= MarkupText.maximumLinks,
            "a rendering is bounded")
        require(surface.mraid.calls.count <= MRAIDLint.maximumNames, "a lint is bounded")
        _ = surface.mraid.warnings
        if let header = MP4Header(bytes) { require(header.duration >= 0, "the duration of a video is not negative") }
        runMRAID(text)
        // Text that is not JSON is not a native ad.
        guard let json = try? JSONReader.read(bytes) else { return }
        let native = NativeMarkup(json, request: nil)
        require(native.eventTrackers.count <= NativeMarkup.maximumEntries, "trackers are bounded")
        _ = Result { () throws(AdError) in try NativeAd(native) }
        if let record = ZoneRecord(json) {
            require(ZoneRecord(record.json) == record, "a zone record is read as it was written")
        }
    }

    private static func runMRAID(_ text: String) {
        guard case .success(let script) = Result(catching: { () throws(MRAIDScript.Problem) in try MRAIDScript(text) })
        else { return }
        let screen = PixelSize(width: 320, height: 480)
        var container = MRAIDContainer(
            placement: .inline, size: PixelSize(width: 320, height: 50), screen: screen)
        for step in script.steps { _ = container.apply(step.command) }
    }
}
