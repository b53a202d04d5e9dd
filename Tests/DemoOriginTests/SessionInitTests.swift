import Testing

@testable import DemoOrigin

@Suite struct SessionInitTests {
    private static let index = "/variant/v1/hls/index.m3u8"

    private func answers(_ requests: [(method: String, target: String)], redirects: Bool = false) -> [OriginResponse] {
        var scenario = Scenario.twoAds
        if redirects { scenario.session.redirectInstance = "pmm-0" }
        let responder = OriginResponder(scenario: scenario, seed: 5, startMs: tenOClockMs, authority: "h")
        var state = OriginState()
        return requests.map { request in
            responder.respond(
                to: OriginRequest(method: request.method, target: request.target), at: tenOClockMs, state: &state)
        }
    }

    @Test func getAndPostOpenASessionEach() {
        let texts = answers([("GET", Self.index + "?initSession=true"), ("POST", Self.index)]).map(\.text)
        let ids = (0...1).map { SessionId.make(seed: 5, index: $0) }
        #expect(ids[0] != ids[1] && ids.allSatisfy { $0.count == 16 && SessionId.isValid($0) })
        #expect(
            texts
                == ids.map {
                    #"{"manifestUrl":"./index.m3u8?sessid=\#($0)","trackingUrl":"./metadata?sessid=\#($0)"}"#
                })
    }

    @Test func aNamedSessionIsKept() {
        let texts = answers([
            ("GET", Self.index + "?sessid=mine&initSession=true"), ("GET", Self.index + "?sessid=mine"),
        ])
        .map(\.text)
        #expect(texts[0].contains("metadata?sessid=mine"))
        #expect(texts[1].contains("\n01.m3u8?sessid=mine&isstream=true\n"))
    }

    @Test func aPlainGetNamesTheSessionInItsVariants() {
        let id = SessionId.make(seed: 5, index: 0)
        let lines = answers([("GET", Self.index)])[0].text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["01.m3u8?sessid=\(id)&isstream=true", "02.m3u8?sessid=\(id)&isstream=true"])
    }

    @Test func aRedirectNamesInstanceAndSessionAndEndsThere() throws {
        let id = SessionId.make(seed: 5, index: 0)
        let requests = [("GET", Self.index + "?initSession=true"), ("POST", Self.index), ("GET", Self.index)]
        for (index, request) in requests.enumerated() {
            let first = answers([request], redirects: true)[0]
            #expect(first.status == 307 && first.body.isEmpty)
            let location = try #require(first.header("location"))
            let end = index < 2 ? "&initSession=true" : ""
            #expect(location == "/pmm-0/variant/v1/hls/index.m3u8?sessid=\(id)&vosad_inst_id=pmm-0\(end)")
            let second = answers([(request.0, location)], redirects: true)[0]
            #expect(second.status == 200)
            #expect(second.text.contains("sessid=\(id)"))
        }
    }

    @Test func theRedirectOfAScenarioBesideTheDefaultKeepsItsPrefix() {
        let location = answers([("GET", "/s/redirected-init" + Self.index)])[0].header("location")
        #expect(location?.hasPrefix("/pmm-0/s/redirected-init/variant/v1/hls/index.m3u8?sessid=") == true)
    }
}
