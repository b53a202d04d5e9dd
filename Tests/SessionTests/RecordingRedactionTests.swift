import AdTracking
import Ports
import Session
import TestSupport
import Testing

@Suite struct RecordingRedactionTests {
    private static let url = "http://127.0.0.1/live.m3u8"

    /// The recorded form of an answer with this body and these header fields.
    private func lines(
        body: String = "", url: String = Self.url, fields: [HTTPField] = [], writer: inout RecordingWriter
    ) -> String {
        let exchange = HTTPExchange(hops: [.init(url: url, status: 200, fields: fields)], body: Array(body.utf8))
        let recorded = RecordedInput(
            input: .fetched(RequestID(1), exchange), at: Moment(wall: FakeOrigin.start, uptime: .zero))
        return writer.lines(for: recorded).joined(separator: "\n")
    }

    private func recorded(_ body: String) -> String {
        var writer = RecordingWriter()
        return lines(body: body, writer: &writer)
    }

    @Test(
        arguments: [
            ("http://h/a?sessid=S3CRET-S3CRET&n=1", "http://h/a?sessid=r000000000001&n=1"),
            // Services are recognised by such accounts.
            ("/v1/x/0123456789abCDEF/?sid=0123456789abCDEF", "/v1/x/a000000000000001/?sid=a000000000000001"),
            ("a.m3u8?n=1&amp;token=S3CRET'", "a.m3u8?n=1&amp;token=r00001'"),
            ("<![CDATA[https://h/?uid=S3CRET]]>", "<![CDATA[https://h/?uid=r00001]]>"),
            ("https://user:S3CRET@h/a", "https://r0000000001@h/a"),
            ("http://h/?u=http%3A%2F%2Fx%2F%3Ftoken%3DS3CRET%26n%3D1", "u=http%3A%2F%2Fx%2F%3Ftoken%3Dr00001%26n%3D1"),
            ("u=http%253A%252F%252Fx%252F%253Ftoken%253DS3CRET%2526n%253D1", "%253Ftoken%253Dr00001%2526n%253D1"),
            ("/a?%74oken=S3CRET&n=1", "/a?%74oken=r00001&n=1"),
            // Variables of playlists: by their names, and by what they stand for.
            (#"#EXT-X-DEFINE:NAME="token",VALUE="S3CRET""#, #"NAME=\"token\",VALUE=\"r00001\""#),
            (#"#EXT-X-DEFINE:VALUE="S3CRET/4b28-8c3a",NAME="Sid""#, #"VALUE=\"r000000000000001\",NAME=\"Sid\""#),
            ("#EXT-X-DEFINE:NAME=\"q\",VALUE=\"S3CRET\"\na?token={$q}", #"VALUE=\"r00001\"\na?token={$q}"#),
            (
                "#EXT-X-DEFINE:NAME=\"q\",VALUE=\"S3CRET-4b28-8c3a/b\"\n/session/{$q}/a",
                #"VALUE=\"r000000000000001/b\"\n/session/{$q}/a"#
            ),
            // What follows the secret in the value is no part of it, as in the URL.
            ("#EXT-X-DEFINE:NAME=\"q\",VALUE=\"S3CRET&n=1\"\na?token={$q}", #"VALUE=\"r00001&n=1\"\na?token={$q}"#),
            (#"#EXT-X-DEFINE:NAME="token",VALUE="?sig=S3CRET&n=1""#, #"VALUE=\"?sig=r00001&n=1\""#),
            (#"#EXT-X-DEFINE:NAME="q",VALUE="token=S3CRET&n=1""#, #"VALUE=\"token=r00001&n=1\""#),
            ("get http://h/a?sig=S3CRET, then", "get http://h/a?sig=r00001, then"),
            ("/a?sessid=S3CRET-S3CRET-1 /b/S3CRET-S3CRET-1/c", "/a?sessid=r00000000000001 /b/r00000000000001/c"),
            ("/b/S3CRET-S3CRET-1/c /a?sessid=S3CRET-S3CRET-1", "/b/r00000000000001/c /a?sessid=r00000000000001"),
            ("?sid=S3CRET%2FX&token=S3CRET/X", "?sid=r000000001&token=r000000001"),
            // Tokens in paths.
            (
                "https://h/hdntl=exp=1700000000~acl=%2f*~hmac=S3CRET/live/a.m3u8",
                "https://h/hdntl=r0000000000000000000000000000000001/live/a.m3u8"
            ),
            (
                "https://h/hdntl=exp=17~acl=/*~data=x~hmac=S3CRET/a.m3u8",
                "https://h/hdntl=r0000000001/*~data=x~hmac=r00002/a.m3u8"
            ),
            ("/v1/session/S3CRET12-b6e5-4b28-8c3a/a.m3u8", "/v1/session/r0000000000000000000001/a.m3u8"),
            ("/token/S3CRETabcdef0123/a.m3u8", "/token/r000000000000001/a.m3u8"),
            ("/v1/session/0123456789abcdef/a.m3u8", "/v1/session/a000000000000001/a.m3u8"),
            // It stays one, so that a replay masks it.
            ("https://h/eyJhbGciOi.eyJzdWIiS3CRET.c2ln/a.m3u8", "https://h/eyJ00000000000000000000000.0.1/a.m3u8"),
            ("https://h/live;jsessionid=S3CRET/a.m3u8?x=1", "https://h/live;jsessionid=r00001/a.m3u8?x=1"),
            ("/token/S3CRET+abc==d0123/a.m3u8", "/token/r0000000000000001/a.m3u8"),
            // Sessions in the addresses of services, also in relative and in escaped ones.
            ("/v1/tracking/0123456789abcdef/ch/S3CRET-4b28-8c3a", "/v1/tracking/0123456789abcdef/ch/r000000000000001"),
            (
                "../../manifest/01234567/ch/S3CRET-4b28-8c3a/0.m3u8",
                "../../manifest/01234567/ch/r000000000000001/0.m3u8"
            ),
            ("\"segment/01234567/ch/S3CRET-4b28-8c3a/0/1", "segment/01234567/ch/r000000000000001/0/1"),
            ("u=http%3A%2F%2Fx%2Fv1%2Ftracking%2F01234567%2Fch%2FS3CRET-4b28-8c3a%26", "%2Fch%2Fr000000000000001%26"),
            ("h:\\/\\/x\\/v1\\/segment\\/01234567\\/ch\\/S3CRET-4b28-8c3a\\/1", "ch\\\\/r000000000000001\\\\/1"),
            ("/linear/hls/pa/event/k/stream/S3CRET-4b28-8c3a:ATL/m.m3u8", "/stream/r000000000000001:ATL/m.m3u8"),
            ("/ondemand/hls/vid/v/streams/S3CRET-4b28-8c3a/m", "/streams/r000000000000001/m"),
            ("/session/ping/S3CRET-4b28-8c3a.json?v=3", "/session/ping/r000000000000001.json?v=3"),
            // The same identifier is the same word, with and without the place that serves it.
            (
                "?stream_id=S3CRET-4b28-8c3a:ATL /a/S3CRET-4b28-8c3a/b",
                "?stream_id=r000000000000001:ATL /a/r000000000000001/b"
            ),
            ("http:\\/\\/u:S3CRET@h\\/a", "http:\\\\/\\\\/r0000001@h\\\\/a"),
            ("u=http%3A%2F%2Fu%3AS3CRET%40h%2Fa", "u=http%3A%2F%2Fr000000001%40h%2Fa"),
            ("a?x=1&amp;sid=S3CRET/X", "a?x=1&amp;sid=r0000001"), ("a?x=1;sid=S3CRET/X", "a?x=1;sid=r0000001"),
            // Names that are secret beside their partner, and tokens under any name.
            ("a?st=S3CRET&amp;e=17", "a?st=r00001&amp;e=17"), ("a?e=17\\u0026st=S3CRET\"", "e=17\\\\u0026st=r00001"),
            ("u=http%3A%2F%2Fx%2F%3Fe%3D17%26st%3DS3CRET", "%3Fe%3D17%26st%3Dr00001"),
            ("a?tok=exp=17~acl=/*~hmac=S3CRET&x=1", "a?tok=exp=17~acl=/*~hmac=r00001&x=1"),
            ("a?tok=exp%3D17%7Ehmac%3DS3CRET&x=1", "a?tok=exp%3D17%7Ehmac%3Dr00001&x=1"),
            ("a?x=\u{D4E}&e=17&st=S3CRET", "e=17&st=r00001"),
            ("a?wsSecret=S3CRET&wsTime=17", "a?wsSecret=r00001&wsTime=17"),
            ("#EXTINF:4,\nlive;jsessionid=S3CRET?x=1\n", "live;jsessionid=r00001?x=1"),
        ])
    func secretsAreReplacedInPlace(text: String, expected: String) {
        let line = recorded(text)
        #expect(line.contains(expected), "\(line)")
        #expect(!line.contains("S3CRET"))
    }

    @Test func membersOfJSONAreReplaced() {
        let line = recorded(#"{"sessionId" : "S3CRET", "key": "kept", "token":7}"#)
        #expect(line.contains(#"{\"sessionId\" : \"r00001\", \"key\": \"kept\", \"token\":7}"#), "\(line)")
    }

    /// Names that mean other things as well have a session where the value is an identifier.
    @Test func identifiersOfSessionsInJSONAreReplaced() {
        let line = recorded(#"{"sid":"S3CRET-4b28-8c3a","stream_id":"S3CRET-4b28-8c3b:ATL","session":"morning"}"#)
        #expect(line.contains(#"\"sid\":\"r000000000000001\",\"stream_id\":\"r000000000000002:ATL\""#), "\(line)")
        #expect(line.contains(#"\"session\":\"morning\""#) && !line.contains("S3CRET"), "\(line)")
    }

    /// A session may be named by its address, which is needed to understand the recording.
    @Test func ofAnAddressInJSONOnlyTheSecretIsReplaced() {
        let line = recorded(
            #"{"session":"https://h/live-2027/index?token=S3CRET","sid":"https:\/\/h\/a-2027?token=S3CRET"}"#)
        #expect(line.contains(#"{\"session\":\"https://h/live-2027/index?token=r00001\","#), "\(line)")
        #expect(line.contains("a-2027?token=r00001") && !line.contains("S3CRET"), "\(line)")
        // The key of a session is an address with the identifier behind it.
        #expect(!recorded(#"{"session":"http://h S3CRET-4b28-8c3a"}"#).contains("S3CRET"))
    }

    @Test(
        arguments: [
            "{\"session\":\"https://h/live-2027/index\"}",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "http://h/?sid=[SESSIONID]&x=1", "http://h/?uid=${UID}", "a=b&c=d",
            "12:30:15", "{\"a\":\"b\"}", "?sessid=", "?sessid=&n=1", "://", "=", "%3D", "\"sid\":\"", "user@host",
            "https://h/session/configuration/a.m3u8", "/session/short1/a.m3u8", "/tokens/", "/hdntl=/a.m3u8",
            "/eyJhbGciOi/a.m3u8", "a?st=main&x=1", "a?st=main&x=1 b?e=17",
            "{\"st\":\"ab\",\"e\":\"17\"}", "a?e=17&expires=18",
            "https://h/variant/v1/hls/index.m3u8", "/live;jsessionid=/a.m3u8", "/session/index01.m3u8",
            "/stream/channel-2027/a",
            "/x/manifest/01234567/ch/7760003b54a685ae", "/v1/tracking/european/ch/7760003b54a685ae",
            "/ping/7760003b54a685ae", "/v1/session/0123456789abcdef/ch/a.m3u8",
            "h:\\/\\/x\\/v1\\/session\\/0123456789abcdef\\/ch\\/a",
            "u=http%3A%2F%2Fx%2Fv1%2Fsession%2F0123456789abcdef%2Fch%2Fa.m3u8",
            "/v1/tracking/01234567/ch/${SESSION}1234567890", "\"sid\":\"channel-seven\"", "%2F", "\\/",
            "http%3A%2F%2Fh%2Fa", "#EXT-X-DEFINE:NAME=\"session\",VALUE=\"morning\"\n/session/{$session}/a",
            "#EXT-X-DEFINE:NAME=\"session\",VALUE=\"https://h/live-2027/index\"",
            "#EXT-X-DEFINE:NAME=\"q\",VALUE=\"S3CRET\"\na?n={$q}",
        ])
    func otherTextStays(text: String) {
        var plain = RecordingWriter(redaction: .none)
        #expect(recorded(text) == lines(body: text, writer: &plain))
    }

    @Test func headerFieldsAreReplaced() {
        var writer = RecordingWriter()
        let line = lines(
            fields: [
                HTTPField("Set-Cookie", "sid=S3CRET; Path=/"), HTTPField("Authorization", "Bearer S3CRET"),
                HTTPField("Location", "/a?sessid=S3CRET"), HTTPField("Server", "x"),
            ], writer: &writer)
        #expect(line.contains(#"["Set-Cookie","sid=r00001; Path=/"]"#), "\(line)")
        #expect(line.contains(#"["Location","/a?sessid=r00001"]"#))
        #expect(line.contains(#"["Server","x"]"#))
        #expect(!line.contains("S3CRET"))
    }

    /// An equals sign with a combining mark after it is one character.
    @Test func aMarkBesideASeparatorHidesNoCookie() {
        var writer = RecordingWriter()
        let line = lines(fields: [HTTPField("Set-Cookie", "sid=\u{301}S3CRET; Max-Age=3")], writer: &writer)
        #expect(!line.contains("S3CRET") && line.contains("; Max-Age=3"), "\(line)")
    }

    /// A replay advises as the session did, so the names of the schemes stay; they are all that stays.
    @Test(arguments: [
        ("Digest realm=\"S3CRET, Basic\", nonce=\"S3CRET\"", "Digest"),
        ("Negotiate S3CRET==, basic realm=S3CRET", "Negotiate, Basic"), ("S3CRET realm=x", ""),
    ]) func schemesOfLoginsStay(value: String, expected: String) {
        var writer = RecordingWriter()
        let line = lines(fields: [HTTPField("WWW-Authenticate", value)], writer: &writer)
        #expect(line.contains("[\"WWW-Authenticate\",\"\(expected)\"]") && !line.contains("S3CRET"), "\(line)")
    }

    @Test func theConfigurationIsReplacedToo() throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://u:S3CRET@127.0.0.1/a?sessid=S3CRET"))
        configuration.decision = .vast(tag: "http://h/?ifa=S3CRET&cb=[CACHEBUSTING]")
        configuration.macros = ["IFA": "S3CRET", "SITE": "news"]
        var writer = RecordingWriter()
        let header = writer.header(configuration)
        #expect(!header.contains("S3CRET"))
        #expect(header.contains("news"))
        #expect(header.contains("cb=[CACHEBUSTING]"))
        #expect(try RecordingFormat.readHeader(Array(header.utf8)).mediaURL.query == "sessid=r00002")
    }

    @Test func aJournalsSessionStaysTheSessionsOwn() throws {
        var writer = RecordingWriter()
        let first = lines(body: "/m?sessid=S3CRET-S3CRET-1", writer: &writer)
        let beacon = JournalBeacon(
            session: "http://127.0.0.1 S3CRET-S3CRET-1", breakName: "=b", adName: "=a", adStart: FakeOrigin.start,
            type: "start", start: FakeOrigin.start, url: "http://h/b?sessid=S3CRET-S3CRET-1")
        let opening = JournalOpening(entries: [.init(beacon: beacon, round: 0, attempt: 1, outcome: nil)])
        let line = writer.lines(
            for: RecordedInput(
                input: .journalOpened(opening), at: Moment(wall: FakeOrigin.start, uptime: .zero))
        ).joined()
        #expect(first.contains("sessid=r00000000000001"))
        #expect(line.contains(#""session":"http://127.0.0.1 r00000000000001""#), "\(line)")
        #expect(!line.contains("S3CRET"))
    }

    /// A place that serves a session is no part of its identifier, so that the journal names what the answers name.
    @Test func aJournalsSessionHasItsPlace() throws {
        var writer = RecordingWriter()
        _ = lines(body: #"{"stream_id":"S3CRET-4b28-8c3a:ATL"}"#, writer: &writer)
        let beacon = JournalBeacon(
            session: "http://127.0.0.1 S3CRET-4b28-8c3a:ATL", breakName: "=b", adName: "=a", adStart: FakeOrigin.start,
            type: "start", start: FakeOrigin.start, url: "http://h/b")
        let opening = JournalOpening(entries: [.init(beacon: beacon, round: 0, attempt: 1, outcome: nil)])
        let at = Moment(wall: FakeOrigin.start, uptime: .zero)
        let line = writer.lines(for: RecordedInput(input: .journalOpened(opening), at: at)).joined()
        #expect(line.contains(#""session":"http://127.0.0.1 r000000000000001:ATL""#), "\(line)")
    }

    /// Whatever surrounds a secret, the secret is removed and the rest of the text keeps its length.
    @Test(arguments: 0..<200 as Range<UInt64>) func nothingRedactedLeaks(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names = URLParameter.secretNames.sorted()
        var text = ""
        for _ in 0..<(1 + random.next() % 12) {
            let name = names[Int(random.next() % UInt64(names.count))]
            let secret = "S3CRET\(random.next() % 4)-\(random.next() % 100_000_000)"
            switch random.next() % 5 {
            case 0: text += "http://h/a?x=1&\(name)=\(secret)"
            case 1: text += "<a href='./b?\(name.uppercased())=\(secret)&amp;y=2'>"
            case 2: text += "https://\(secret)@h/\n"
            case 3: text += "\"u\":\"http://h/?\(name)=\(secret)\\u0026z=1\","
            default: text += "http%3A%2F%2Fh%2F%3F\(name)%3D\(secret)%26q%3D1 "
            }
            text += ["", " ", "\n", "é", "\"", "&", "?", "="][Int(random.next() % 8)]
        }
        var writer = RecordingWriter(), plain = RecordingWriter(redaction: .none)
        let line = lines(body: text, writer: &writer)
        #expect(!line.contains("S3CRET"), "seed \(seed): \(text)\n\(line)")
        #expect(line.utf8.count == lines(body: text, writer: &plain).utf8.count, "seed \(seed): \(text)\n\(line)")
    }
}
