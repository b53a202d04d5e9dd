import Bidding
import Ports
import Session

@testable import Dashboard

/// Auctions on the screen, run from documents as a session runs them.
enum AuctionSamples {
    private static func bid(_ id: String, _ price: String, _ more: String = "") -> String {
        """
        {"id": "\(id)", "impid": "1", "price": \(price), "crid": "c", "adm": "<div>\(id)</div>", "w": 320, "h": 50, "mtype": 1,
         "nurl": "https://dsp.example/w?p=${AUCTION_PRICE}", "burl": "https://dsp.example/b?p=${AUCTION_PRICE}",
         "lurl": "https://dsp.example/l?c=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}"\(more)}
        """
    }

    private static func rtb(_ bidder: String, _ latency: Int, _ bids: [String]) -> String {
        """
        {"bidder": "\(bidder)", "latencyMs": \(latency), "response": {"id": "auc-1", "seatbid":
         [{"seat": "\(bidder)", "bid": [\(bids.joined(separator: ","))]}]}}
        """
    }

    private static func document(lineItems: String, rtb: [String], adapters: String = "") -> String {
        """
        {"auctionId": "auc-1", "placement": {"id": "home-top", "sizes": [[320, 50]], "floor": {"cpm": "0.50"},
          "keywords": ["section=home"]},
         "auction": {"tmaxMs": 500, "allowedCurrencies": ["USD", "EUR"]}, "rates": {"EUR": {"USD": 1.25}},
         "lineItems": [\(lineItems)], "rtb": [\(rtb.joined(separator: ","))], "adapters": [\(adapters)], "events": ["display"]}
        """
    }

    private static let direct =
        #"{"id": "li-direct", "cpm": "2.40"}, {"id": "li-sport", "cpm": "9", "keywords": ["section=sport"]}"#

    /// An adapter offers the highest price.
    static let bidder = document(
        lineItems: direct,
        rtb: [
            rtb("seat-a", 143, [bid("b1", "2.10")]), rtb("seat-b", 30, [bid("b2", "0.40")]),
            #"{"bidder": "dsp-late", "latencyMs": 501, "response": {}}"#,
        ],
        adapters: """
            {"adapterName": "Kestrel", "winningCreativeID": "k1", "price": "2.00", "currency": "EUR", "markup": "<b>", "latencyMs": 80}
            """)
    /// A Prebid Server offers the highest price, and its creative can be cached.
    static let prebid = """
        {"auctionId": "auc-1", "placement": {"id": "home-top", "sizes": [[320, 50]]}, "prebid": [{"name": "Prebid",
          "competitionType": "price", "latencyMs": 90, "response": {"id": "auc-1", "seatbid": [{"seat": "osprey", "bid": [{"id": "o1",
           "impid": "1", "price": 2, "crid": "c", "adm": "<b>${AUCTION_PRICE}</b>", "ext": {"prebid": {"targeting": {"hb_pb": "2.00",
            "hb_bidder": "osprey", "hb_cache_id": "0a6f0a3e", "hb_cache_host": "far.example", "hb_cache_path": "/c"}}}}]}]}}],
         "events": ["display"]}
        """
    static let rtbWins = document(
        lineItems: #"{"id": "li-direct", "cpm": "1"}"#, rtb: [rtb("seat-a", 143, [bid("b1", "2.10")])])
    static let directWins = document(lineItems: direct, rtb: [rtb("seat-a", 143, [bid("b1", "2.10")])])
    /// Absurd bids, late bids, and no valid one.
    static let noFill = document(
        lineItems: "",
        rtb: [
            rtb(
                "absurd", 12,
                [
                    bid("x1", "1e400"), bid("x2", "\"2\""), bid("x3", "-1"),
                    bid("evil\\u001b[2J\\u202e", "5", #","mtype": 4"#),
                ]),
            #"{"bidder": "late", "latencyMs": 900, "response": {}}"#,
            #"{"bidder": "broken", "latencyMs": 9, "raw": "{"}"#,
        ])

    /// A session that has run it; `changes` are what-if prices.
    static func snapshot(_ document: String, changes: [Int: Int] = [:]) throws -> Snapshot {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live.m3u8"))
        configuration.auction = try AuctionSetup(try JSONReader.read(document))
        var state = MonitorState(configuration)
        _ = state.apply(.started, at: SnapshotSamples.now)
        for (candidate, cents) in changes.sorted(by: { $0.key < $1.key }) {
            _ = state.apply(
                .beside(.auctionCommanded(.changePrice(candidate: candidate, byCents: cents))), at: SnapshotSamples.now)
        }
        var snapshot = SnapshotSamples.midBreak
        snapshot.auction = state.snapshot(at: SnapshotSamples.now).auction
        return snapshot
    }

    /// A session that asks two bidders repeatedly.
    struct Session {
        private var state: MonitorState
        private var owed: [(id: RequestID, request: HTTPRequest)] = []

        init() throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live.m3u8"))
            configuration.auction = try AuctionSetup(
                try JSONReader.read(
                    """
                    {"auctionId": "auc", "placement": {"id": "home-top", "sizes": [[320, 50]]}, "lineItems": [{"id": "li", "cpm": "1"}],
                     "rtb": [{"bidder": "kestrel", "url": "https://a.example/"}, {"bidder": "osprey", "url": "https://b.example/"}]}
                    """))
            state = MonitorState(configuration)
            take(.started)
        }

        /// All bidders have answered.
        mutating func decided() throws -> Snapshot {
            while !owed.isEmpty { try answer() }
            return snapshot
        }

        /// The next one is running, and one of two bidders has answered.
        mutating func underWay() throws -> Snapshot {
            take(.beside(.auctionCommanded(.run)))
            try answer()
            return snapshot
        }

        private mutating func take(_ input: Input) {
            for case .fetch(let id, .bid, let request) in state.apply(input, at: SnapshotSamples.now) {
                owed.append((id, request))
            }
        }

        private mutating func answer() throws {
            let (id, request) = owed.removeFirst()
            let auction = try JSONReader.read(request.body)["id"]?.stringValue ?? ""
            let host = request.url.host
            let bid = """
                {"id": "\(host)", "impid": "1", "price": \(host == "a.example" ? 2 : 3), "crid": "c", "adm": "x",
                 "burl": "https://dsp.example/b?\(auction)"}
                """
            let body = "{\"id\": \"\(auction)\", \"seatbid\": [{\"seat\": \"\(host)\", \"bid\": [\(bid)]}]}"
            let exchange = HTTPExchange(
                hops: [.init(url: request.url.text, status: 200, fields: [])], body: Array(body.utf8),
                timings: .init(total: 30_000))
            take(.fetched(id, exchange))
        }

        private var snapshot: Snapshot {
            mutating get {
                var snapshot = SnapshotSamples.midBreak
                snapshot.auction = state.snapshot(at: SnapshotSamples.now).auction
                return snapshot
            }
        }
    }
}
