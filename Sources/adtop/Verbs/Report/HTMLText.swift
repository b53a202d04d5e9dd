import Screen

/// HTML that is composed so that no text from outside can become markup.
struct HTMLText {
    private(set) var text: String

    /// Markup written by adtop.
    init(markup: String) {
        text = markup
    }

    /// Text from outside: sanitised as on screen, then escaped, and isolated so that it cannot change the direction of
    /// the text after it.
    init(outside raw: String, columns: Int = 200) {
        text = "<bdi>\(Self.escaped(SafeText(outside: raw, columns: columns).string))</bdi>"
    }

    /// A link to another place of the same page; `anchor` is one of adtop's.
    static func link(to anchor: String, _ content: HTMLText) -> HTMLText {
        HTMLText(markup: "<a href=\"#\(anchor)\">") + content + HTMLText(markup: "</a>")
    }

    static func + (left: Self, right: Self) -> Self { Self(markup: left.text + right.text) }
    static func += (left: inout Self, right: Self) { left.text += right.text }

    /// For text and for attribute values in quotes.
    static func escaped(_ text: String) -> String { MarkupEscape.text(text) }
}

extension [HTMLText] {
    func joined() -> HTMLText { HTMLText(markup: map(\.text).joined()) }
}
