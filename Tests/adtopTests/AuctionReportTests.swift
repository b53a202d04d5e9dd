import Bidding
import Ports
import Session
import Testing

@testable import adtop

@Suite struct AuctionReportTests {
    private func report(_ text: String) throws -> AuctionReport {
        let plan = try AuctionPlan(try JSONReader.read(text))
        let result = plan.auction.held()
        return AuctionReport(name: "a", auction: plan.auction, result: result)
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
        #expect(lines[3].contains("lost 102    lostToHigherBid, checks passed, clears at 0.4 USD, li pays 0.5"))
        #expect(!lines[3].contains("\u{1B}"))
        #expect(lines[4].hasSuffix("WON         highest"))
        #expect(lines[5].hasSuffix("no bid 200  notAsked: only live auctions send requests"))
        #expect(lines[6] == "  lurl  https://near.example/l?c=102  not sent (--fire sends)")
        #expect(lines.last == "  won  direct li  0.5 USD")
    }

    @Test func theDocumentIsTheAuctionWithItsDeliveries() throws {
        var report = try report(Self.document)
        let notice = try #require(report.result.notices.first)
        var delivery = NoticeView(
            kind: .loss, url: notice.url, who: report.result.candidates[notice.candidate].name, state: .done, tries: 1)
        delivery.status = 204
        report.deliveries = [delivery]
        let json = report.json
        #expect(json["schema"] == "adtop-auction/1" && json["name"] == "a")
        #expect(json["winner"] == ["source": "direct", "id": "li", "cpm": "0.5", "currency": "USD", "via": nil])
        let sent = json["delivery"]?.arrayValue?.first
        #expect(sent?["state"] == "done" && sent?["tries"] == 1 && sent?["status"] == 204 && sent?["earlier"] == false)
        #expect(report.lines.contains { $0.text(isColored: false).hasSuffix("?c=102  204") })
    }

    @Test(arguments: [
        (NoticeView.State.unknown, true, "sent earlier, outcome unknown: not sent again"),
        (.done, true, "sent earlier: not sent again"), (.failed, false, "no answer after 7 tries"),
        (.skipped, false, "not sent: skipped"),
    ])
    func deliveriesAreSaidInWords(_ state: NoticeView.State, _ isEarlier: Bool, _ words: String) {
        var notice = NoticeView(kind: .billing, url: "https://b.example/", who: "b", state: state, tries: 7)
        notice.isEarlier = isEarlier
        #expect(notice.outcome == words)
    }

    @Test(arguments: [
        ("{}", "-  USD", "no bid: the answer has no seatbid"),
        (#"{"id": "a", "seatbid": [{"seat": "s"}]}"#, "a  USD", "no bid: seatbid has no bids"),
        (#"{"id": "a", "cur": "EUR", "nbr": 2}"#, "a  EUR", "no bid: nbr 2, invalid request"),
        (#"{"id": "a", "seatbid": [], "nbr": 500}"#, "a  USD", "no bid: nbr 500"),
        (
            #"{"id": "a", "seatbid": [{"seat": "s", "bid": [{"id": "b", "impid": "1", "price": 1}]}]}"#, "a  USD",
            "no winner: the server marks no bid with hb_pb and hb_bidder; --targeting-prefix gives another prefix"
        ),
    ])
    func anAnswerWithoutAWinnerHasTheReason(text: String, head: String, absence: String) throws {
        let answer = try #require(PrebidAnswer(try JSONReader.read(text), requiresCacheID: false))
        let lines = PrebidReport(answer: answer).lines.map(\.plain)
        #expect(lines.first == head && lines.last == "  \(absence)")
    }

    @Test func anAnswerWithAWinnerHasNoSuchLine() throws {
        let text = """
            {"id": "a", "seatbid": [{"seat": "s", "bid": [{"id": "b", "impid": "1", "price": 1, "ext": {"prebid":
             {"targeting": {"hb_pb": "1.00", "hb_bidder": "s"}}}}]}], "nbr": 2}
            """
        let answer = try #require(PrebidAnswer(try JSONReader.read(text), requiresCacheID: false))
        #expect(
            !PrebidReport(answer: answer).lines.map(\.plain).contains { $0.contains("no bid") || $0.contains("no win") }
        )
    }
}
