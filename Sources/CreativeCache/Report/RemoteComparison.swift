import Ports

/// The result of comparing a local creative with that of a remote cache (CACHE-11).
package enum RemoteComparison: String, Hashable, Sendable {
    /// Equal in every byte, as creative or as bid.
    case equal
    /// The markup differs only in macros that were expanded when it was cached, such as the price.
    case sameButMacros
    case differs

    /// Compares with `remote`, the body of an answer of Prebid Cache: a bid as JSON, or XML.
    package init(local: CachedCreative.Content, remote: [UInt8]) {
        if remote == local.body || remote == local.bidJSON {
            self = .equal
            return
        }
        // An answer that is not a bid is compared as it is.
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

    /// The result as a clause for display.
    package var sentence: String {
        switch self {
        case .equal: "the remote cache has the same creative"
        case .sameButMacros: "the remote cache has the same creative; only macros differ, which are expanded here"
        case .differs: "the remote cache has a different creative"
        }
    }

    /// Whether `filled` is `template` with each `${AUCTION_…}` replaced: the texts between macros occur in order.
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
