import Ports

extension Linter {
    /// Every URL from there on, macros included; not those of a VAST document inside, which has a version of its own.
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
        // The text of VAST 1 tag URLs is in a child of its own.
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
            report(.urlNotCDATA, "VAST 4 wants URLs in CDATA sections.", at: node)
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
            report(.urlTooLong, "The URL has \(url.utf8.count) bytes; many servers take 2,000.", at: node)
        }
        checkAuthority(reference.authority ?? "", node)
    }

    private static let longestURL = 2_000

    private mutating func checkAuthority(_ authority: Substring, _ node: XMLTree.Index) {
        if authority.utf8.contains(UInt8(ascii: "@")) {
            report(.urlCredentials, "The URL carries a user name or password.", at: node)
        }
        // Names are not resolved, so only addresses and localhost can be told; those end in a digit, a bracket or a t.
        guard let last = authority.utf8.last,
            last.isDigit || last == UInt8(ascii: "]") || last | 0x20 == UInt8(ascii: "t"),
            let url = try? WebURL("http://\(authority)/"),  // a host with a macro in it has no reach
            let reach = url.literalReach, reach != .global
        else { return }
        report(.urlPrivateHost, "The host \(url.host) is not on the public Internet.", at: node)
    }

    // MARK: Characters

    private mutating func checkCharacters(_ url: String, _ traits: URLTraits, _ node: XMLTree.Index) {
        if traits.hasLineBreak {
            report(.urlInnerWhitespace, "The URL goes over a line break or tab.", at: node)
        }
        if traits.hasUnescaped {
            report(.urlUnescapedCharacters, "The URL has blanks, quotes or characters beyond ASCII.", at: node)
        }
        if traits.hasEscapedAmpersand {
            report(.doubleEncodedURL, "The URL \(Self.cut(url)) has &amp; in the place of &.", at: node)
        } else if traits.hasEscapedPercent {
            // An address inside an address is escaped twice by right, so this alone is no error.
            report(
                .doubleEncodedURL, "The URL \(Self.cut(url)) has escapes that are escaped again.", at: node,
                severity: .warning)
        }
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
