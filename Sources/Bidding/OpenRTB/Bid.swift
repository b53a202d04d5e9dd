package import Ports

/// The `price` of a bid.
package enum BidPrice: Hashable, Sendable {
    /// Absent, null, or not a number.
    case missing
    /// A number too large to be an amount.
    case absurd
    case amount(ExactDecimal)

    package var amount: ExactDecimal? {
        if case .amount(let amount) = self { amount } else { nil }
    }

    init(_ json: JSONValue?) {
        guard let json, json.typeName == "number" else {
            self = .missing
            return
        }
        self = json.decimalValue.map(BidPrice.amount) ?? .absurd
    }
}

/// One bid of an answer (OpenRTB 2.6 `Bid`), parsed leniently: a member of another type than specified counts as
/// absent.
package struct Bid: Hashable, Sendable {
    package var id: String
    package var impID: String
    package var price: BidPrice
    package var markup: String?
    /// `nurl`, and below `burl` and `lurl`: win, billing and loss notices.
    package var winURL: String?
    package var billingURL: String?
    package var lossURL: String?
    package var adID: String?
    package var creativeID: String?
    package var dealID: String?
    package var advertiserDomains: [String]
    package var categories: [String]
    package var attributes: [Int]
    package var bundle: String?
    package var language: String?
    package var size: AdSize?
    /// `mtype`: 1 banner, 2 video, 3 audio, 4 native; nil when the bid has none.
    package var markupType: Int?
    /// Duration of the ad in seconds.
    package var duration: Int?
    /// Seconds for which the bid is valid.
    package var expiry: Int?
    /// Position in a pod: -1 last, 0 any, 1 first, 2 first or last.
    package var podPlace: Int
    /// The bid as received.
    package var json: JSONValue

    package init(_ json: JSONValue) {
        id = json["id"]?.stringValue ?? ""
        impID = json["impid"]?.stringValue ?? ""
        price = BidPrice(json["price"])
        markup = json["adm"]?.filledText
        winURL = json["nurl"]?.filledText
        billingURL = json["burl"]?.filledText
        lossURL = json["lurl"]?.filledText
        adID = json["adid"]?.filledText
        creativeID = json["crid"]?.filledText
        dealID = json["dealid"]?.filledText
        advertiserDomains = json["adomain"]?.texts ?? []
        categories = json["cat"]?.texts ?? []
        attributes = json["attr"]?.smallIntegers ?? []
        bundle = json["bundle"]?.filledText
        language = json["language"]?.filledText
        if let width = json["w"]?.smallInteger, let height = json["h"]?.smallInteger, width > 0, height > 0 {
            size = AdSize(width, height)
        }
        markupType = json["mtype"]?.smallInteger
        duration = json["dur"]?.smallInteger
        expiry = json["exp"]?.smallInteger
        podPlace = json["slotinpod"]?.smallInteger ?? 0
        self.json = json
    }
}

/// The bids of one seat.
package struct SeatBid: Hashable, Sendable {
    /// Name of the seat; empty when the answer has none.
    package var seat: String
    package var bids: [Bid]
}

/// An answer (OpenRTB 2.6 `BidResponse`).
package struct BidResponse: Hashable, Sendable {
    /// Most bids read from one answer.
    package static let maximumBids = 1_000

    package var id: String
    /// `bidid` of the answer.
    package var bidID: String?
    package var currency: String
    package var seats: [SeatBid]
    /// `nbr`: why there is no bid.
    package var noBidReason: Int?
    /// Number of bids dropped because of `maximumBids`.
    package var droppedBids = 0
    /// The answer as received.
    package var json: JSONValue

    /// Nil when the document is not an object.
    package init?(_ json: JSONValue) {
        guard json.objectValue != nil else { return nil }
        id = json["id"]?.stringValue ?? ""
        bidID = json["bidid"]?.filledText
        currency = json["cur"]?.filledText ?? "USD"
        noBidReason = json["nbr"]?.smallInteger
        seats = []
        self.json = json
        var room = Self.maximumBids
        for seat in json["seatbid"]?.arrayValue ?? [] {
            guard let bids = seat["bid"]?.arrayValue, !bids.isEmpty else { continue }
            droppedBids += max(0, bids.count - room)
            guard room > 0 else { continue }
            seats.append(SeatBid(seat: seat["seat"]?.stringValue ?? "", bids: bids.prefix(room).map { Bid($0) }))
            room -= min(room, bids.count)
        }
    }

    package var hasBids: Bool { !seats.isEmpty }
}
