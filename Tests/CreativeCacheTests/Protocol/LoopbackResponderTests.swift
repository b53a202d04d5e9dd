import CreativeCache
import Ports
import Testing

/// Cases that the vectors omit; the vectors run over sockets in CreativeServerTests.
@Suite struct LoopbackResponderTests {
    private static let now = UnixTime(milliseconds: 1_800_000_000_000)
    private var store = CreativeStore()
    private var random = SplitMix64(seed: 1)

    private mutating func answer(
        _ method: String, _ target: String, _ fields: [HTTPField] = [HTTPField("Host", "localhost:16257")],
        body: String = "", rules: LoopbackRules = LoopbackRules()
    ) throws -> LoopbackAnswer {
        let request = LoopbackRequest(method: method, target: target, fields: fields, body: Array(body.utf8))
        let step = LoopbackResponder(rules: rules).answer(request, store: &store, using: &random, at: Self.now)
        guard case .answer(let answer) = step else { throw NotAnswered() }
        return answer
    }

    private struct NotAnswered: Error {}

    private func text(_ answer: LoopbackAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test(arguments: [
        "localhost", "localhost:80", "localhost:16257.", "localhost.:16257", "evil.example:16257", "127.0.0.2:16257",
        "::1:16257", "", ":16257", "user@localhost:16257",
    ])
    mutating func foreignHosts(_ host: String) throws {
        let answer = try answer("GET", "/status", [HTTPField("Host", host)])
        #expect(answer.status == 403 && answer.fields["access-control-allow-origin"] == nil)
    }

    @Test(arguments: ["LOCALHOST:16257", "127.0.0.1:16257", "[::1]:16257", "cache.test:16257"])
    mutating func ownHosts(_ host: String) throws {
        var rules = LoopbackRules()
        rules.extraHosts = ["cache.test"]
        let answer = try answer("GET", "/status", [HTTPField("Host", host)], rules: rules)
        #expect(answer.status == 204)
    }

    @Test mutating func twoHostsAreNone() throws {
        let host = HTTPField("Host", "localhost:16257")
        let answer = try answer("GET", "/status", [host, host])
        #expect(answer.status == 400)
    }

    @Test(arguments: [
        ("DELETE", "/123"), ("GET", "/a/b"), ("GET", "//123"), ("GET", "/%00"), ("GET", "/%ff"), ("GET", "*"),
        ("GET", "http://localhost:16257/123"), ("PUT", "/cache"), ("GET", "/.hidden"),
    ])
    mutating func badRequests(_ method: String, _ target: String) throws {
        let answer = try answer(method, target)
        #expect(answer.status == 400)
    }

    @Test mutating func aWriteKeyIsAskedFor() throws {
        var rules = LoopbackRules()
        rules.writeKey = "secret"
        let host = HTTPField("Host", "localhost:16257")
        let refused = try answer("POST", "/cache", [host], body: #"{"puts":[]}"#, rules: rules)
        #expect(refused.status == 403 && text(refused) == "Forbidden key")
        let taken = try answer(
            "POST", "/cache", [host, HTTPField("X-PBC-API-Key", "secret")], body: #"{"puts":[]}"#, rules: rules)
        #expect(taken.status == 200)
    }

    @Test mutating func allowedOriginsMayWrite() throws {
        var rules = LoopbackRules()
        rules.allowedOrigins = ["https://pub.example"]
        let fields = [HTTPField("Host", "localhost:16257"), HTTPField("Origin", "https://pub.example")]
        let answer = try answer("POST", "/cache", fields, body: #"{"puts":[]}"#, rules: rules)
        #expect(answer.status == 200)
    }

    @Test mutating func withoutSharingNoFieldSaysSo() throws {
        var rules = LoopbackRules()
        rules.sharesWithPages = false
        let answer = try answer("GET", "/status", rules: rules)
        #expect(answer.fields["access-control-allow-origin"] == nil)
    }

    @Test mutating func aBidIsReadAsABidAndItsMarkupAsMarkup() throws {
        let id = try #require(CreativeID("0a6f0a3e-0000-4000-8000-000000000001"))
        let content = CachedCreative.Content(body: Array("<b>x</b>".utf8), bidJSON: Array(#"{"adm":"<b>x</b>"}"#.utf8))
        store.put(CachedCreative(id: id, kind: .banner, content: content), at: Self.now)
        let bid = try answer("GET", "/cache?uuid=\(id.text)")
        #expect(text(bid) == #"{"adm":"<b>x</b>"}"# && bid.fields["content-type"] == "application/json")
        let markup = try answer("GET", "/\(id.text)")
        #expect(text(markup) == "<b>x</b>")
    }

    @Test mutating func jsonIsStoredByteForByte() throws {
        let value = #"{ "a" : [1.0, 12345678901234567890, "é\"]}"] }"#
        let written = try answer("POST", "/cache", body: #"{"puts":[{"value":\#(value),"type":"json"}]}"#)
        let id = try #require(
            try JSONReader.read(written.body)["responses"]?.arrayValue?.first?["uuid"]?.stringValue)
        let read = try answer("GET", "/cache?uuid=\(id)")
        #expect(text(read) == value)
    }

    @Test(arguments: [
        (#"[]"#, "[]\n"), (#"{"puts":3}"#, "{\"puts\":3}\n"), (#"{"puts":[{"type":"xml"}]}"#, "Missing value.\n"),
        (#"{"puts":[{"type":"xml","value":1}]}"#, "XML messages must have a String value. Found [49]\n"),
        (
            #"{"puts":[{"type":"xml","value":"a","ttlseconds":-5}]}"#,
            "ttlseconds must not be negative -5.\n"
        ),
        (
            #"{"puts":[{"type":"xml","value":"a"},{"type":"xml","value":"a","ttlseconds":1.5}]}"#,
            "{\"puts\":[{\"type\":\"xml\",\"value\":\"a\"},{\"type\":\"xml\",\"value\":\"a\",\"ttlseconds\":1.5}]}\n"
        ),
        (
            #"{"puts":[{"type":"xml","value":"a","ttlseconds":"60"}]}"#,
            "{\"puts\":[{\"type\":\"xml\",\"value\":\"a\",\"ttlseconds\":\"60\"}]}\n"
        ),
        (#"{"puts":[{"ttlseconds":1e30}]}"#, "{\"puts\":[{\"ttlseconds\":1e30}]}\n"),
        (#"{"puts":[{"value":"a"}]}"#, "Type must be one of [\"json\", \"xml\"]. Found ''\n"),
    ])
    mutating func writesThatAreRefused(_ body: String, _ expected: String) throws {
        let answer = try answer("POST", "/cache", body: body)
        #expect(answer.status == 400 && text(answer) == expected)
        #expect(store.count == 0)
    }

    @Test mutating func lifeIsCutToAnHourAndZeroMeansIt() throws {
        for seconds in ["", #","ttlseconds":0"#, #","ttlseconds":null"#, #","ttlseconds":99999999999"#] {
            _ = try answer("POST", "/cache", body: #"{"puts":[{"type":"json","value":1\#(seconds)}]}"#)
        }
        #expect(store.count == 4)
        #expect(store.records(at: Self.now).allSatisfy { $0.expiresAt == Self.now + .seconds(3_600) })
    }

    /// After any sequence of puts, reads, expiries and evictions, a 200 returns the bytes stored last, and requests
    /// never overwrite a creative.
    @Test(arguments: 1...10) mutating func whatComesOutIsWhatWentIn(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var limits = StoreLimits()
        limits.memoryBytes = 60
        store = CreativeStore(limits: limits)
        var rules = LoopbackRules()
        rules.allowsOwnKeys = true
        var stored: [String: (body: String, ends: UnixTime)] = [:]
        var now = Self.now
        for round in 0..<300 {
            now = now + .seconds(Int.random(in: 0...3, using: &random))
            let id = "k\(Int.random(in: 0...5, using: &random))"
            let isWrite = Bool.random(using: &random)
            let body = "1\(round)" + String(repeating: "0", count: Int.random(in: 0...20, using: &random))
            let life = Int.random(in: 1...20, using: &random)
            let put = #"{"puts":[{"type":"json","key":"\#(id)","value":\#(body),"ttlseconds":\#(life)}]}"#
            let request = LoopbackRequest(
                method: isWrite ? "POST" : "GET", target: isWrite ? "/cache" : "/\(id)",
                fields: [HTTPField("Host", "localhost:16257")], body: Array((isWrite ? put : "").utf8))
            let step = LoopbackResponder(rules: rules).answer(request, store: &store, using: &self.random, at: now)
            guard case .answer(let answer) = step else { throw NotAnswered() }
            let isThere = stored[id].map { now < $0.ends } ?? false
            if isWrite {
                let isTaken = text(answer).contains(#""uuid":"""#)
                #expect(answer.status == 200 && (!isTaken || isThere), "seed \(seed)")
                if !isTaken { stored[id] = (body, now + .seconds(life)) }
            } else if answer.status == 200 {
                #expect(isThere && text(answer) == stored[id]?.body, "seed \(seed)")
            } else {
                #expect(answer.status == 404)
            }
            #expect(store.memoryBytes <= limits.memoryBytes)
        }
    }

    /// Any bytes as target, host or body get an answer with a status of the table.
    @Test(arguments: 1...10) mutating func anythingIsAnswered(seed: UInt64) throws {
        var bytes = SplitMix64(seed: seed)
        let alphabet = Array("/%.?=&uid:[]{}\",0aé\u{0}puts".unicodeScalars)
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &bytes) {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &bytes)])
            }
            let method = ["GET", "POST", "HEAD", "OPTIONS"][Int.random(in: 0...3, using: &bytes)]
            let target = Bool.random(using: &bytes) ? "/cache" : "/\(String(text))"
            let answer = try answer(method, target, body: String(text))
            #expect([200, 204, 400, 403, 404].contains(answer.status), "seed \(seed)")
        }
    }
}
