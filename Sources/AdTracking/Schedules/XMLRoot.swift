/// The first element of a text, which shows what a document is even where it is damaged behind that.
enum XMLRoot {
    /// Bytes in which it is looked for.
    private static let searched = 4 << 10

    /// - Parameter text: in UTF-8.
    static func name(in text: [UInt8]) -> Substring? { names(in: text).root }

    /// Its name without a namespace prefix; nil in a text that is no XML.
    static func name(in text: String) -> Substring? { names(in: text).root }

    /// - Parameter text: in UTF-8.
    static func names(in text: [UInt8]) -> (documentType: Substring?, root: Substring?) {
        names(in: String(decoding: text.prefix(searched), as: UTF8.self))
    }

    /// The name in the document type declaration, and that of the root without a namespace prefix; nil where there is none.
    private static func names(in text: String) -> (documentType: Substring?, root: Substring?) {
        var rest = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        var documentType: Substring?
        while rest.first == "<" {
            let ends = ["<!--": "-->", "<?": "?>", "<!": ">"]
            guard let start = ["<!--", "<?", "<!"].first(where: rest.hasPrefix), let end = ends[start] else {
                let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                return (documentType, name.split(separator: ":").last)
            }
            guard let range = rest.firstRange(of: end) else { break }
            let words = rest[..<range.lowerBound].split(whereSeparator: \.isWhitespace)
            if words.first?.lowercased() == "<!doctype", words.count > 1 { documentType = words[1] }
            rest = rest[range.upperBound...].drop(while: \.isWhitespace)
        }
        return (documentType, nil)
    }
}

/// What a text is that begins with `<`.
enum MarkupKind: Hashable {
    /// By its document type or its root: a login or error page.
    case html
    /// A document by the name of its root; nil where nothing of that kind follows.
    case document(root: String?)

    /// - Parameter text: in UTF-8.
    init(_ text: [UInt8]) {
        let (type, root) = XMLRoot.names(in: text)
        let isHTML = [type, root].contains { $0?.lowercased() == "html" }
        self = isHTML ? .html : .document(root: root.map(String.init))
    }

    /// With its article where it has one.
    var noun: String {
        switch self {
        case .html: "HTML"
        case .document("VAST"): "VAST"
        case .document("VMAP"): "VMAP"
        case .document("MPD"): "a DASH manifest"
        case .document(let root?): "a document '\(MetadataProblem.clipped(root))'"
        case .document(nil): "markup"
        }
    }
}
