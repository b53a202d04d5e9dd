/// The text, links and external URLs of an HTML fragment, determined without running or fetching anything.
///
/// This shows the text of an ad; it is not a browser: tags are dropped, block elements end lines, scripts and styles
/// are skipped.
package struct MarkupText: Sendable, Hashable {
    /// Most bytes of markup read.
    static let maximumBytes = 1 << 20
    static let maximumLines = 200
    static let maximumLinks = 100

    package private(set) var lines: [String] = []
    package private(set) var links: [String] = []
    package private(set) var externals: [String] = []
    private var line = ""
    /// Name of the element whose content is skipped.
    private var skipped: String?

    package init(_ markup: String) {
        var rest = Array(markup.utf8.prefix(Self.maximumBytes))[...]
        while let first = rest.first {
            if first == UInt8(ascii: "<"), let tag = MarkupTag(&rest) {
                take(tag)
            } else {
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                take(text: rest[..<end])
                rest = rest[end...]
            }
        }
        endLine()
    }

    private mutating func take(_ tag: MarkupTag) {
        if let name = skipped {
            if tag.isEnd, tag.name == name { skipped = nil }
            return
        }
        if !tag.isEnd, ["script", "style", "template"].contains(tag.name), !tag.isSelfClosing { skipped = tag.name }
        if Self.blocks.contains(tag.name) { endLine() }
        guard !tag.isEnd else { return }
        if tag.name == "a" || tag.name == "area", let target = tag["href"], !target.isEmpty,
            links.count < Self.maximumLinks
        {
            links.append(target)
            append("[\(links.count)]")
        }
        if tag.name == "img" { append(tag["alt"].map { "(image: \($0))" } ?? "(image)") }
        for name in ["src", "data", "poster"] {
            if let address = tag[name], Self.isOutside(address), externals.count < Self.maximumLinks {
                externals.append(address)
            }
        }
        if tag.name == "link", let address = tag["href"], Self.isOutside(address) { externals.append(address) }
    }

    private mutating func take(text: ArraySlice<UInt8>) {
        guard skipped == nil else { return }
        append(CharacterReferences.resolved(String(decoding: text, as: UTF8.self)))
    }

    /// Runs of white space become one space, as in browsers.
    private mutating func append(_ text: String) {
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty { line += " " }
            line += word
        }
    }

    private mutating func endLine() {
        if !line.isEmpty, lines.count < Self.maximumLines { lines.append(line) }
        line = ""
    }

    private static func isOutside(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://") || start.hasPrefix("//")
    }

    private static let blocks: Set<String> = [
        "address", "article", "blockquote", "body", "br", "center", "div", "dl", "dt", "dd", "footer", "form", "h1",
        "h2",
        "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "li", "main", "nav", "ol", "p", "section", "table",
        "td",
        "title", "tr", "ul",
    ]
}
