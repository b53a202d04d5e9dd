import Ports

/// What the first line of a multivariant playlist tells about the session behind it (TRK-2).
enum VariantSession {
    /// Servers mark the variants of a session with this parameter; it must not be asked for again.
    private static let streamMark = "isstream"

    /// The multivariant URL of the session that `playlist`, found at `base`, belongs to; nil when its variants carry no
    /// sign of one: then it is a plain stream and its own URL, tokens included, stays.
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

    /// `base`'s path behind the instance prefix, which is never doubled: all references do so when the base has it
    /// already.
    private static func path(of base: WebURL, at instance: Substring?) -> String {
        guard let instance else { return base.path }
        let rest = instanceSegment(of: base.path).map { base.path.dropFirst($0.count) } ?? Substring(base.path)
        return String(instance + rest)
    }

    /// `/pmm-3` of `/pmm-3/variant/…`.
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
