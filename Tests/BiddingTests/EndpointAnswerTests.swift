import Bidding
import Ports
import Testing

@Suite struct EndpointAnswerTests {
    private func nonBid(_ answer: EndpointAnswer) -> NonBid? {
        if case .nonBid(let nonBid) = answer.judged(deadline: .milliseconds(100)) { nonBid } else { nil }
    }

    @Test(arguments: [
        (204, "", 0, "noBid"), (200, "", 0, "noBid"), (200, " \r\n", 0, "noBid"), (200, "{}", 0, "noBid"),
        (200, "{\"seatbid\":[]}", 0, "noBid"),
        (200, "{\"seatbid\":[{\"bid\":[]}]}", 0, "noBid"), (200, "{\"nbr\":2}", 2, "nbr2"),
        (400, "{}", 2, "httpStatus400"),
        (500, "oops", 102, "httpStatus500"), (302, "", 102, "httpStatus302"), (200, "[", 102, "malformedResponse"),
        (200, "[]", 102, "malformedResponse"), (200, "7", 102, "malformedResponse"),
        (200, "{\"nbr\":1e99}", 0, "noBid"),
    ])
    func whatIsNoBidHasANumber(status: Int, body: String, code: Int, reason: String) {
        let nonBid = nonBid(EndpointAnswer(bidder: "d", latency: .zero, status: status, body: Array(body.utf8)))
        #expect(nonBid?.status == code && nonBid?.reason == reason && nonBid?.seat == "d")
    }

    @Test(arguments: [
        (HTTPFailure.Kind.timeout, 101, "timeout"), (.connectTimeout, 101, "timeout"), (.connect, 103, "unreachable"),
        (.resolve, 103, "unreachable"), (.tls, 103, "unreachable"), (.bodyTooLarge, 102, "answerTooLarge"),
        (.reset, 102, "malformedResponse"),
    ])
    func failuresAreToldApart(kind: HTTPFailure.Kind, code: Int, reason: String) {
        let exchange = HTTPExchange(failure: HTTPFailure(kind, "why"), timings: .init(total: 5_000))
        let nonBid = nonBid(EndpointAnswer(bidder: "d", exchange: exchange))
        #expect(nonBid?.status == code && nonBid?.reason == reason)
        // An answer that was not read has no length in its detail; the transport states which one was too long.
        #expect(nonBid?.detail == (code == 101 ? "no answer" : "why"))
    }

    @Test func deepDocumentsAreRefusedWithTheReason() {
        let body = String(repeating: "[", count: 10_000)
        let nonBid = nonBid(EndpointAnswer(bidder: "d", latency: .zero, status: 200, body: Array(body.utf8)))
        #expect(nonBid?.detail == "nested deeper than 64 levels at 1:65")
    }

    @Test func aLateAnswerIsNotRead() {
        let answer = EndpointAnswer(bidder: "d", latency: .milliseconds(101), status: 200, body: Array("[".utf8))
        #expect(nonBid(answer)?.detail == "101 ms > 100")
        // Not "100 ms > 100": an answer of exactly 100 ms is in time.
        let late = EndpointAnswer(bidder: "d", latency: .nanoseconds(100_000_001), status: 200, body: [])
        #expect(nonBid(late)?.detail == "101 ms > 100")
        let inTime = EndpointAnswer(
            bidder: "d", latency: .milliseconds(100), status: 200, body: Array("{\"seatbid\":[{\"bid\":[{}]}]}".utf8))
        #expect(nonBid(inTime) == nil)
    }
}
