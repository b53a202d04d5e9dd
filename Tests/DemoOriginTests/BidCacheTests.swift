import Testing

@testable import DemoOrigin

@Suite struct BidCacheTests {
    private let responder: OriginResponder
    private var state = OriginState()

    init() throws {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        responder = OriginResponder(scenario: scenario, seed: 1, startMs: 0, authority: "h")
    }

    private mutating func answer(_ method: String, _ target: String, _ body: String = "", at nowMs: Int = 1_000)
        -> OriginResponse
    {
        responder.respond(
            to: OriginRequest(method: method, target: target, body: Array(body.utf8)), at: nowMs, state: &state)
    }

    private func text(_ response: OriginResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test mutating func whatIsPutIsRead() throws {
        let body =
            #"{"puts": [{"type":"xml","value":"<a b=\"é\"\/>"},{"type":"json","value": {"adm": "<b>", "p": 1.50}}]}"#
        let written = answer("POST", "/pbc/v1/cache", body)
        #expect(written.status == 200)
        let ids = text(written).matches(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/)
            .map { String($0.output) }
        try #require(ids.count == 2)
        let xml = answer("GET", "/cache?uuid=\(ids[0])")
        #expect(text(xml) == "<a b=\"é\"/>" && xml.headers.contains { $0.value == "application/xml" })
        let bid = answer("GET", "/pbc/v1/cache?uuid=\(ids[1])")
        #expect(text(bid) == #"{"adm": "<b>", "p": 1.50}"#)
    }

    @Test mutating func valuesEnd() throws {
        let written = answer("POST", "/cache", #"{"puts":[{"type":"json","value":1,"ttlseconds":5}]}"#)
        let id = try #require(text(written).firstMatch(of: /[0-9a-f-]{36}/)).output
        let statuses = [5_999, 6_000].map { answer("GET", "/cache?uuid=\(id)", at: $0).status }
        #expect(statuses == [200, 404])
    }

    @Test(arguments: [
        "", "{", "[]", #"{"puts":3}"#, #"{"puts":[{"type":"xml","value":1}]}"#,
        #"{"puts":[{"type":"html","value":"x"}]}"#,
        #"{"puts":[{"type":"json"}]}"#, #"{"puts":[{"type":"json","value":1,"ttlseconds":-1}]}"#, #"{"puts":[}"#,
    ])
    mutating func nonsenseIsRefused(_ body: String) {
        let response = answer("POST", "/cache", body)
        #expect(response.status == 400)
    }

    @Test mutating func readsAreRefusedAsTheServerDoes() {
        let answers = ["/cache", "/cache?uuid=", "/cache?uuid=none", "/cache?uuid=%00"].map { answer("GET", $0).status }
        #expect(answers == [400, 400, 404, 404])
        let method = answer("DELETE", "/cache")
        #expect(method.status == 405)
    }

    @Test mutating func itFailsAsAsked() {
        let failed = answer("GET", "/cache?uuid=x&status=503")
        #expect(failed.status == 503)
        let slow = answer("GET", "/cache?uuid=x&delay=250")
        #expect(slow.delayMs == 250)
        let dropped = answer("POST", "/cache?drop=reset", #"{"puts":[]}"#)
        #expect(dropped.drop == .reset)
    }
}
