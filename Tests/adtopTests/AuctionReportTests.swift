import Bidding
import Ports
import Testing

@testable import adtop

@Suite struct AuctionReportTests {
    private func report(_ text: String) throws -> AuctionReport {
        let plan = try AuctionPlan(try JSONReader.read(text))
        let result = plan.auction.held()
        return AuctionReport(name: "a", auction: plan.auction, result: result, prebid: [], entries: [])
    }

    private static let document = """
        {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]},
         "lineItems": [{"id": "li", "cpm": "0.50"}],
         "rtb": [{"bidder": "far", "url": "https://far.example/"}, {"bidder": "near", "latencyMs": 12, "response":
          {"id": "a", "seatbid": [{"seat": "s", "bid": [{"id": "b\\u001b[2J", "impid": "1", "price": 0.4, "crid": "c",
           "adm": "x", "lurl": "https://near.example/l?c=${AUCTION_LOSS}"}]}]}}]}
        """

    @Test func everyCandidateIsARowInColumns() throws {
        let lines = try report(Self.document).lines.map { $0.text(isColored: false) }
        #expect(lines[0] == "a  top banner 320x50  USD  first price  tmax 1000 ms")
        #expect(lines[2].hasPrefix("  src     who"))
        #expect(lines[3].contains("lost 102  lostToHigherBid, checks passed, clears at 0.4 USD, li pays 0.5"))
        #expect(!lines[3].contains("\u{1B}"))
        #expect(lines[4].hasSuffix("WON       highest"))
        #expect(lines[5].hasSuffix("none 200  notAsked: only live auctions ask"))
        #expect(lines[6] == "  lurl  https://near.example/l?c=102  not sent (--fire sends)")
        #expect(lines.last == "  won  direct li  0.5 USD")
    }

    @Test func theDocumentIsTheAuctionWithItsDeliveries() throws {
        var report = try report(Self.document)
        report.deliveries = [NoticeDelivery(tries: 1, status: 204, problem: nil)]
        let json = report.json
        #expect(json["schema"] == "adtop-auction/1" && json["name"] == "a")
        #expect(json["winner"] == ["source": "direct", "id": "li", "cpm": "0.5", "currency": "USD", "via": nil])
        #expect(json["delivery"] == [["tries": 1, "status": 204, "problem": nil]])
    }
}
