/// What the markup of a bid without `mtype` is, by its beginning. Bidders of OpenRTB 2.5 and earlier send no `mtype`.
enum MarkupForm: String {
    case html = "HTML"
    case vast = "VAST"
    case native

    /// Nil when the beginning does not show it: a URL, a script or text.
    init?(of markup: String) {
        var rest = markup[...]
        while true {
            rest = rest.trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
            if rest.hasPrefix("<?"), let end = rest.firstRange(of: "?>") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        if rest.first == "{", rest.contains("\"assets\"") || rest.contains("\"native\"") {
            self = .native
            return
        }
        guard rest.first == "<", let second = rest.dropFirst().first, second.isLetter || second == "!" else {
            return nil
        }
        // A document of VAST may have a prefix of a namespace, as in `<v:VAST`.
        let tag = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || ":-_.".contains($0) }
        let name = tag.split(separator: ":").last?.lowercased() ?? ""
        self = name == "vast" || name == "videoadservingtemplate" ? .vast : .html
    }

    /// The `mtype` of such markup.
    var markupType: Int {
        switch self {
        case .html: 1
        case .vast: 2
        case .native: 4
        }
    }
}
