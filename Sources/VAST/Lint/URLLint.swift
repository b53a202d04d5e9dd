import Ports

extension Linter {
    /// Every URL of the document, macros included.
    mutating func checkURLs() {
        var open = [XMLTree.root]
        while let node = open.popLast() {
            guard let name = tree.element(node), !StructureTable.opaque.contains(name) else { continue }
            if let use = URLUse(of: name) { checkURL(node, name, use) }
            open += tree.children(node)
        }
    }

    private mutating func checkURL(_ node: XMLTree.Index, _ name: ElementName, _ use: URLUse) {
        // The text of VAST 1 tag URLs is in a child of its own.
        guard !tree.hasChildren(node) else { return }
        let url = tree.text(node)
        guard !url.isEmpty else {
            report(.emptyURL, "<\(name.rawValue)> is empty.", at: node)
            return
        }
        if name == .impression, url == "about:blank" { return }
        if !use.isCode { checkForm(url, node, name, use) }
        checkCharacters(url, node)
        if version >= .v4, tree.nodes[Int(node)].flags.contains(.plainText) {
            report(.urlNotCDATA, "VAST 4 wants URLs in CDATA sections.", at: node)
        }
        checkMacros(url, node, name, use)
    }

    // MARK: Form

    private mutating func checkForm(_ url: String, _ node: XMLTree.Index, _ name: ElementName, _ use: URLUse) {
        let reference = URIReference(url)
        switch reference.scheme?.lowercased() {
        case nil where url.first != "[":
            report(.urlRelative, "The URL \(Self.cut(url)) is not absolute.", at: node)
        case "http":
            if use.isFetched { report(.insecureURL, "The URL is not https.", at: node) }
        case "https", nil: break
        case "data" where name == .interactiveCreativeFile: break
        case let scheme?:
            report(.urlScheme, "The scheme \(scheme) is never requested.", at: node)
            return
        }
        if url.utf8.count > Self.longestURL {
            report(.urlTooLong, "The URL has \(url.utf8.count) bytes; many servers take 2,000.", at: node)
        }
        checkAuthority(reference.authority ?? "", node)
    }

    private static let longestURL = 2_000

    private mutating func checkAuthority(_ authority: Substring, _ node: XMLTree.Index) {
        if authority.contains("@") { report(.urlCredentials, "The URL carries a user name or password.", at: node) }
        guard let url = try? WebURL("http://\(authority)/"), url.literalReach != nil,  // macros in hosts have no reach
            url.literalReach != .global
        else { return }
        report(.urlPrivateHost, "The host \(url.host) is not on the public Internet.", at: node)
    }

    // MARK: Characters

    private mutating func checkCharacters(_ url: String, _ node: XMLTree.Index) {
        if url.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            report(.urlInnerWhitespace, "The URL goes over a line break or tab.", at: node)
        }
        if url.utf8.contains(where: { $0 == 0x20 || $0 > 0x7E || Self.unescaped.contains($0) }) {
            report(.urlUnescapedCharacters, "The URL has blanks, quotes or characters beyond ASCII.", at: node)
        }
        let isEscapedTwice = url.contains("&amp;") || Self.hasDoublePercent(url)
        if isEscapedTwice { report(.doubleEncodedURL, "The URL \(Self.cut(url)) is encoded twice.", at: node) }
    }

    private static let unescaped = Array("\"<>\\^`{|}".utf8)

    /// `%25` with two hexadecimal digits behind it.
    private static func hasDoublePercent(_ url: String) -> Bool {
        var rest = url.utf8[...]
        while let found = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[rest.index(after: found)...]
            if rest.starts(with: "25".utf8), rest.dropFirst(2).prefix(2).count == 2,
                rest.dropFirst(2).prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
            {
                return true
            }
        }
        return false
    }

    private static func cut(_ url: String) -> String { url.count > 80 ? "\(url.prefix(80))…" : url }
}

/// What an element's URL is for.
struct URLUse {
    /// Requested by the player on its own; landing pages are not.
    var isFetched: Bool
    /// May be the name of some code instead of an address.
    var isCode = false
    var context: MacroName.Contexts

    init?(of name: ElementName) {
        switch name {
        case .error: self.init(isFetched: true, context: .error)
        case .vastAdTagURI, .url, .adTagURI: self.init(isFetched: true, context: .request)
        case .clickTracking, .customClick, .iconClickTracking, .nonLinearClickTracking, .companionClickTracking:
            self.init(isFetched: true, context: .click)
        case .clickThrough, .iconClickThrough, .nonLinearClickThrough, .companionClickThrough:
            self.init(isFetched: false, context: .click)
        case .executableResource: self.init(isFetched: true, isCode: true, context: .verification)
        case .impression, .tracking, .survey, .viewable, .notViewable, .viewUndetermined, .iconViewTracking,
            .javaScriptResource, .flashResource, .mediaFile, .mezzanine, .interactiveCreativeFile,
            .closedCaptionFile, .staticResource, .iFrameResource:
            self.init(isFetched: true, context: .tracking)
        default: return nil
        }
    }

    private init(isFetched: Bool, isCode: Bool = false, context: MacroName.Contexts) {
        self.isFetched = isFetched
        self.isCode = isCode
        self.context = context
    }
}
