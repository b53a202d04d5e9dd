import Testing

@testable import DemoOrigin

@Suite struct CollectorTests {
    private static func scenario(_ rules: [BeaconRule]) -> Scenario {
        var scenario = Scenario.twoAds
        scenario.beacons = rules
        return scenario
    }

    /// Sends the same beacon `count` times and returns the answers.
    private func answers(
        _ rules: [BeaconRule], event: String = "start", n: Int = 1, count: Int = 1, log: inout ReceiptLog
    ) -> [OriginResponse] {
        let target = "/beacon/two-ads?sessid=s&break=7&ad=car-7&event=\(event)&n=\(n)"
        return (0..<count).map { index in
            Collector.beacon(
                OriginRequest(target: target, headers: [("User-Agent", "t/1")]), path: OriginPath(target: target),
                scenario: Self.scenario(rules), atMs: 100 + index, log: &log)
        }
    }

    @Test func aBeaconIsAcceptedAndKept() throws {
        var log = ReceiptLog()
        let answer = answers([], log: &log)[0]
        #expect(answer.status == 204 && answer.body.isEmpty)
        let receipt = try #require(log.receipts.first)
        #expect(
            receipt
                == Receipt(
                    atMs: 100, scenario: "two-ads", session: "s", breakId: "7", adId: "car-7", event: "start",
                    urlIndex: 1,
                    target: "/beacon/two-ads?sessid=s&break=7&ad=car-7&event=start&n=1", method: "GET",
                    userAgent: "t/1",
                    status: 204, hop: 0, attempt: 1, isRetry: false))
    }

    @Test func furtherUrlsOfAnEventGetAPixel() {
        var log = ReceiptLog()
        let answer = answers([], n: 2, log: &log)[0]
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "image/gif")
        #expect(answer.text.hasPrefix("GIF89a") && answer.body.last == 0x3B)
    }

    @Test func twiceTheSameUrlIsADuplicateAndNoRetryAfterSuccess() {
        var log = ReceiptLog()
        _ = answers([], count: 2, log: &log)
        #expect(log.receipts.map(\.isDuplicate) == [false, true])
        #expect(log.receipts.map(\.isRetry) == [false, false])
        #expect(log.receipts.map(\.attempt) == [1, 2])
    }

    @Test func aRuleForTwoTimesFailsTwiceAndThenAccepts() {
        var log = ReceiptLog()
        let statuses = answers([BeaconRule(answer: .status(503), times: 2)], count: 4, log: &log).map(\.status)
        #expect(statuses == [503, 503, 204, 204])
        #expect(log.receipts.map(\.isRetry) == [false, true, true, false])
        #expect(log.receipts.map(\.isDuplicate) == [false, true, true, true])
    }

    @Test func theFirstMatchingRuleWins() {
        let rules = [
            BeaconRule(ad: "milk", answer: .status(500)), BeaconRule(ad: "ca", answer: .status(501)),
            BeaconRule(ad: "car", event: "start", urlIndex: 2, answer: .status(502)),
            BeaconRule(event: "start", answer: .status(404)), BeaconRule(answer: .status(410)),
        ]
        var log = ReceiptLog()
        #expect(answers(rules, log: &log)[0].status == 404)
        #expect(answers(rules, n: 2, log: &log)[0].status == 502)
        #expect(answers(rules, event: "pause", log: &log)[0].status == 410)
    }

    @Test func slowAndDroppedAnswersSayHow() {
        var log = ReceiptLog()
        let slow = answers([BeaconRule(answer: .delay(ms: 3_000))], event: "a", log: &log)[0]
        #expect(slow.delayMs == 3_000 && slow.status == 204)
        let reset = answers([BeaconRule(answer: .drop(.reset))], event: "b", log: &log)[0]
        #expect(reset.drop == .reset)
        #expect(log.receipts.map(\.status) == [204, nil])
    }

    @Test func aRedirectChainEndsAfterItsHops() throws {
        var log = ReceiptLog()
        var answer = answers([BeaconRule(answer: .redirect(hops: 3))], log: &log)[0]
        var targets: [String] = []
        while answer.status == 302, targets.count < 10 {
            let target = try #require(answer.header("location"))
            targets.append(target)
            answer = Collector.hop(OriginRequest(target: target), path: OriginPath(target: target), atMs: 0, log: &log)
        }
        let query = "?sessid=s&break=7&ad=car-7&event=start&n=1"
        #expect(targets == [2, 1, 0].map { "/beacon-hop/two-ads/\($0)\(query)" })
        #expect(answer.status == 204)
        #expect(log.receipts.map(\.hop) == [0, 1, 1, 1])
        #expect(log.receipts.allSatisfy { !$0.isDuplicate && $0.event == "start" })
    }

    @Test func aRedirectLoopDoesNotEndAndIsNoDuplicate() throws {
        var log = ReceiptLog()
        let first = try #require(answers([BeaconRule(answer: .redirectLoop)], log: &log)[0].header("location"))
        for _ in 0..<3 {
            let answer = Collector.hop(
                OriginRequest(target: first), path: OriginPath(target: first), atMs: 0, log: &log)
            #expect(answer.status == 302 && answer.header("location") == first)
        }
        #expect(log.receipts.count { $0.isDuplicate } == 0)
    }

    @Test(arguments: ["/beacon-hop/x/51", "/beacon-hop/x/-1", "/beacon-hop/x", "/beacon-hop/x/y", "/beacon-hop/x/1/2"])
    func whatIsNoHopIsNotFoundAndNotKept(target: String) {
        var log = ReceiptLog()
        let answer = Collector.hop(OriginRequest(target: target), path: OriginPath(target: target), atMs: 0, log: &log)
        #expect(answer.status == 404)
        #expect(log.receipts.isEmpty)
    }

    @Test func longTextsAreBounded() {
        var log = ReceiptLog()
        let target = "/beacon/x?" + String(repeating: "a", count: Collector.targetBytes)
        let refused = Collector.beacon(
            OriginRequest(target: target), path: OriginPath(target: target), scenario: nil, atMs: 0, log: &log)
        #expect(refused.status == 414)
        let request = OriginRequest(target: "/beacon/x", headers: [("user-agent", String(repeating: "é", count: 400))])
        _ = Collector.beacon(request, path: OriginPath(target: "/beacon/x"), scenario: nil, atMs: 0, log: &log)
        #expect(log.receipts.map { $0.userAgent?.utf8.count } == [Collector.userAgentBytes])
    }
}
