import Ports
import Testing

@testable import VAST

@Suite struct ResponseLintTests {
    private static let fine = [
        HTTPField("Content-Type", "application/xml; charset=utf-8"), HTTPField("Access-Control-Allow-Origin", "*"),
        HTTPField("Content-Encoding", "gzip"),
    ]

    private func rules(
        _ fields: [HTTPField], body: [UInt8] = Array("<VAST/>".utf8), redirects: Int = 0, total: Int64 = 10_000
    ) -> [String] {
        let hop = HTTPExchange.Hop(url: "https://a.example.test/", status: 200, fields: fields)
        let exchange = HTTPExchange(
            hops: Array(repeating: hop, count: redirects + 1), body: body, timings: .init(total: total))
        return ResponseLint.findings(of: exchange, reading: VASTReader.read(body)).map(\.rule)
    }

    @Test func aGoodAnswerHasNone() {
        #expect(rules(Self.fine) == [])
    }

    @Test func eachFaultHasItsRule() {
        #expect(rules([HTTPField("Content-Type", "text/html")] + Self.fine.dropFirst()) == ["response-content-type"])
        #expect(rules(Array(Self.fine.dropFirst())) == ["response-content-type"])
        #expect(rules([Self.fine[0], Self.fine[2]]) == ["response-no-cors"])
        #expect(rules(Self.fine, redirects: 3) == ["response-redirects"])
        #expect(rules(Self.fine, redirects: 2) == [])
        #expect(rules(Self.fine, total: 1_000_001) == ["response-slow"])
        #expect(
            rules(Array(Self.fine.dropLast()), body: [UInt8](repeating: 0x20, count: 3_000)) == [
                "response-uncompressed"
            ])
        #expect(rules(Self.fine, body: [UInt8](repeating: 0x20, count: 600_000)) == ["response-large"])
    }

    @Test func anAnswerOlderThanItsAdIsOver() {
        let body = Array(
            "<VAST version=\"4.2\"><Ad><InLine><Expires>60</Expires></InLine></Ad></VAST>".utf8)
        #expect(rules(Self.fine + [HTTPField("Age", "61")], body: body) == ["expires-past"])
        #expect(rules(Self.fine + [HTTPField("Age", "60")], body: body) == [])
    }

    @Test func anAnswerThatChangesIsSaidWithItsLine() {
        let first = Array("<VAST>\n<Ad id=\"1\"/></VAST>".utf8)
        #expect(ResponseLint.findings(comparing: first, with: first).isEmpty)
        let findings = ResponseLint.findings(comparing: first, with: Array("<VAST>\n<Ad id=\"2\"/></VAST>".utf8))
        #expect(findings.map(\.rule) == ["response-differs"])
        #expect(findings[0].message.contains("from line 2."))
    }

    @Test func aFailureSaysNothingOfDelivery() {
        let hop = HTTPExchange.Hop(url: "https://a.example.test/", status: 500, fields: [])
        #expect(ResponseLint.findings(of: HTTPExchange(hops: [hop]), reading: nil).isEmpty)
    }
}
