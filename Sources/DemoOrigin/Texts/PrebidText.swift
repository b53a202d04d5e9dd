/// The answer of a Prebid Server.
struct PrebidText {
    /// A bidder with its price in cents.
    struct Seat {
        var name: String
        var cents: Int
    }

    var requestID: String
    var impID: String
    /// The bidders in any order; the highest price wins.
    var seats: [Seat]
    var errors: [(bidder: String, code: Int, message: String)]
    /// Scheme and authority.
    var base: String
    /// Path and query of notices, which get further items.
    var collector: String
    /// The cache id by the index of the seat.
    var cacheID: (Int) -> String
    /// Whether bids contain their markup; otherwise it is only in the cache.
    var hasMarkup = true

    /// Response time of the first bidder, and the difference between bidders, in milliseconds.
    private static let firstMs = 31
    private static let stepMs = 24
    private static let cachePath = "/pbc/v1/cache"

    var document: JSONText {
        let winner = winner
        let nonBid = JSONText.object([
            .init("seat", .string("plover")),
            .init("nonbid", .array([.object([.init("impid", .string(impID)), .init("statuscode", .integer(301))])])),
        ])
        let times = seats.indices.map { JSONText.Member(seats[$0].name, .integer(Self.firstMs + Self.stepMs * $0)) }
        return .object([
            .init("id", .string(requestID)), .init("cur", .string("USD")),
            .init("seatbid", .array(seats.indices.map { seat($0, isWinner: $0 == winner) })),
            .init(
                "ext",
                .object([
                    .init("errors", .object(errors.map { .init($0.bidder, Self.complaint($0.code, $0.message)) })),
                    .init("responsetimemillis", .object(times)),
                    .init("prebid", .object([.init("seatnonbid", .array([nonBid]))])),
                ])),
        ])
    }

    /// The complete cached bid of each seat.
    var cachedBids: [(id: String, bid: JSONText)] {
        let winner = winner
        return seats.indices.map { (cacheID($0), bid($0, isWinner: $0 == winner, hasMarkup: true)) }
    }

    private var winner: Int? { seats.indices.max { seats[$0].cents < seats[$1].cents } }

    private static func complaint(_ code: Int, _ message: String) -> JSONText {
        .array([.object([.init("code", .integer(code)), .init("message", .string(message))])])
    }

    private func seat(_ index: Int, isWinner: Bool) -> JSONText {
        .object([
            .init("seat", .string(seats[index].name)),
            .init("bid", .array([bid(index, isWinner: isWinner, hasMarkup: hasMarkup)])),
        ])
    }

    private func bid(_ index: Int, isWinner: Bool, hasMarkup: Bool) -> JSONText {
        let seat = seats[index]
        let price = BidServer.decimal(cents: seat.cents)
        let notice = "\(base)\(collector)&ad=\(seat.name)"
        let cached = JSONText.object([
            .init("cacheId", .string(cacheID(index))),
            .init("url", .string("\(base)\(Self.cachePath)?uuid=\(cacheID(index))")),
        ])
        let prebid = JSONText.object([
            .init("type", .string("banner")), .init("targeting", targeting(seat, index, isWinner: isWinner)),
            .init("cache", .object([.init("bids", cached)])),
            .init(
                "events",
                .object([
                    .init("win", .string("\(notice)&event=pbs-win")), .init("imp", .string("\(notice)&event=pbs-imp")),
                ])),
        ])
        var members: [JSONText.Member] = [
            .init("id", .string("\(seat.name)-1")), .init("impid", .string(impID)), .init("price", .number(price)),
            .init("crid", .string("cr-\(seat.name)")), .init("adomain", .array([.string("brand.example")])),
            .init("w", .integer(320)), .init("h", .integer(50)), .init("mtype", .integer(1)),
            .init("exp", .integer(300)),
            .init("nurl", .string("\(notice)&event=nurl&p=${AUCTION_PRICE}")),
            .init("burl", .string("\(notice)&event=burl&p=${AUCTION_PRICE}")),
            .init("ext", .object([.init("prebid", prebid)])),
        ]
        if hasMarkup { members.append(.init("adm", .string("<div>\(seat.name) ${AUCTION_PRICE}</div>"))) }
        return .object(members)
    }

    private func targeting(_ seat: Seat, _ index: Int, isWinner: Bool) -> JSONText {
        let host = base.split(separator: "/").last.map(String.init) ?? ""
        // Like a program that divides binary numbers: 0.30 becomes 0.20.
        let bucket = seat.cents == 30 ? 20 : seat.cents / 10 * 10
        let values = [
            ("hb_pb", BidServer.decimal(cents: bucket)), ("hb_bidder", seat.name), ("hb_size", "320x50"),
            ("hb_cache_id", cacheID(index)), ("hb_format", "banner"), ("hb_cache_host", host),
            ("hb_cache_path", Self.cachePath), ("hb_env", "mobile-app"),
        ]
        let members = values.flatMap { name, value -> [JSONText.Member] in
            let own = JSONText.Member(String("\(name)_\(seat.name)".prefix(20)), .string(value))
            return isWinner ? [own, .init(name, .string(value))] : [own]
        }
        return .object(members)
    }
}

/// The answer of an OpenRTB 2.6 bidder.
struct BidderText {
    var requestID: String
    var impID: String
    var seat: String
    /// The price as the text of a number.
    var price: String
    var currency: String
    var deal: String?
    var hasMarkup: Bool
    /// URL of notices, which get further items.
    var collector: String

    var document: JSONText {
        let notice = "\(collector)&ad=\(seat)"
        var bid: [JSONText.Member] = [
            .init("id", .string("\(seat)-1")), .init("impid", .string(impID)), .init("price", .number(price)),
            .init("crid", .string("cr-\(seat)")), .init("adomain", .array([.string("brand.example")])),
            .init("w", .integer(320)), .init("h", .integer(50)), .init("mtype", .integer(1)),
            .init("nurl", .string("\(notice)&event=nurl&p=${AUCTION_PRICE}")),
            .init("burl", .string("\(notice)&event=burl&p=${AUCTION_PRICE}")),
            .init("lurl", .string("\(notice)&event=lurl&c=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}")),
        ]
        if hasMarkup { bid.append(.init("adm", .string("<div>\(Self.markupOf(seat))</div>"))) }
        if let deal { bid.append(.init("dealid", .string(deal))) }
        return .object([
            .init("id", .string(requestID)), .init("bidid", .string("answer-\(seat)")), .init("cur", .string(currency)),
            .init(
                "seatbid",
                .array([.object([.init("seat", .string(seat)), .init("bid", .array([.object(bid)]))])])),
        ])
    }

    static func markupOf(_ seat: String) -> String { "an ad of \(seat)" }

    /// Prices that are absurd numbers or have a wrong type.
    static func absurd(_ id: String, _ impID: String) -> String {
        let prices = [
            "1e400", "-1e-400", "99999999999999999999999999", "\"2.00\"", "null", "[]", "0.1e1", "-3", "1e-30",
        ]
        let bids = prices.enumerated().map { index, price in
            """
            {"id":"absurd-\(index)","impid":"\(impID)","price":\(price),"crid":"c","adm":"x","w":1e99,"cat":7,"adomain":{}}
            """
        }
        return "{\"id\":\"\(id)\",\"seatbid\":[{\"seat\":\"absurd\",\"bid\":[\(bids.joined(separator: ",")),7,null]}]}"
    }
}
