import Screen
import Testing

@Suite struct MarkupEscapeTests {
    @Test(arguments: [
        ("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"), ("\u{D4E}<script>", "\u{D4E}&lt;script&gt;"),
        ("\"\u{301} onload=x", "&quot;\u{301} onload=x"), ("é🙂", "é🙂"),
    ])
    func nothingIsMarkup(_ text: String, _ expected: String) {
        #expect(MarkupEscape.text(text).utf8.elementsEqual(expected.utf8))
    }
}
