import Foundation
import Ports
import ScriptedServers
import Testing

/// The built program with servers that do not answer with an ad: each answer gives an outcome, a code and a finding in
/// time.
@Suite(.serialized) struct HostileTagTests {
    private struct Verdict: Equatable {
        var code: Int64?
        var outcome: String?
        var rules: Set<String> = []
    }

    /// The outcome of `vast resolve`, and the findings of `vast parse` when there is a document.
    private func verdict(_ steps: [ScriptedServer.Step], redirectsToItself: Bool = false) async throws -> Verdict {
        let server = try await ScriptedServer { request in
            redirectsToItself ? [.answer("302 Found", ["Location: \(request.line.dropFirst(4))x"])] : steps
        }
        let resolved = try await AdtopProcess.run(["vast", "resolve", server.url("/t"), "--json", "--timeout", "500ms"])
        let report = try resolved.json()
        #expect(report["outcome"] == "error" && resolved.status != 0)
        var verdict = Verdict(code: report["error_code"]?.integerValue, outcome: nil)
        let parsed = try await AdtopProcess.run(["vast", "parse", server.url("/t"), "--json"])
        if let document = try? parsed.json() {  // without a document there is only the error line
            verdict.outcome = document["outcome"]?.stringValue
            verdict.rules = Set(document["lint"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        } else {
            #expect(parsed.status == 3 && parsed.errors.hasPrefix("adtop: "))
        }
        try await server.stop()
        return verdict
    }

    @Test func anHTMLPageIsNotVAST() async throws {
        let page = "<!DOCTYPE html><html><head><title>x</title></head><body><p>no ad</p></body></html>"
        let verdict = try await verdict([.answer(body: page)])
        #expect(verdict.code == 101 && verdict.outcome == "not_vast")
        #expect(verdict.rules.isSuperset(of: ["root-not-vast", "doctype-present"]))
    }

    @Test func aPageThatIsNoXMLIsAnXMLError() async throws {
        let verdict = try await verdict([.answer(body: "<html><body><br>no ad</body></html>")])
        #expect(verdict.code == 100 && verdict.outcome == "xml_error")
        #expect(verdict.rules.contains("not-well-formed"))
    }

    @Test func thirtyMegabytesAreNotRead() async throws {
        let chunk = [UInt8](repeating: UInt8(ascii: " "), count: 30_000_000)
        let verdict = try await verdict([.text("HTTP/1.1 200 OK\r\nContent-Length: 30000000\r\n\r\n"), .send(chunk)])
        #expect(verdict.code == 300 && verdict.outcome == nil)
    }

    @Test func laughsDoNotMultiply() async throws {
        var text = "<!DOCTYPE VAST [<!ENTITY a0 \"ha\">"
        for level in 1..<30 {
            text += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        let verdict = try await verdict([.answer(body: text + "]><VAST version=\"4.2\">&a29;</VAST>")])
        #expect(verdict.code == 100 && verdict.outcome == "rejected")
        #expect(verdict.rules.contains("doctype-with-entities"))
    }

    @Test func tenThousandLevelsAreTooMany() async throws {
        let text = String(repeating: "<a>", count: 10_000) + String(repeating: "</a>", count: 10_000)
        let verdict = try await verdict([.answer(body: "<VAST version=\"4.2\">\(text)</VAST>")])
        #expect(verdict.code == 100 && verdict.outcome == "rejected")
        #expect(verdict.rules.contains("nesting-too-deep"))
    }

    @Test func redirectsInACircleEnd() async throws {
        let verdict = try await verdict([], redirectsToItself: true)
        #expect(verdict.code == 300 && verdict.outcome == nil)
    }

    @Test func aTagThatNeverAnswersIsGivenUp() async throws {
        let server = try await ScriptedServer { _ in [] }
        let run = try await AdtopProcess.run(["vast", "resolve", server.url("/t"), "--json", "--timeout", "200ms"])
        let report = try run.json()
        #expect(report["error_code"] == 301 && run.status == 3)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func theWholeChainHasATimeToo() async throws {
        let slow = try await ScriptedServer { _ in [] }
        let target = slow.url("/slow")
        let body =
            "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><VASTAdTagURI>\(target)</VASTAdTagURI></Wrapper></Ad></VAST>"
        let server = try await ScriptedServer { _ in [.answer(body: body)] }
        let run = try await AdtopProcess.run([
            "vast", "resolve", server.url("/t"), "--json", "--timeout", "60s", "--total-timeout", "700ms",
        ])
        #expect(try run.json()["error_code"] == 301 && run.status == 1)
        try await server.stop()
        try await slow.stop()
    }

    @Test func cookiesAndNamesGoAlong() async throws {
        let last =
            "<VAST version=\"4.2\"><Ad id=\"i\"><InLine><Creatives><Creative><Linear><Duration>00:00:05</Duration>"
            + "<MediaFiles><MediaFile>https://c.example/</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
        let first =
            "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><VASTAdTagURI>/second</VASTAdTagURI></Wrapper></Ad></VAST>"
        let server = try await ScriptedServer { request in
            request.line == "GET /first"
                ? [.answer("200 OK", ["Set-Cookie: id=7; Path=/"], body: first)] : [.answer(body: last)]
        }
        let run = try await AdtopProcess.run([
            "vast", "resolve", server.url("/first"), "--json", "--user-agent", "player/1", "--header",
            "X-Device-IP=192.0.2.1", "--header", "X-Lab: a=b",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let heads = server.requests.map(\.head)
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { $0.contains("User-Agent: player/1\r\n") && $0.contains("X-Device-IP: 192.0.2.1") })
        #expect(heads.allSatisfy { $0.contains("X-Lab: a=b\r\n") })
        let bad = try await AdtopProcess.run(["vast", "resolve", server.url("/first"), "--header", "SECRET"])
        #expect(bad.status == 2 && bad.errors == "adtop: --header: '***' is not 'Name: value' or NAME=VALUE\n")
        #expect(!heads[0].contains("Cookie:") && heads[1].contains("Cookie: id=7"))
        let sent = try run.json()["requests"]?.arrayValue?.map { $0["delivery"]?["cookies_sent"]?.boolValue }
        #expect(sent == [false, true])
        // Each chain begins without cookies.
        _ = try await AdtopProcess.run(["vast", "resolve", server.url("/first"), "--times", "2"])
        let firsts = server.requests.filter { $0.line == "GET /first" }
        #expect(firsts.count == 3 && firsts.allSatisfy { !$0.head.contains("Cookie:") })
        try await server.stop()
    }
}
