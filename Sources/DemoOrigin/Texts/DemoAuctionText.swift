/// The auction that the demo runs with the origin's bidders (docs/auction.md).
package enum DemoAuctionText {
    /// The document for an origin at `base` (`http://127.0.0.1:PORT`).
    package static func document(base: String) -> String {
        let prebid = "\(base)\(BidServer.prebidPath)"
        let bidder = "\(base)\(BidServer.bidderPath)"
        let buckets = (10...24).map { step -> String in
            let price = BidServer.decimal(cents: step * 10)
            return "{\"id\": \"li-hb-\(price)\", \"cpm\": \"\(price)\", \"keywords\": [\"hb_pb=\(price)\"]}"
        }
        return """
            {"auctionId": "demo", "everyS": 20,
             "placement": {"id": "home-top", "format": "banner", "sizes": [[320, 50]],
              "floor": {"cpm": "0.50", "cur": "USD"}, "keywords": ["section=home"],
              "deals": [{"id": "deal-7", "bidfloor": 1.5}]},
             "auction": {"currency": "USD", "allowedCurrencies": ["USD", "EUR"], "tmaxMs": 500},
             "rates": {"USD": {"EUR": 0.8}},
             "lineItems": [{"id": "li-direct", "name": "Direct home", "cpm": "1.60", "keywords": ["section=home"]},
              {"id": "li-sport", "cpm": "9.00", "keywords": ["section=sport"]}, \(buckets.joined(separator: ", ")),
              {"id": "li-house", "priority": "house"}],
             "rtb": [{"bidder": "kite", "url": "\(bidder)?seat=kite&delay=40"},
              {"bidder": "merlin", "url": "\(bidder)?seat=merlin&cur=EUR&price=1.15&delay=90"},
              {"bidder": "low", "url": "\(bidder)?seat=low&price=0.40"},
              {"bidder": "absurd", "url": "\(bidder)?answer=absurd"},
              {"bidder": "late", "url": "\(bidder)?seat=late&delay=900"},
              {"bidder": "none", "url": "\(bidder)?answer=nobid"}],
             "prebid": [{"name": "Prebid", "url": "\(prebid)?delay=60", "storedRequest": "home"}],
             "events": ["display"]}
            """
    }
}
