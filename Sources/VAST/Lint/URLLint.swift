import Ports

extension Linter {
    /// Checks every URL under `root`, macros included, except for those of an embedded VAST document, which has its own
    /// version.
    mutating func checkURLs(from root: XMLTree.Index) {
        var open = [root]
        while let node = open.popLast() {
            guard let name = tree.element(node), !StructureTable.opaque.contains(name),
                name != .vast || node == root
            else { continue }
            if let use = URLUse(of: name) { checkURL(node, name, use) }
            open += tree.children(node)
        }
    }

    private mutating func checkURL(_ node: XMLTree.Index, _ name: ElementName, _ use: URLUse) {
        // The text of VAST 1 tag URLs is in a child element.
        guard !tree.hasChildren(node) else { return }
        let url = tree.text(node)
        guard !url.isEmpty else {
            report(.emptyURL, "<\(name.rawValue)> is empty.", at: node)
            return
        }
        if name == .impression, url == "about:blank" { return }
        if !use.isCode { checkForm(url, node, name, use) }
        let traits = URLTraits(url)
        checkCharacters(url, traits, node)
        if version >= .v4, tree.nodes[Int(node)].flags.contains(.plainText) {
            report(.urlNotCDATA, "The URL is not in a CDATA section; VAST 4 requires one.", at: node)
        }
        checkMacros(url, traits, node, name, use)
    }

    // MARK: Form

    private mutating func checkForm(_ url: String, _ node: XMLTree.Index, _ name: ElementName, _ use: URLUse) {
        let reference = URIReference(url)
        let scheme = reference.scheme
        switch scheme == "https" ? "https" : scheme?.lowercased() {
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
            report(.urlTooLong, "The URL has \(url.utf8.count) bytes; many servers accept at most 2,000.", at: node)
        }
        checkAuthority(reference.authority ?? "", node)
    }

    private static let longestURL = 2_000

    private mutating func checkAuthority(_ authority: Substring, _ node: XMLTree.Index) {
        if authority.utf8.contains(UInt8(ascii: "@")) {
            report(.urlCredentials, "The URL contains a user name or password.", at: node)
        }
        // Names are not resolved, so only addresses and localhost can be recognised; those, and ports, end in a digit, a
        // bracket or that name.
        guard let last = authority.utf8.last,
            last.isDigit || last == UInt8(ascii: "]") || Self.isLocalhost(authority),
            let url = try? WebURL("http://\(authority)/"),  // a host with a macro in it has no reach
            let reach = url.writtenReach, reach != .global
        else { return }
        report(.urlPrivateHost, "The host \(url.host) is not on the public Internet.", at: node)
    }

    /// Whether an authority ends in `localhost`, in any case.
    private static func isLocalhost(_ authority: Substring) -> Bool {
        authority.utf8.suffix(9).lazy.map { $0 | 0x20 }.elementsEqual("localhost".utf8)
    }

    // MARK: Characters

    /// The character that begins with a byte, in words.
    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x20: "a space"
        case 0x7F: "a control character"
        case 0x80...: "a character that is not ASCII"
        default: "the character \(Character(Unicode.Scalar(byte)))"
        }
    }

    private mutating func checkCharacters(_ url: String, _ traits: URLTraits, _ node: XMLTree.Index) {
        if traits.hasLineBreak {
            report(.urlInnerWhitespace, "The URL contains a line break or tab.", at: node)
        }
        if let byte = traits.unescaped {
            report(.urlUnescapedCharacters, "The URL contains \(Self.name(of: byte)), unescaped.", at: node)
        }
        if traits.hasEscapedAmpersand {
            report(.doubleEncodedURL, "The URL \(Self.cut(url)) contains &amp; instead of &.", at: node)
        } else if traits.hasEscapedPercent {
            // A URL inside a URL is correctly escaped twice, so this alone is not an error.
            report(
                .doubleEncodedURL, "The URL \(Self.cut(url)) contains escapes that are escaped again.", at: node,
                severity: .warning)
        }
    }

    private static func cut(_ url: String) -> String { url.count > 80 ? "\(url.prefix(80))…" : url }
}

/// The purpose of an element's URL.
struct URLUse {
    /// Whether the player requests it by itself; landing pages are not.
    var isFetched: Bool
    /// Whether it may be the name of built-in code instead of a URL.
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
