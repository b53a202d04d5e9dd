import AdFormats
import Ports
import Testing

@Suite struct MarkupTextTests {
    @Test func tagsGoLinksAreNumbered() {
        let text = MarkupText(
            """
            <html><head><title>Ad</title><style>p { color: red }</style></head><body><!-- <p>no --><p>Buy&nbsp;<b>now</b> &amp;
            save <a href="https://shop.example/?a=1&amp;b=2">here</a></p><img src='https://cdn.example/i.png' alt="Shoe">
            <script src="//cdn.example/s.js">var x = "<p>not text</p>";</script></body></html>
            """)
        #expect(text.lines == ["Ad", "Buy now & save [1] here", "(image: Shoe)"])
        #expect(text.links == ["https://shop.example/?a=1&b=2"])
        #expect(text.externals == ["https://cdn.example/i.png", "//cdn.example/s.js"])
    }

    @Test(arguments: [
        "<", "<a", "<a href", "<a href=\"x", "a < b", "<!--", "<!", "</", "&#xFFFFFFFF;", "&", "<script>",
    ])
    func brokenMarkupIsSurvived(markup: String) {
        #expect(MarkupText(markup).links.isEmpty)
    }

    @Test func charactersByNumber() {
        #expect(MarkupText("&#65;&#x42;&#0;&bogus;").lines.first?.hasPrefix("AB") == true)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func anySequenceOfPiecesIsSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "<", ">", "a", " href=", "\"", "'", "/", "!--", "-->", "script", "&", "#", ";", "=", " ", "p", "é",
        ]
        for _ in 0..<300 {
            var markup = ""
            for _ in 0..<40 { markup += pieces[Int(random.next() % UInt64(pieces.count))] }
            #expect(MarkupText(markup).lines.count <= 200, "seed \(seed)")
        }
    }
}
