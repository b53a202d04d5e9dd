import CreativeCache
import Ports
import Testing

/// What the access log has of a request (CACHE-4).
@Suite struct AccessRecordTests {
    private static let at = UnixTime(milliseconds: 1_800_000_000_000)

    private func record(
        _ method: String, _ target: String, _ fields: [HTTPField] = [], status: Int = 404, body: String = ""
    ) -> AccessRecord {
        AccessRecord(
            LoopbackRequest(method: method, target: target, fields: fields),
            LoopbackAnswer(status: status, reason: "", body: Array(body.utf8)), at: Self.at,
            took: .microseconds(1_300), isSecure: false)
    }

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("/status?x=1", "status"), ("*", "*"), ("localhost:80", "localhos"),
        ("http://localhost/a", "http://l"), ("/a b", "a%20b"), ("/a\u{1B}[2J", "a%1B[2J"), ("/é", "%C3%A9"),
        ("/abcdefgé", "abcdefg"),
    ])
    func theTargetIsOneField(target: String, subject: String) {
        #expect(record("OPTIONS", target).text == "OPTIONS \(subject) 404 0 B 1,300 us")
    }

    /// A page decides what is in these fields: it must not be able to write another line, or the end of this one.
    @Test func noFieldOfTheRequestEndsItsPartOfTheLine() {
        let forged = "https://a.example\u{9}GET ad 200\r\n"
        let log = record("GET", "/status", [HTTPField("Origin", forged)]).text
        #expect(log == "GET status 404 0 B 1,300 us from https://a.example%09GET%20ad%20200%0D%0A")
        let foreign = LoopbackRefusal.foreignHost.text
        let host = record("GET", "/x", [HTTPField("Host", "evil.example from b")], status: 403, body: foreign)
        #expect(host.reason == "host evil.example%20from%20b")
        #expect(record("GET", "/x", status: 403, body: foreign).reason == "no host")
    }

    /// One character may have any number of scalars.
    @Test func everyTextHasItsLimitInBytes() {
        let long = "e" + String(repeating: "\u{301}", count: 10_000)
        let log = record(long, "/" + long, [HTTPField("Origin", long)])
        #expect(log.method == "E%CC%81" && log.subject == "e%CC%81")
        #expect(log.origin == "e" + String(repeating: "%CC%81", count: 13))
    }

    @Test func numbersHaveTheirThousandsSeparated() {
        let log = record("GET", "/unknown", status: 200, body: String(repeating: "x", count: 20_480))
        #expect(log.text == "GET unknown 200 20,480 B 1,300 us")
    }
}
