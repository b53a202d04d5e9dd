/// The first element of a text, which shows what a document is even where it is damaged behind that.
enum XMLRoot {
    /// Bytes in which it is looked for.
    private static let searched = 4 << 10

    /// - Parameter text: in UTF-8.
    static func name(in text: [UInt8]) -> Substring? {
        name(in: String(decoding: text.prefix(searched), as: UTF8.self))
    }

    /// Its name without a namespace prefix; nil in a text that is no XML.
    static func name(in text: String) -> Substring? {
        var rest = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        while rest.first == "<" {
            let ends = ["<!--": "-->", "<?": "?>", "<!": ">"]
            guard let start = ["<!--", "<?", "<!"].first(where: rest.hasPrefix), let end = ends[start] else {
                return rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.split(separator: ":").last
            }
            guard let range = rest.firstRange(of: end) else { return nil }
            rest = rest[range.upperBound...].drop(while: \.isWhitespace)
        }
        return nil
    }
}
