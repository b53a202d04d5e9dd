import Screen
import Testing

@Suite struct StyledLineTests {
    private func names(_ line: StyledLine) -> [String] {
        line.segments.map { "\($0.text.string)/\($0.role.name)" }
    }

    @Test func urlsShowHostPathAndQueryInTheirRoles() {
        #expect(
            names(.url("https://h.example/a/b?q=1#f"))
                == ["https://h.example/text.url.host", "/a/b/text.url.path", "?q=1#f/text.url.query"])
        #expect(names(.url("https://h.example?q")) == ["https://h.example/text.url.host", "?q/text.url.query"])
        #expect(names(.url("/only/path?x")) == ["/only/path/text.url.path", "?x/text.url.query"])
        #expect(names(.url("mailto:a")) == ["mailto:a/text.url.path"])
        #expect(names(.url("")) == [])
        #expect(StyledLine.url("https://h\u{202E}/x").segments[0].text.string == "https://h<U+202E>")
    }

    @Test func cutsKeepRolesAndColumns() {
        let line = StyledLine([.init("abcdef", .header), .init(SafeText(outside: "你好"), .match)])
        #expect(names(line.prefix(columns: 7)) == ["abcdef/header"])
        #expect(names(line.suffix(columns: 3)) == ["好/match"])
        #expect(names(line.truncatedTail(to: 5, .unicode)) == ["abcd/header", "…/text.muted"])
        #expect(names(line.truncatedMiddle(to: 8, .unicode)) == ["abcde/header", "…/text.muted", "好/match"])
        for limit in 0...10 {
            #expect(line.truncatedMiddle(to: limit, .unicode).columns <= limit)
            #expect(line.truncatedTail(to: limit, .ascii).columns <= limit)
        }
    }

    @Test func paddingReachesTheColumn() {
        var line = StyledLine("ab")
        line.pad(to: 5)
        line.append("c")
        line.pad(to: 2)
        #expect(line.columns == 6)
        #expect(line.segments.map(\.text.string).joined() == "ab   c")
    }
}
