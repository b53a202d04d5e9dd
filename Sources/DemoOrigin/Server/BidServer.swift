/// The bidders of the origin: an auction like that of a Prebid Server, and an OpenRTB 2.6 endpoint. docs/origin.md
/// lists the query items.
///
/// The same request id, seed and query give the same bids. Notices go to the collector, which counts them.
struct BidServer {
    static let prebidPath = "/openrtb2/auction"
    static let bidderPath = "/openrtb2/bid"
    /// How long the cache keeps a bid.
    private static let cachedMs = 300_000
    /// Size of `answer=huge` in bytes.
    private static let hugeBytes = 10_000_000

    /// The request and its stream.
    let answering: AnsweringStream
    /// Scheme and authority of URLs in answers.
    let base: String

    private var query: QueryItems { answering.path.query }
    private var asked: BidRequestScan { BidRequestScan(answering.request.body) }

    /// A Prebid Server with three bidders and one that does not bid. The bids are in the cache under the ids in the
    /// answer; with `nomarkup=1` (as with `returnCreative: false`) their markup is only there.
    func prebid(_ state: inout OriginState) -> OriginResponse {
        let asked = asked
        if let fault = fault(asked) { return fault }
        var seats: [PrebidText.Seat] = []
        var errors: [(bidder: String, code: Int, message: String)] = []
        switch asked.storedRequest {
        case "nothing": break
        case "errors": errors = [("kestrel", 5, "placement unknown"), ("osprey", 1, "request timed out")]
        default:
            seats = [
                PrebidText.Seat(name: "kestrel", cents: 100 + cents(asked, 1)),
                PrebidText.Seat(name: "osprey", cents: 120 + cents(asked, 2)),
                // A price that a server with binary numbers puts one step too low.
                PrebidText.Seat(name: "heron", cents: 30),
            ]
        }
        let text = PrebidText(
            requestID: asked.id, impID: asked.impID, seats: seats, errors: errors, base: base, collector: collector,
            cacheID: { cacheID(asked, $0) }, hasMarkup: query["nomarkup"] != "1")
        for (id, bid) in text.cachedBids {
            state.bidCache.keep(
                BidCache.Value(isXML: false, body: Array(bid.text.utf8), endMs: answering.nowMs + Self.cachedMs), as: id
            )
        }
        return slowed(.json(text.document))
    }

    /// One bidder: `seat=`, `price=` (default: derived from the request), `cur=`, `deal=`, `nomarkup=1`.
    func bidder() -> OriginResponse {
        let asked = asked
        if query["answer"] == "markup" {
            return OriginResponse(
                status: 200, type: "text/html; charset=utf-8", body: Array("<b>\(BidderText.markupOf("late"))</b>".utf8)
            )
        }
        if let fault = fault(asked) { return fault }
        let text = BidderText(
            requestID: asked.id, impID: asked.impID, seat: name("seat") ?? "seat-a",
            price: query["price"].flatMap(Self.amount) ?? Self.decimal(cents: 60 + 2 * cents(asked, 3)),
            currency: name("cur") ?? "USD", deal: name("deal"), hasMarkup: query["nomarkup"] != "1",
            collector: base + collector)
        return slowed(.json(text.document))
    }

    /// Values of `answer=` other than a bid, and the faults of all paths.
    private func fault(_ asked: BidRequestScan) -> OriginResponse? {
        if asked.id.isEmpty { return .plain(400, "body: expected an OpenRTB request {\"id\": …, \"imp\": […]}") }
        if let status = query["status"].flatMap({ Int($0) }), (200...599).contains(status) {
            return slowed(.plain(status, "the query asks for \(status)"))
        }
        if let drop = query["drop"].flatMap({ ConnectionDrop(rawValue: $0) }) {
            return OriginAnswer.drop(drop).response(accepted: .plain(200, ""), redirect: { _ in .plain(200, "") })
        }
        switch query["answer"] {
        case "nobid": return slowed(OriginResponse(status: 204))
        case "empty": return slowed(.json(.object([])))
        case "nbr": return slowed(.json(.object([.init("id", .string(asked.id)), .init("nbr", .integer(8))])))
        case "malformed": return slowed(Self.jsonText("{\"id\":\"\(asked.id)\",\"seatbid\":[{\"bid\":["))
        case "absurd": return slowed(Self.jsonText(BidderText.absurd(asked.id, asked.impID)))
        case "deep": return slowed(Self.jsonText(String(repeating: "[", count: 100_000)))
        case "huge":
            return slowed(
                Self.jsonText("{\"id\":\"\(asked.id)\",\"x\":\"\(String(repeating: "x", count: Self.hugeBytes))\"}"))
        case "never":
            var response = OriginResponse(status: 204)
            response.delayMs = ScenarioLimits.delayMs.upperBound
            return response
        default: return nil
        }
    }

    private func slowed(_ response: OriginResponse) -> OriginResponse {
        var response = response
        if let delay = query["delay"].flatMap({ Int($0) }), ScenarioLimits.delayMs.contains(delay) {
            response.delayMs += delay
        }
        return response
    }

    private static func jsonText(_ text: String) -> OriginResponse {
        OriginResponse(status: 200, type: "application/json", body: Array(text.utf8))
    }

    /// 0 to 99, derived from the request and the number of the bidder.
    private func cents(_ asked: BidRequestScan, _ bidder: UInt64) -> Int { Int(mix(asked, bidder) % 100) }

    private func cacheID(_ asked: BidRequestScan, _ bidder: Int) -> String {
        let digits = [mix(asked, 100 + UInt64(bidder)), mix(asked, 200 + UInt64(bidder))].map { value in
            let hex = String(value, radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }
        let (first, second) = (digits[0], digits[1])
        return
            "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-4\(first.suffix(3))-a\(second.prefix(3))-\(second.suffix(12))"
    }

    private func mix(_ asked: BidRequestScan, _ index: UInt64) -> UInt64 {
        var hash = answering.stream.seed
        for byte in asked.id.utf8 { hash = SeedMix.value(seed: hash, index: UInt64(byte)) }
        return SeedMix.value(seed: hash, index: index)
    }

    /// The target of notices: the collector, under a separate name, so that they do not mix with the receipts of a
    /// stream.
    private var collector: String { "\(BeaconLink.beaconPath)auction?break=auction&sessid=\(asked.id)" }

    /// A name from the query that is safe in texts.
    private func name(_ item: String) -> String? {
        query[item].flatMap { SessionId.isValid($0) ? $0 : nil }
    }

    /// The text of a number from the query, if it is one.
    private static func amount(_ text: String) -> String? {
        let isNumber = !text.isEmpty && text.utf8.count <= 40 && Double(text) != nil
        return isNumber ? text : nil
    }

    static func decimal(cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// The facts of a bid request that the origin needs, found by searching for the members instead of parsing the
/// document.
struct BidRequestScan {
    /// Empty when there is none.
    let id: String
    let impID: String
    /// Nil when there is none.
    let storedRequest: String?

    init(_ body: [UInt8]) {
        let text = String(decoding: body, as: UTF8.self)
        id = Self.member("id", in: text[...]) ?? ""
        impID = Self.tail(of: "\"imp\"", in: text[...]).flatMap { Self.member("id", in: $0) } ?? "1"
        storedRequest = Self.tail(of: "\"storedrequest\"", in: text[...]).flatMap { Self.member("id", in: $0) }
    }

    private static func tail(of mark: String, in text: Substring) -> Substring? {
        guard let place = text.firstRange(of: mark) else { return nil }
        return text[place.upperBound...]
    }

    /// The first text member of that name, if it is safe to echo.
    private static func member(_ name: String, in text: Substring) -> String? {
        guard var rest = tail(of: "\"\(name)\"", in: text)?.drop(while: \.isWhitespace), rest.first == ":" else {
            return nil
        }
        rest = rest.dropFirst().drop(while: \.isWhitespace)
        guard rest.first == "\"" else { return nil }
        let value = String(rest.dropFirst().prefix { $0 != "\"" })
        return SessionId.isValid(value) ? value : nil
    }
}
