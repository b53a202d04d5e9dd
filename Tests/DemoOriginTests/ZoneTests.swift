import Testing

@testable import DemoOrigin

/// The ad server's zones (docs/origin.md).
@Suite struct ZoneTests {
    private let responder: OriginResponder

    init() throws {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        responder = OriginResponder(scenario: scenario, seed: 1, startMs: tenOClockMs, authority: "h")
    }

    private func get(_ query: String, atMs: Int = tenOClockMs) -> OriginResponse {
        var state = OriginState()
        return responder.respond(
            to: OriginRequest(target: "/ads/zone?\(query)", headers: [("Host", "h")]), at: atMs, state: &state)
    }

    private func type(_ response: OriginResponse) -> String? {
        response.headers.first { $0.name == .contentType }?.value
    }

    @Test(arguments: [
        ("banner-1", "text/html; charset=utf-8", "<a href=\"https://shop.example/banner-1\">"),
        ("interstitial-1", "text/html; charset=utf-8", "mraid.close()"),
        ("rewarded-1", "application/xml; charset=utf-8", "<RewardPerView><![CDATA[12.000000]]></RewardPerView>"),
        ("native-1", "application/json", "\"title\":{\"text\":\"Ride further\"}"),
    ])
    func everyFormatHasZones(zone: String, type: String, part: String) {
        let response = get("zone=\(zone)")
        #expect(response.status == 200 && self.type(response) == type)
        #expect(response.text.contains(part))
    }

    @Test func bannersSayWhenToAskAgain() {
        #expect(get("zone=banner-1").headers.first { $0.name == .refreshRate }?.value == "15")
        #expect(get("zone=banner-1&refresh=60").headers.first { $0.name == .refreshRate }?.value == "60")
        #expect(get("zone=banner-1").text != get("zone=banner-1", atMs: tenOClockMs + 15_000).text)
    }

    @Test(arguments: [
        ("zone=banner-nofill", 204), ("zone=other", 204), ("zone=banner-error", 503), ("zone=", 400), ("", 400),
        ("zone=a%20b", 400), ("zone=banner-1&fault=nofill", 204),
    ])
    func faultsHaveTheirStatus(query: String, status: Int) {
        #expect(get(query).status == status)
    }

    @Test func faultsOfTheBody() {
        #expect(type(get("zone=native-type")) == "image/png")
        #expect(!get("zone=native-malformed").text.hasSuffix("}"))
        #expect(get("zone=banner-slow").delayMs == 15_000)
        #expect([0, 15_000].map { get("zone=banner-flaky", atMs: tenOClockMs + $0).status }.sorted() == [200, 503])
    }
}
