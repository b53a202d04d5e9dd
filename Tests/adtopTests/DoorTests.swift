import Ports
import Testing

@testable import adtop

/// What stands in the place of a verb.
struct DoorTests {
    private static let files: [String: FileKind] = [
        "session.adtop": .recording, "live.m3u8": .playlist, "ad.xml": .vast, "v.xml": .vmap, "m.mpd": .dash,
        "j.sqlite": .journal, "channels.txt": .sessions, "README.md": .other,
    ]

    private static func door(_ places: [String]) throws(CommandFailure) -> Door {
        try Door(places, verbs: VerbNames.all) { files[$0] }
    }

    @Test func aURLIsAStream() throws {
        let url = try WebURL("https://a.example/x.m3u8")
        let other = try WebURL("http://127.0.0.1:80/y")
        #expect(try Self.door([url.text]) == .stream(url))
        #expect(try Self.door([url.text, other.text]) == .streams([url, other]))
        #expect(try Self.door(["session.adtop"]) == .recording("session.adtop"))
    }

    @Test(arguments: [
        ([], "no stream: give its URL, or see adtop --help"),
        (["moniter", "x"], "'moniter' is not a verb; did you mean 'monitor'? See adtop --help"),
        (["qqq"], "'qqq' is neither a verb, a file nor an http(s) URL; see adtop --help"),
        (["absent.m3u8"], "'absent.m3u8' is neither a verb, a file nor an http(s) URL; see adtop --help"),
        (["live.m3u8"], "'live.m3u8' is a playlist; adtop hls parse live.m3u8 reads it"),
        (["ad.xml"], "'ad.xml' is a VAST document; adtop vast lint ad.xml reads it"),
        (["v.xml"], "'v.xml' is a VMAP document; adtop vmap parse v.xml reads it"),
        (["m.mpd"], "'m.mpd' is a DASH manifest; adtop follows HLS only: give the HLS URL of the same stream"),
        (["j.sqlite"], "'j.sqlite' is a journal; adtop report j.sqlite reads it"),
        (["channels.txt"], "'channels.txt' is a file with URLs; adtop monitor channels.txt follows them"),
        (["README.md"], "'README.md' is a file, not the URL of a stream; adtop --help lists the verbs that read files"),
        (
            ["session.adtop", "http://a.example/"],
            "'session.adtop' is a recording; adtop replay session.adtop shows it"
        ),
        (["http://a.example/", "nope"], "'nope' is neither a verb, a file nor an http(s) URL; see adtop --help"),
        (["a.example/x.m3u8"], "'a.example/x.m3u8' has no scheme; try https://a.example/x.m3u8"),
        (["localhost:8080/x"], "'localhost:8080/x' has no scheme; try http://localhost:8080/x"),
        (["127.0.0.1:8080"], "'127.0.0.1:8080' has no scheme; try http://127.0.0.1:8080"),
        (["me:pass@a.example/x"], "'***@a.example/x' has no scheme; try http://***@a.example/x"),
        (
            ["rtmp://me:pass@a.example/x"],
            "'rtmp://***@a.example/x' has the scheme 'rtmp'; adtop follows HLS over http and https"
        ),
        (["rtmp://a.example/x"], "'rtmp://a.example/x' has the scheme 'rtmp'; adtop follows HLS over http and https"),
        (
            ["file:///x/live.m3u8"],
            "'file:///x/live.m3u8' is a file URL; give the path of a recording, or see adtop --help"
        ),
        (["http:///x"], "'http:///x' has no host; give the URL of a stream, or see adtop --help"),
        ([""], "'' is empty; give the URL of a stream, or see adtop --help"),
    ])
    func whatIsNoStreamGetsOneSentence(places: [String], sentence: String) {
        #expect(throws: CommandFailure(.usage, sentence)) { try Self.door(places) }
    }

    @Test(
        arguments: [
            (["hls", "pars", "x"], "hls: no verb 'pars'; did you mean 'parse'? See adtop hls --help"),
            (["help", "moniter"], "no verb 'moniter'; did you mean 'monitor'? See adtop --help"),
            (["help", "nope"], "no verb 'nope'; see adtop --help"),
            // Two letters in the wrong order are two differences of four.
            (["cache", "cert", "inti"], "cache cert: no verb 'inti'; see adtop cache cert --help"),
            (["cache", "cert", "shw"], "cache cert: no verb 'shw'; did you mean 'show'? See adtop cache cert --help"),
            (["hls", "parse", "x"], nil), (["watch", "x"], nil), (["hls", "--help"], nil), (["x"], nil), ([], nil),
        ] as [([String], String?)])
    func aMistypedVerbHasASuggestion(arguments: [String], sentence: String?) {
        #expect(VerbNames.failure(in: arguments)?.message == sentence)
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-VERSION:3\n", FileKind.playlist), ("\u{FEFF}#EXTM3U", .playlist),
        ("<?xml version=\"1.0\"?>\n<!-- c -->\n<VAST version=\"4.2\">", .vast),
        ("<vmap:VMAP xmlns:vmap=\"x\">", .vmap), ("<VMAP >", .vmap), ("<MPD xmlns=\"urn:mpeg:dash\">", .dash),
        ("SQLite format 3\0", .journal), ("{\"format\":\"adtop-recording/2\"}", .recording),
        ("# channels\none https://a.example/x.m3u8 mode=fire\n", .sessions), ("# title\n", .other), ("", .other),
        ("\u{FEFF} \n<VAST>", .vast), (#"{"seatbid":[{"bid":[{"adm":"<VAST version=\"4.0\">"}]}]}"#, .other),
        (#"[{"URI":"https://a.example/x.m3u8"}]"#, .other), ("<html><a href='https://a.example/'>", .other),
    ])
    func aFileIsKnownByItsBeginning(text: String, kind: FileKind) {
        #expect(FileKind(beginning: Array(text.utf8)) == kind)
    }

    @Test func aCompressedFileIsARecording() {
        #expect(FileKind(beginning: [0x1F, 0x8B, 0x08, 0, 0]) == .recording)
    }

    @Test func theFirstPageIsShort() {
        let lines = ShortHelp.verbs.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 25)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for verb in VerbNames.all where verb != "help" { #expect(ShortHelp.verbs.text.contains(verb)) }
        #expect(ShortHelp.welcome.text.split(separator: "\n").count <= 10)
        #expect(ShortHelp(for: ["--help", "all"]) == nil && ShortHelp.isForAll(["--help", "all"]))
        #expect(!ShortHelp.isForAll(["watch", "all"]) && !ShortHelp.isForAll(["--help"]))
    }
}
