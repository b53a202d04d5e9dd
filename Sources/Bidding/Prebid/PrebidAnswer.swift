package import Ports

/// The answer of a Prebid Server to `POST /openrtb2/auction`, as a client interprets it (BID-8).
package struct PrebidAnswer: Hashable, Sendable {
    /// An error or warning of a bidder or of the server itself.
    package struct Complaint: Hashable, Sendable {
        package var bidder: String
        package var code: Int
        package var message: String
    }

    package struct ResponseTime: Hashable, Sendable {
        package var bidder: String
        package var milliseconds: Int
    }

    /// Most errors and warnings kept, each.
    private static let maximumComplaints = 1_000

    package var response: BidResponse
    package var imps: [PrebidImp]
    /// Errors by bidder name.
    package var errors: [Complaint]
    package var warnings: [Complaint]
    package var nonBids: [NonBid]
    /// Response times by bidder name.
    package var responseTimes: [ResponseTime]

    /// Nil when the document is not an object. With `requiresCacheID`, a bid without `hb_cache_id` cannot win. `prefix` is
    /// that of the targeting keys (`ext.prebid.targeting.prefix` of the request).
    package init?(_ json: JSONValue, requiresCacheID: Bool, prefix: String = TargetingOptions.standardPrefix) {
        guard let response = BidResponse(json) else { return nil }
        self.response = response
        let ext = json["ext"] ?? .null
        errors = Self.complaints(ext["errors"])
        warnings = Self.complaints(ext["warnings"])
        responseTimes = (ext["responsetimemillis"]?.objectValue?.members ?? []).compactMap { member in
            member.value.smallInteger.map { ResponseTime(bidder: member.name, milliseconds: $0) }
        }.sorted { $0.bidder < $1.bidder }
        nonBids = Self.nonBids(ext["prebid"]?["seatnonbid"] ?? ext["seatnonbid"])
        var order: [String] = []
        var bids: [String: [PrebidBid]] = [:]
        for seat in response.seats {
            for bid in seat.bids {
                if bids[bid.impID] == nil { order.append(bid.impID) }
                bids[bid.impID, default: []].append(PrebidBid(bid, seat: seat.seat, prefix: prefix))
            }
        }
        imps = order.map {
            PrebidImp(id: $0, bids: bids[$0] ?? [], response: response, requiresCacheID: requiresCacheID)
        }
    }

    private static func complaints(_ json: JSONValue?) -> [Complaint] {
        let all = (json?.objectValue?.members ?? []).flatMap { member in
            (member.value.arrayValue ?? []).prefix(maximumComplaints).map { item in
                Complaint(
                    bidder: member.name, code: item["code"]?.smallInteger ?? 0,
                    message: item["message"]?.stringValue ?? "")
            }
        }
        return all.prefix(maximumComplaints).sorted { $0.bidder < $1.bidder }
    }

    private static func nonBids(_ json: JSONValue?) -> [NonBid] {
        (json?.arrayValue ?? []).prefix(maximumComplaints).flatMap { seat in
            (seat["nonbid"]?.arrayValue ?? []).prefix(maximumComplaints).map { item in
                let status = item["statuscode"]?.smallInteger ?? 0
                return NonBid(
                    seat: seat["seat"]?.stringValue ?? "", impID: item["impid"]?.stringValue, status: status,
                    reason: NonBidStatus.text(status))
            }
        }
    }
}

/// The status codes of the seat-non-bid extension in words.
package enum NonBidStatus {
    package static func text(_ status: Int) -> String {
        switch status {
        case 0...99: NoBidReason.text(status)
        case 100: "error"
        case 101: "timeout"
        case 102: "invalid response"
        case 103: "unreachable"
        case 200...204: "request blocked"
        case 300: "rejected"
        case 301: "below floor"
        case 302: "duplicate"
        case 303: "category mapping"
        case 304: "below deal floor"
        case 350...357: "creative rejected"
        default: ""
        }
    }
}

/// A bid with the data that a Prebid Server adds.
package struct PrebidBid: Hashable, Sendable {
    package var bid: Bid
    package var seat: String
    /// `banner`, `video`, `audio` or `native`.
    package var type: String?
    /// The targeting keys as sent, in order; authoritative.
    package var targeting: [TargetingPair]
    package var eventWin: String?
    package var eventImp: String?
    /// The URLs in the remote cache that the server states, by id: of the whole bid and of its VAST document
    /// (`ext.prebid.cache`, `bids` and `vastXml`).
    private var cacheURLs: [String: String] = [:]

    /// The prefix of its targeting keys.
    package var prefix: String

    init(_ bid: Bid, seat: String, prefix: String) {
        self.bid = bid
        self.seat = seat
        self.prefix = prefix
        let ext = bid.json["ext"]?["prebid"] ?? .null
        type = ext["type"]?.filledText
        targeting = (ext["targeting"]?.objectValue?.members ?? []).compactMap { member in
            member.value.stringValue.map { TargetingPair(member.name, $0) }
        }
        eventWin = ext["events"]?["win"]?.filledText
        eventImp = ext["events"]?["imp"]?.filledText
        for name in ["bids", "vastXml"] {
            let cached = ext["cache"]?[name]
            if let id = cached?["cacheId"]?.filledText { cacheURLs[id] = cached?["url"]?.filledText }
        }
    }

    /// The ids under which caches have the creative: of the whole bid, then of its VAST document.
    var cacheIDs: [String] { [self["hb_cache_id"], self["hb_uuid"]].compactMap(\.self) }

    /// The URL of an id in the remote cache: the server's own if it states one, else the one that pages build from the
    /// keys.
    func remoteURL(of id: String) -> String? {
        if let url = cacheURLs[id] { return url }
        guard let host = self["hb_cache_host"], let path = self["hb_cache_path"] else { return nil }
        return "https://\(host)\(path)?uuid=\(id)"
    }

    /// The value of a targeting key, by its name with the standard prefix.
    package subscript(key: String) -> String? { pair(key)?.value }

    /// The key as sent, by its name with the standard prefix; the server cuts long names.
    package func pair(_ key: String) -> TargetingPair? {
        let standard = TargetingOptions.standardPrefix
        let name = key.hasPrefix(standard) ? prefix + key.dropFirst(standard.count) : key
        return targeting.first { $0.name == name }
            ?? targeting.first { $0.name == name.prefix(TargetingOptions().longestKey) }
    }

    /// The bucket that was sent and the exact one, if they differ; the sent one counts.
    package func bucketDifference(_ granularity: PriceGranularity) -> (sent: String, exact: String)? {
        guard let price = bid.price.amount, let sent = self["hb_pb_\(seat)"] ?? self["hb_pb"] else { return nil }
        let exact = PriceBucket.text(price, granularity)
        return sent == exact ? nil : (sent, exact)
    }
}
