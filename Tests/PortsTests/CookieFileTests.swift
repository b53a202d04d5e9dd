import Ports
import Testing

@Suite struct CookieFileTests {
    private let now = UnixTime(milliseconds: 1_800_000_000_000)

    @Test func readsWhatOtherProgramsWrite() throws {
        let text = """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            .example.test\tTRUE\t/\tFALSE\t1900000000\ta\t1
            #HttpOnly_www.example.test\tFALSE\t/dir\tTRUE\t0\tb\ttwo words
            example.test\tFALSE\t/\tFALSE\t1900000000.25\tempty\t
            example.test\tFALSE\t/\tFALSE\t1700000000\texpired\tx
            .co.uk\tTRUE\t/\tFALSE\t0\tsuffix\tx
            """
        var jar = try CookieFile.read(text.replacing("\n", with: "\r\n"), at: now)
        #expect(jar.cookies.map(\.name) == ["a", "b", "empty"])
        #expect(jar.field(for: try WebURL("https://www.example.test/dir/x"), at: now) == "b=two words; a=1")
        #expect(jar.field(for: try WebURL("http://example.test/"), at: now) == "a=1; empty=")
    }

    @Test func aJarComesBackAsItWas() throws {
        var jar = CookieJar()
        let fields = [
            "a=1; Domain=example.test; Max-Age=5", "b=2; HttpOnly; Secure; Path=/x",
            "c=; Expires=Fri, 1 Jan 2100 0:0:0",
        ]
        jar.store(fields.map { HTTPField("Set-Cookie", $0) }, from: try WebURL("https://h.example.test/p/q"), at: now)
        let text = CookieFile.text(jar, at: now)
        #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
        #expect(try CookieFile.read(text, at: now).cookies == jar.cookies)
        #expect(
            try CookieFile.read(CookieFile.text(jar, at: now + .seconds(5)), at: now).cookies.map(\.name) == ["b", "c"])
    }

    /// No server makes a file that cannot be read at the next start.
    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "a\u{2028}b", "\u{301}", "\u{D4E}", "#x", "\u{FEFF}"])
    func anyValueComesBack(value: String) throws {
        var jar = CookieJar()
        jar.store(
            [HTTPField("Set-Cookie", "n=\(value); Path=/\(value)"), HTTPField("Set-Cookie", "\(value)=1")],
            from: try WebURL("https://h.example/"), at: now)
        #expect(jar.cookies.count == 2)
        #expect(try CookieFile.read(CookieFile.text(jar, at: now), at: now).cookies == jar.cookies)
    }

    @Test(arguments: [
        ("x", "1 fields"), ("a\tb\tc\td", "4 fields"), ("h\tTRUE\t/\tFALSE\tsoon\ta\tSECRET", "fifth field"),
        ("h\tmaybe\t/\tFALSE\t0\ta\tSECRET", "second field"), ("h\tTRUE\t/\t1\t0\ta\tSECRET", "fourth field"),
        ("\tTRUE\t/\tFALSE\t0\ta\tSECRET", "no domain"), ("h\tTRUE\t/\tFALSE\t0\t\tSECRET", "no name"),
        ("h\tTRUE\t/\tFALSE\t0\ta\tSECRET\u{1}", "control"),
    ])
    func otherLinesAreNamedWithoutTheirContents(line: String, problem: String) throws {
        let thrown = #expect(throws: CookieFile.Problem.self) { try CookieFile.read("# x\n\(line)\n", at: now) }
        let found = try #require(thrown)
        #expect(found.line == 2 && found.message.contains(problem) && !found.message.contains("SECRET"))
    }
}
