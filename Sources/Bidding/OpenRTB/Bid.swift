package import Ports

/// What `price` of a bid says.
package enum BidPrice: Hashable, Sendable {
    /// Absent, null, or no number.
    case missing
    /// A number beyond what is an amount.
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

/// One bid of an answer (OpenRTB 2.6 `Bid`), read leniently: what has another type than it should counts as absent.
package struct Bid: Hashable, Sendable {
    package var id: String
    package var impID: String
    package var price: BidPrice
    package var markup: String?
    /// Win, billing and loss notices.
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
    /// 1 banner, 2 video, 3 audio, 4 native; nil where the bid does not say.
    package var markupType: Int?
    /// Seconds.
    package var duration: Int?
    /// Seconds for which the bid may wait.
    package var expiry: Int?
    /// Place in a pod: -1 last, 0 any, 1 first, 2 first or last.
    package var podPlace: Int
    /// As it came.
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
    /// Empty where the answer names none.
    package var seat: String
    package var bids: [Bid]
}

/// An answer (OpenRTB 2.6 `BidResponse`).
package struct BidResponse: Hashable, Sendable {
    /// Bids of one answer that are read.
    package static let maximumBids = 1_000

    package var id: String
    /// Of the answer itself (`bidid`).
    package var bidID: String?
    package var currency: String
    package var seats: [SeatBid]
    /// Why nobody bids (`nbr`).
    package var noBidReason: Int?
    /// Bids that were left out because of `maximumBids`.
    package var droppedBids = 0
    /// As it came.
    package var json: JSONValue

    /// Nil when the document is no object.
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
