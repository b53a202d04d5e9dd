import Testing

@testable import Ports

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://h/a?sessid=SECRET&x=1", "https://h/a?sessid=***&x=1"),
        ("https://h/a?SessID=SECRET", "https://h/a?SessID=***"),
        ("https://user:pw@h/a", "https://***@h/a"), ("https://h/a", "https://h/a"),
        ("https://h/a?token", "https://h/a?token"),
        ("/rel?sig=abc#f", "/rel?sig=***#f"), ("https://h/a?aws.sessionId=1", "https://h/a?aws.sessionId=***"),
    ])
    func masksSecrets(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
    }

    @Test func nothingRedactedLeaks() {
        let seed: UInt64 = 7
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let names = Redaction.secretNames.sorted()
        for _ in 0..<2_000 {
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            let url = "https://h/p?a=1&\(name)=SECRET\(random.next())&z=\(random.next())"
            #expect(!Redaction.url(url).contains("SECRET"))
        }
    }

    @Test func findsURLsInSentences() {
        #expect(
            Redaction.text("session by get: manifest https://h/a?sessid=S, metadata none")
                == "session by get: manifest https://h/a?sessid=***, metadata none")
        #expect(Redaction.text("sessid=plain words") == "sessid=plain words")
    }
}
