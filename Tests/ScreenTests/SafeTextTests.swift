import Screen
import Testing

@Suite struct SafeTextTests {
    @Test func literalsAreTextOfOurs() {
        let text: SafeText = "lat ✓"
        #expect(text.string == "lat ✓")
        #expect(text.columns == 5)
    }

    @Test func concatenationKeepsColumnsEscapesAndMarks() {
        let text = SafeText(outside: "e\u{301}") + "-" + SafeText(outside: "\u{7}n\u{303}")
        #expect(text.string == "e\u{301}-^Gn\u{303}")
        #expect(text.columns == 5)
        #expect(text.escapedColumns == [2..<4])
        #expect(SafeText.empty + "ab" + "cd" == "abcd")
    }

    @Test func prefixAndSuffixNeverCutAWideGlyph() {
        let text = SafeText(outside: "a你b好")
        #expect(text.prefix(columns: 2).string == "a")
        #expect(text.prefix(columns: 3).string == "a你")
        #expect(text.prefix(columns: 0).isEmpty)
        #expect(text.prefix(columns: -4).isEmpty)
        #expect(text.suffix(columns: 1).isEmpty)
        #expect(text.suffix(columns: 3).string == "b好")
        #expect(text.prefix(columns: 99) == text)
        #expect(SafeText(outside: "abc").suffix(columns: 2).string == "bc")
    }

    @Test func truncationUsesTheGlyphSet() {
        let text = SafeText(outside: "abcdefghij")
        #expect(text.truncatedTail(to: 5, .unicode).string == "abcd…")
        #expect(text.truncatedTail(to: 5, .ascii).string == "abcd~")
        #expect(text.truncatedTail(to: 10, .unicode) == text)
        #expect(text.truncatedTail(to: 1, .unicode).string == "a")
        #expect(text.truncatedTail(to: 0, .unicode).isEmpty)
    }

    @Test func middleTruncationKeepsHostAndTail() {
        let text = SafeText(outside: "https://host.example/a/very/long/path?id=42")
        let cut = text.truncatedMiddle(to: 30, .unicode)
        #expect(cut.string == "https://host.example…ath?id=42")
        #expect(cut.columns == 30)
        for limit in 0...43 { #expect(text.truncatedMiddle(to: limit, .unicode).columns <= limit) }
    }

    @Test func paddingFillsOnEitherSide() {
        #expect(SafeText(outside: "ab").padded(to: 4).string == "ab  ")
        #expect(SafeText(outside: "ab").paddedStart(to: 4).string == "  ab")
        #expect(SafeText(outside: "abcde").padded(to: 4).string == "abcde")
    }

    @Test func repeatedGlyphsAreBounded() {
        #expect(SafeText(Glyphs.unicode.track, count: 3).string == "───")
        #expect(SafeText(Glyphs.ascii.track, count: 3).string == "---")
        #expect(SafeText(Glyphs.ascii.track, count: -1).isEmpty)
        #expect(SafeText(Glyphs.ascii.track, count: .max).columns == Size.limit)
    }
}
