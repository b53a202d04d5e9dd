import Screen

/// The value of a role in a theme file: foreground, `on=` background, attributes, and after `;` the attributes for
/// terminals without colour: `black on=accent bold; mono=reverse` (TERM-36).
struct StyleString: Equatable, Sendable {
    /// A colour as written: a value, or a name of a palette with its place for the error when there is no such name.
    enum Reference: Equatable, Sendable {
        case color(ThemeColor)
        case named(String, ThemePlace)
    }

    /// Colour of the text, nil when only attributes are given.
    var foreground: Reference?
    /// Colour behind the text, nil when the background is not changed.
    var background: Reference?
    /// Attributes at every depth with colour.
    var attributes: Attributes = []
    /// Attributes without colour, nil when the string has none.
    var mono: Attributes?

    /// Reads a style string. `place` is the place of its first character.
    init(parsing text: String, file: String, at place: ThemePlace) throws(ThemeProblem) {
        let sections = text.split(separator: ";", omittingEmptySubsequences: false)
        guard sections.count <= 2 else {
            throw ThemeProblem(file, place, "more than one \";\" in a style")
        }
        for word in Self.words(of: sections.first ?? "", in: text, at: place) {
            try read(word, file: file)
        }
        guard sections.count == 2 else { return }
        try readMono(Self.words(of: sections[1], in: text, at: place), file: file, at: place)
    }

    private struct Word {
        let text: Substring
        let place: ThemePlace
    }

    private mutating func read(_ word: Word, file: String) throws(ThemeProblem) {
        if word.text.hasPrefix("on=") {
            guard background == nil else { throw ThemeProblem(file, word.place, "more than one background") }
            background = try Self.reference(word.text.dropFirst(3), file: file, at: word.place.advanced(by: 3))
        } else if let attribute = Attributes.named(word.text) {
            attributes.insert(attribute)
        } else {
            guard foreground == nil else {
                throw ThemeProblem(
                    file, word.place, "\"\(word.text)\": not an attribute, and a foreground is already given")
            }
            foreground = try Self.reference(word.text, file: file, at: word.place)
        }
    }

    private mutating func readMono(_ words: [Word], file: String, at place: ThemePlace) throws(ThemeProblem) {
        guard let first = words.first, first.text.hasPrefix("mono=") else {
            throw ThemeProblem(file, words.first?.place ?? place, "only mono= may follow \";\"")
        }
        var result: Attributes = []
        for (index, word) in words.enumerated() {
            let name = index == 0 ? word.text.dropFirst(5) : word.text
            guard let attribute = Attributes.named(name) else {
                throw ThemeProblem(file, word.place, "\"\(name)\": not an attribute; use \(Attributes.knownNames)")
            }
            result.insert(attribute)
        }
        mono = result
    }

    private static func reference(
        _ text: Substring, file: String, at place: ThemePlace
    ) throws(ThemeProblem) -> Reference {
        if let color = ThemeColor(parsing: text) { return .color(color) }
        let isName = text.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        let isWord = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0 == "-" || $0 == "_" || ("0"..."9").contains($0)
        }
        guard isName, isWord else { throw ThemeProblem(file, place, "\"\(text)\": not a colour") }
        return .named(String(text), place)
    }

    /// Words of a section with their places; columns count scalars, as YAML's marks do.
    private static func words(of section: Substring, in text: String, at place: ThemePlace) -> [Word] {
        section.split(separator: " ").map { word in
            let offset = text.unicodeScalars.distance(from: text.startIndex, to: word.startIndex)
            return Word(text: word, place: place.advanced(by: offset))
        }
    }
}

extension Attributes {
    /// The names of style strings.
    fileprivate static let knownNames = "bold, dim, italic, underline, reverse, normal"

    /// The attribute of that name; `normal` is the explicit absence of attributes.
    fileprivate static func named(_ name: Substring) -> Attributes? {
        switch name {
        case "bold": .bold
        case "dim": .dim
        case "italic": .italic
        case "underline": .underline
        case "reverse": .reverse
        case "normal": []
        default: nil
        }
    }
}
