import Testing

@testable import DemoOrigin

@Suite struct BidServerTests {
    private let responder = OriginResponder(scenario: .twoAds, seed: 1, startMs: tenOClockMs, authority: "h")

    private func post(_ target: String, _ body: String = #"{"id": "r-1", "imp": [{"id": "7"}]}"#) -> OriginResponse {
        var state = OriginState()
        return responder.respond(
            to: OriginRequest(method: "POST", target: target, headers: [("Host", "h")], body: Array(body.utf8)),
            at: tenOClockMs, state: &state)
    }

    @Test func aBidderAnswersTheRequestItGot() {
        let text = post("/openrtb2/bid?seat=kite&price=1.25&cur=EUR&deal=d-1").text
        #expect(text.hasPrefix(#"{"id":"r-1","bidid":"answer-kite","cur":"EUR","seatbid":[{"seat":"kite","bid":["#))
        #expect(text.contains(#""impid":"7","price":1.25,"#) && text.contains(#""dealid":"d-1""#))
        #expect(text.contains("http://h/beacon/auction?break=auction&sessid=r-1&ad=kite&event=lurl"))
        #expect(post("/openrtb2/bid") == post("/openrtb2/bid"))
    }

    @Test func theHighestBidOfThePrebidServerHasTheKeys() {
        let text = post("/openrtb2/auction").text
        #expect(text.contains(#""hb_pb_heron":"0.20""#), "as binary numbers have it")
        #expect(text.ranges(of: "\"hb_bidder\":").count == 1)
        #expect(text.contains(#""seatnonbid":[{"seat":"plover""#))
        let errors = post(
            "/openrtb2/auction",
            #"{"id": "r", "imp": [{"id": "1", "ext": {"prebid": {"storedrequest": {"id": "errors"}}}}]}"#
        ).text
        #expect(errors.contains(#""seatbid":[]"#) && errors.contains("placement unknown"))
    }

    @Test func theCacheHasWhatTheAnswerNames() throws {
        var state = OriginState()
        func ask(_ method: String, _ target: String, _ body: String = "") -> OriginResponse {
            responder.respond(
                to: OriginRequest(method: method, target: target, headers: [("Host", "h")], body: Array(body.utf8)),
                at: tenOClockMs, state: &state)
        }
        let body = #"{"id": "r-1", "imp": [{"id": "7"}]}"#
        let text = ask("POST", "/openrtb2/auction?nomarkup=1", body).text
        #expect(!text.contains("\"adm\""))
        let ids = text.matches(of: /"cacheId":"([^"]+)","url":"http:\/\/h(\/pbc\/v1\/cache\?uuid=[^"]+)"/)
        try #require(ids.count == 3)
        for match in ids {
            let cached = ask("GET", String(match.output.2))
            #expect(cached.status == 200 && cached.text.contains("\"adm\":\"<div>"))
            #expect(cached.text.contains("\"cacheId\":\"\(match.output.1)\""))
        }
    }

    @Test(arguments: [
        ("answer=nobid", 204, ""), ("answer=empty", 200, "{}"), ("answer=nbr", 200, #"{"id":"r-1","nbr":8}"#),
        ("status=503", 503, "the query asks for 503\n"), ("answer=malformed", 200, #"{"id":"r-1","seatbid":[{"bid":["#),
    ])
    func faultsAreAsked(query: String, status: Int, body: String) {
        let answer = post("/openrtb2/bid?\(query)&delay=300")
        #expect(answer.status == status && answer.text == body && answer.delayMs == 300)
    }

    @Test func someAnswersAreTooMuch() {
        #expect(post("/openrtb2/bid?answer=huge").body.count > 10_000_000)
        #expect(post("/openrtb2/bid?answer=absurd").text.contains("1e400"))
        #expect(post("/openrtb2/bid?answer=never").delayMs >= 10_000)
        #expect(post("/openrtb2/bid?drop=reset").drop == .reset)
    }

    @Test(arguments: ["", "[]", "{\"id\": 7}", "{\"id\": \"<script>\"}"])
    func whatIsNoRequestIsRefused(body: String) {
        #expect(post("/openrtb2/bid", body).status == 400)
    }

    @Test func onlyPostIsAnswered() {
        var state = OriginState()
        let answer = responder.respond(to: OriginRequest(target: "/openrtb2/bid"), at: tenOClockMs, state: &state)
        #expect(answer.status == 405)
    }
}
