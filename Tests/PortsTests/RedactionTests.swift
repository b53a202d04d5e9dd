import TestSupport
import Testing

@testable import Ports

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://h/a?sessid=SECRET&x=1", "https://h/a?sessid=***&x=1"),
        ("https://h/a?SessID=SECRET", "https://h/a?SessID=***"),
        ("https://user:pw@h/a", "https://***@h/a"), ("https://h/a", "https://h/a"),
        ("https://h/a?token", "https://h/a?token"),
        ("https://h/a?X-Amz-Signature=S&X-Amz-Credential=C", "https://h/a?X-Amz-Signature=***&X-Amz-Credential=***"),
        (
            "https://h/a?x-amz-security-token=S&Key-Pair-Id=K&jwt=J",
            "https://h/a?x-amz-security-token=***&Key-Pair-Id=***&jwt=***"
        ),
        (
            "https://h/a?hdntl=S&bpkio_sessionid=B&did=D&device_id=E",
            "https://h/a?hdntl=***&bpkio_sessionid=***&did=***&device_id=***"
        ),
        (
            "https://h/a?tifa=T&rdid=R&gdpr_consent=G&us_privacy=1YNN",
            "https://h/a?tifa=***&rdid=***&gdpr_consent=***&us_privacy=***"
        ),
        ("https://h/hdntl=exp=1700000000~acl=%2f*~hmac=abcdef/live/a.m3u8", "https://h/hdntl=***/live/a.m3u8"),
        ("https://h/hdntl=exp=17~acl=/*~data=x~hmac=abcdef/a.m3u8", "https://h/hdntl=***/*~data=x~hmac=***/a.m3u8"),
        ("https://h/v1/session/0f8fad5b-d9cb-469f-a165-70867728950e/a.m3u8", "https://h/v1/session/***/a.m3u8"),
        ("https://h/live;jsessionid=0A1B2C3D/a.m3u8?x=1", "https://h/live;jsessionid=***/a.m3u8?x=1"),
        ("https://h/token/abcdef0123456789/a.m3u8", "https://h/token/***/a.m3u8"),
        ("https://h/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/a", "https://h/***/a"),
        ("https://h/session/configuration/a.m3u8", "https://h/session/configuration/a.m3u8"),
        ("https://h/v1/tracking/01234567/ch7/7760003b54a685ae", "https://h/v1/tracking/01234567/ch7/***"),
        // Where sessions are opened there is no session in the path, but an account.
        ("https://h/v1/session/0123456789abcdef/ch7/a.m3u8", "https://h/v1/session/0123456789abcdef/ch7/a.m3u8"),
        ("https://h/v1/session/0123456789abcdef/a.m3u8", "https://h/v1/session/***/a.m3u8"),
        ("https://h/v1/session/0123456789abcdef/ch7/", "https://h/v1/session/***/ch7/"),
        ("https://h/session/0123456789abcdef/ch7/a.m3u8", "https://h/session/***/ch7/a.m3u8"),
        (
            "https://h/v1/manifest/0123456789abcdef/ch7/0f8fad5b-d9cb-469f-a165-70867728950e/0.m3u8",
            "https://h/v1/manifest/0123456789abcdef/ch7/***/0.m3u8"
        ),
        ("https://h/v1/tracking/european/ch7/7760003b54a685ae", "https://h/v1/tracking/european/ch7/7760003b54a685ae"),
        (
            "../../../manifest/0123456789abcdef/ch7/0f8fad5b-d9cb-469f-a165-70867728950e/0.m3u8",
            "../../../manifest/0123456789abcdef/ch7/***/0.m3u8"
        ),
        ("segment/01234567/ch7/7760003b54a685ae/0/3", "segment/01234567/ch7/***/0/3"),
        ("https://h/x/manifest/01234567/ch7/7760003b54a685ae", "https://h/x/manifest/01234567/ch7/7760003b54a685ae"),
        (
            "https://h/linear/hls/pa/event/k/stream/7760003b54a685ae:ATL/a.m3u8",
            "https://h/linear/hls/pa/event/k/stream/***:ATL/a.m3u8"
        ),
        (
            "https://h/linear/v1/pa/event/k/stream/7760003b54a685ae%3AATL/metadata",
            "https://h/linear/v1/pa/event/k/stream/***%3AATL/metadata"
        ),
        ("https://h/pod/3.m3u8?stream_id=7760003b54a685ae:ATL&sd=9", "https://h/pod/3.m3u8?stream_id=***&sd=9"),
        ("https://h/ondemand/hls/vid/v/streams/7760003b54a685ae/a", "https://h/ondemand/hls/vid/v/streams/***/a"),
        ("https://h/live/stream/channel-2027/a.m3u8", "https://h/live/stream/channel-2027/a.m3u8"),
        ("https://h/session/ping/7760003b54a685ae.json?v=3&pt=8", "https://h/session/ping/***.json?v=3&pt=8"),
        ("https://h/session/index01.m3u8", "https://h/session/index01.m3u8"),
        ("https://h/ping/7760003b54a685ae.json", "https://h/ping/7760003b54a685ae.json"),
        ("https://h/preplay/a.m3u8?pbs=7760003b54a685ae", "https://h/preplay/a.m3u8?pbs=***"),
        ("https://h/variant/v1/hls/index.m3u8", "https://h/variant/v1/hls/index.m3u8"),
        ("https://h/a?tok=exp=17~acl=/*~hmac=ab&x=1", "https://h/a?tok=***&x=1"),
        ("https://h/a?st=ab&x=1&e=17", "https://h/a?st=***&x=1&e=17"),
        ("https://h/a?api-key=K&auth-token=T&iu=1", "https://h/a?api-key=***&auth-token=***&iu=1"),
        ("https://u:pw@\u{301}h/a", "https://***@\u{301}h/a"),
        ("https://h/a?b=\u{D4E}&sig=S", "https://h/a?b=\u{D4E}&sig=***"),
        ("https://h/a\u{D4E}/token/abcdef0123456789/a", "https://h/a\u{D4E}/token/***/a"),
        ("https://h/live\u{D4E};jsessionid=0A1B/a.m3u8", "https://h/live\u{D4E};jsessionid=***/a.m3u8"),
        // URLs in the values of others.
        ("https://h/a?u=http://x/?token=SECRET&y=1", "https://h/a?u=http://x/?token=***&y=1"),
        (
            "https://h/a?u=http%3A%2F%2Fx%2F%3Ftoken%3DS%26n%3D1",
            "https://h/a?u=http%3A%2F%2Fx%2F%3Ftoken%3D***%26n%3D1"
        ),
        ("https://h/a?u=http%3A%2F%2Fanna%3ASECRET%40x%2Fa", "https://h/a?u=http%3A%2F%2F***%40x%2Fa"),
        // One within another within another.
        (
            "https://h/a?u=http%253A%252F%252Fanna%253ASECRET%2540x%252Fa%253Ftoken%253DSECRET%2526n%253D1",
            "https://h/a?u=http%253A%252F%252F***%2540x%252Fa%253Ftoken%253D***%2526n%253D1"
        ),
        ("https://h/a?u=%25253Fsig%25253DSECRET%252526n%3D1", "https://h/a?u=%25253Fsig%25253D***%252526n%3D1"),
        // What is escaped once more than the value is a part of it.
        ("https://h/a?u=%3Fsig%3DSECRET%2526SECRET%26n%3D1", "https://h/a?u=%3Fsig%3D***%26n%3D1"),
        (
            "https://h/a?u=%252Fv1%252Ftracking%252F01234567%252Fch7%252F7760003b54a685ae",
            "https://h/a?u=%252Fv1%252Ftracking%252F01234567%252Fch7%252F***"
        ),
        // Names may be escaped as well.
        ("https://h/a?%74oken=SECRET&x=1", "https://h/a?%74oken=***&x=1"),
        ("https://h/a?x=1&session%5Fid=SECRET", "https://h/a?x=1&session%5Fid=***"),
        ("https://h/a?u=%3Faws%252Esessionid%3DSECRET", "https://h/a?u=%3Faws%252Esessionid%3D***"),
        ("https://h/a?%2Ftoken=x&1%20token=y", "https://h/a?%2Ftoken=x&1%20token=y"),
        (
            "https://h/a?u=%2Fv1%2Ftracking%2F01234567%2Fch7%2F7760003b54a685ae",
            "https://h/a?u=%2Fv1%2Ftracking%2F01234567%2Fch7%2F***"
        ),
        ("https://h/a?x=1;sid=SECRET;y=2", "https://h/a?x=1;sid=***;y=2"),
        ("https://h/a#access_token=SECRET&x=1", "https://h/a#access_token=***&x=1"),
        (
            "https://h/a?session_id=S&authtoken=T&fastly_token=F&_fw_vcid2=V",
            "https://h/a?session_id=***&authtoken=***&fastly_token=***&_fw_vcid2=***"
        ),
        ("/rel?sig=abc#f", "/rel?sig=***#f"), ("https://h/a?aws.sessionId=1", "https://h/a?aws.sessionId=***"),
    ])
    func masksSecrets(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
    }

    /// A combining mark after a blank or an `@`, and U+0D4E before it, make one character of both.
    @Test func aMarkBesideASeparatorHidesNoSecret() {
        #expect(!Redaction.text("a\u{D4E} http://u:SECRET@h/").contains("SECRET"))
        #expect(!Redaction.credentials(in: "see \u{301}http://u:SECRET@\u{301}h/").contains("SECRET"))
        #expect(!Redaction.credentials(in: "\u{D4E}\"http://u:SECRET@\u{301}h/").contains("SECRET"))
        #expect(Redaction.sessionKey("http://h/ \u{301}SECRET") == "http://h/ ***")
        #expect(Redaction.sessionKey("http://h/") == "http://h/")
    }

    @Test(arguments: SignedURL.all) func nothingRedactedLeaks(url: SignedURL) {
        let seed: UInt64 = 7
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let drawn = url.drawn(from: &random)
            let shown = Redaction.url(drawn.signed)
            #expect(!shown.contains(SignedURL.mark), "\(shown)")
            for item in QueryItems(String(drawn.plain.split(separator: "?")[1])).items {
                #expect(QueryItems(String(shown.split(separator: "?")[1])).items.contains(item), "\(shown)")
            }
        }
    }

    /// Short names are ordinary words but for their partners, and when a token ends is no secret.
    @Test(arguments: [
        "http://h/a?e=7&h=720", "http://h/a?st=main&x=1", "http://h/a?sign=leo&e=2", "http://h/a?t=30",
        "http://h/a?expires=17", "http://h/a?hash=ab", "http://h/a?X-Amz-Date=17&X-Amz-Expires=9",
    ])
    func ordinaryParametersAreShown(url: String) {
        #expect(Redaction.url(url) == url)
    }

    @Test func findsURLsInSentences() {
        #expect(
            Redaction.text("session by get: manifest https://h/a?sessid=S, metadata none")
                == "session by get: manifest https://h/a?sessid=***, metadata none")
        #expect(Redaction.text("sessid=plain words") == "sessid=plain words")
    }

    /// Sentences have URLs in quotation marks, in brackets and on lines of their own, and parts of documents.
    @Test(arguments: [
        ("a tracker timed out: 'https://t/p?token=SECRET'", "a tracker timed out: 'https://t/p?token=***'"),
        ("segment ../a.ts?token=SECRET, after 3/5", "segment ../a.ts?token=***, after 3/5"),
        ("'/session/abcdef0123456789/p' answered 404", "'/session/***/p' answered 404"),
        (
            #"starts with '{"sid":"abcdef0123456789","u":"http:\/\/a:SECRET@t\/?sig=SECRET"}'"#,
            #"starts with '{"sid":"***","u":"http:\/\/***@t\/?sig=***"}'"#
        ),
        (#"a text in JSON: {\"token\":\"SECRET\"}"#, #"a text in JSON: {\"token\":\"***\"}"#),
        ("#EXT-X-DEFINE:NAME=\"token\",VALUE=\"SECRET\"", "#EXT-X-DEFINE:NAME=\"token\",VALUE=\"***\""),
        ("#EXT-X-DEFINE:NAME=\"q\",VALUE=\"sig=SECRET&x=1\"", "#EXT-X-DEFINE:NAME=\"q\",VALUE=\"sig=***&x=1\""),
        ("#EXT-X-DEFINE:NAME=\"path\",VALUE=\"v12\"", "#EXT-X-DEFINE:NAME=\"path\",VALUE=\"v12\""),
        // The value may be a part of a URL, and the name an ordinary word.
        ("#EXT-X-DEFINE:NAME=\"token\",VALUE=\"?hdnts=SECRET\"", "#EXT-X-DEFINE:NAME=\"token\",VALUE=\"?hdnts=***\""),
        ("#EXT-X-DEFINE:NAME=\"token\",VALUE=\"SECRET&x=1\"", "#EXT-X-DEFINE:NAME=\"token\",VALUE=\"***&x=1\""),
        ("#EXT-X-DEFINE:NAME=\"auth\",VALUE=\"v12\"", "#EXT-X-DEFINE:NAME=\"auth\",VALUE=\"v12\""),
        ("#EXT-X-DEFINE:NAME=\"sid\",VALUE=\"news-channel\"", "#EXT-X-DEFINE:NAME=\"sid\",VALUE=\"news-channel\""),
        ("#EXT-X-DEFINE:NAME=\"sid\",VALUE=\"7760003b54a685ae\"", "#EXT-X-DEFINE:NAME=\"sid\",VALUE=\"***\""),
        ("token = SECRET, auth: none, key=value", "token = SECRET, auth: none, key=value"),
        ("a tracker timed out: 'https://anna:SECRET@t/p?x=1'", "a tracker timed out: 'https://***@t/p?x=1'"),
        ("start lists \"https://SECRET@t/p\" twice", "start lists \"https://***@t/p\" twice"),
        ("(http://anna:SECRET@t/session/abcdef0123456789/p)", "(http://***@t/session/***/p)"),
        ("rejected:\nhttp://anna:SECRET@t/p", "rejected:\nhttp://***@t/p"),
        ("see url=http://anna:SECRET@t/p?x=1, or 'x'", "see url=http://***@t/p?x=1, or 'x'"),
        ("'https://h:80/@a' 'https://h/a?x=1'", "'https://h:80/@a' 'https://h/a?x=1'"),
    ])
    func masksWhoAsksInSentences(text: String, shown: String) {
        #expect(Redaction.text(text) == shown)
    }

    @Test(arguments: [
        ("Set-Cookie", "sid=SECRET; Path=/", "sid=***; Path=/"), ("set-cookie", "SECRET", "***"),
        ("Authorization", "Bearer SECRET", "***"), ("Cookie", "a=SECRET; b=SECRET", "***"),
        ("X-API-Key", "SECRET", "***"),
        ("Location", "/a?token=SECRET&x=1", "/a?token=***&x=1"), ("Server", "x", "x"),
    ])
    func masksHeaderFields(name: String, value: String, shown: String) {
        #expect(Redaction.field(name, value) == shown)
    }

    @Test(arguments: [
        ("https://anna:SECRET@h/a: answered 401", "https://***@h/a: answered 401"),
        ("'https://anna:SECRET@' has no host", "'https://***@' has no host"),
        ("https://SECRET@h", "https://***@h"), ("https://a:SEC@RET@h/@b", "https://***@h/@b"),
        ("https://a:SEC/RET@h/b", "https://***@h/b"),
        ("https://h/a?u=http://a:SECRET@i/", "https://h/a?u=http://***@i/"),
        ("x https://h:80/@a y", "x https://h:80/@a y"), ("https://h/a", "https://h/a"),
        ("http://[::1]/@a", "http://[::1]/@a"), ("http://a:SECRET@[::1]/b", "http://***@[::1]/b"),
        ("https://a:SECRET@h/x.m3u8:3: error", "https://***@h/x.m3u8:3: error"), ("anna@h", "anna@h"),
        ("proxy=http://a:SECRET@h:1;b=ftp://c:SECRET@d", "proxy=http://***@h:1;b=ftp://***@d"), ("://@", "://***@"),
    ])
    func masksWhoAsks(text: String, shown: String) {
        #expect(Redaction.credentials(in: text) == shown)
        #expect(Redaction.credentials(in: text, isBare: true) == shown)
    }

    @Test func masksWhoAsksWithoutAScheme() {
        #expect(Redaction.credentials(in: "anna:SECRET@h/a: no such file", isBare: true) == "***@h/a: no such file")
        #expect(Redaction.credentials(in: "a:b@c") == "a:b@c")
    }

    /// A partner is looked for in the blocks of 1,024 bytes before and after that of a parameter.
    @Test func aPartnerIsNearby() {
        let list = Array(repeating: "st=main", count: 400).joined(separator: "&")
        let spans = SecretScan(Array("/a?\(list)&e=17".utf8)).spans
        #expect(spans.count == 144 && spans.first == 2_054..<2_058)
    }

    /// A line of a document may be long, and full of what looks like a URL.
    @Test func longTextsAreReadOnce() {
        let text = String(repeating: "://a:b", count: 20_000) + "@"
        #expect(Redaction.credentials(in: text).hasSuffix("***@"))
        #expect(Redaction.credentials(in: String(repeating: "://a@b", count: 20_000)).hasPrefix("://***@b://***@b"))
    }
}
