import Benchmark
import Bidding
import Ports

/// An auction with `candidates` candidates: two thirds RTB bids, the rest adapters and line items.
private func auction(candidates: Int) -> Auction {
    var auction = Auction(id: "a", placement: Placement(id: "home", sizes: [AdSize(320, 50)]))
    auction.placement.keywords = ["section=home"]
    auction.placement.isSecure = true
    auction.rates = CurrencyTable(conversions: ["USD": ["EUR": 0.9]])
    auction.rules.allowedCurrencies = ["USD", "EUR"]
    let others = candidates / 6
    for index in 0..<(candidates - 2 * others) {
        let bid: JSONValue = [
            "id": .string("b\(index)"), "impid": "1", "price": .double(Double(100 + index * 7 % 90) / 100), "crid": "c",
            "adm": "<a href='https://brand.example/'><img src='https://cdn.example/320x50.png'></a>", "w": 320, "h": 50,
            "mtype": 1, "adomain": ["brand.example"], "cat": ["IAB3-1"],
            "nurl": "https://dsp.example/w?p=${AUCTION_PRICE}", "lurl": "https://dsp.example/l?c=${AUCTION_LOSS}",
        ]
        let response: JSONValue = [
            "id": "a", "cur": .string(index % 2 == 0 ? "USD" : "EUR"), "seatbid": [["seat": "s", "bid": [bid]]],
        ]
        auction.answers.append(
            EndpointAnswer(bidder: "dsp-\(index)", latency: .milliseconds(index), content: .document(response)))
    }
    for index in 0..<others {
        var adapter = BidderAdapter(
            name: "k\(index)", creativeID: "c", price: ExactDecimal(Int32(1 + index % 3)), currency: "USD",
            rendering: .primarySDK)
        adapter.markup = "<b>"
        auction.adapters.append(adapter)
        auction.lineItems.append(
            LineItem(
                id: "li\(index)", cpm: .one,
                clauses: [KeywordClause("section=home|sport"), KeywordClause("!x=\(index)")]))
    }
    auction.events = [.display]
    return auction
}

func auctionBenchmarks() {
    let fifty = auction(candidates: 50)
    Benchmark("auction: 50 candidates, answers read and decided (target 200 µs)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(fifty.held()) }
        benchmark.stopMeasurement()
        precondition(fifty.held().candidates.count == 50, "a candidate is missing")
    }
}
