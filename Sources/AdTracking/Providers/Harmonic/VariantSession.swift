import Ports

/// Finds the session of a multivariant playlist in its first variant (TRK-2).
enum VariantSession {
    /// Servers mark the variants of a session with this parameter; a request must not repeat it.
    private static let streamMark = "isstream"

    /// The multivariant URL of the session of `playlist`, found at `base`; nil when its variants show no session: then
    /// it is a plain stream, and its own URL with its tokens remains valid.
    static func manifestURL(playlist: String, base: WebURL) -> WebURL? {
        guard isMultivariant(playlist), let line = firstURI(in: playlist), let variant = try? base.resolving(line)
        else { return nil }
        var items = QueryItems(variant.query)
        let isMarked = items[streamMark] != nil || items["sessid"] != nil
        let instance = instanceSegment(of: variant.path)
        guard isMarked || instance != nil else { return nil }
        items.removeAll(named: streamMark)
        let query = variant.query == nil ? base.query : items.text
        return try? base.with(path: path(of: base, at: instance), query: query)
    }

    /// The path of `base` behind the instance prefix. The prefix is never doubled, although all references double it
    /// when `base` already has it.
    private static func path(of base: WebURL, at instance: Substring?) -> String {
        guard let instance else { return base.path }
        let rest = instanceSegment(of: base.path).map { base.path.dropFirst($0.count) } ?? Substring(base.path)
        return String(instance + rest)
    }

    /// The segment `/pmm-3` of `/pmm-3/variant/…`.
    private static func instanceSegment(of path: String) -> Substring? {
        guard path.hasPrefix("/pmm-") else { return nil }
        let end = path.dropFirst().firstIndex(of: "/") ?? path.endIndex
        return path[..<end]
    }

    private static func isMultivariant(_ playlist: String) -> Bool {
        playlist.contains("#EXT-X-STREAM-INF")
    }

    private static func firstURI(in playlist: String) -> Substring? {
        playlist.split(whereSeparator: \.isNewline).lazy
            .map { $0.drop { $0 == " " || $0 == "\t" } }
            .first { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
