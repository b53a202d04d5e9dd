import Ports

/// Whether a remote cache has the creative that is kept here (CACHE-11).
package enum RemoteComparison: String, Hashable, Sendable {
    /// Byte for byte, as creative or as bid.
    case equal
    /// The markup is the same but for what was filled in when it was kept, as the price.
    case sameButMacros
    case differs

    /// `remote` is the body of an answer of Prebid Cache: a bid as JSON, or XML.
    package init(local: CachedCreative.Content, remote: [UInt8]) {
        if remote == local.body || remote == local.bidJSON {
            self = .equal
            return
        }
        // What is no bid is compared as it is, and was.
        let markup = (try? JSONReader.read(remote))?["adm"]?.stringValue
        guard let markup else {
            self = .differs
            return
        }
        if Array(markup.utf8) == local.body {
            self = .equal
        } else {
            self = Self.matches(markup, String(decoding: local.body, as: UTF8.self)) ? .sameButMacros : .differs
        }
    }

    /// A sentence's end, for people.
    package var sentence: String {
        switch self {
        case .equal: "the remote cache has the same creative"
        case .sameButMacros: "the remote cache has the same creative; only macros are filled in here"
        case .differs: "the remote cache has another creative"
        }
    }

    /// Whether `filled` is `template` with each `${AUCTION_…}` replaced by something: the texts between are there in order.
    private static func matches(_ template: String, _ filled: String) -> Bool {
        let parts = template.split(separator: "${AUCTION_", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, filled.hasPrefix(first) else { return false }
        var rest = filled.dropFirst(first.count)
        for (index, part) in parts.dropFirst().enumerated() {
            guard let close = part.firstIndex(of: "}") else { return false }
            let text = part[part.index(after: close)...]
            if index == parts.count - 2 { return rest.hasSuffix(text) }
            guard let found = text.isEmpty ? rest.startIndex..<rest.startIndex : rest.firstRange(of: text) else {
                return false
            }
            rest = rest[found.upperBound...]
        }
        return false
    }
}
