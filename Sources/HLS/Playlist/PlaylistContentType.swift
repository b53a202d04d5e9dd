package import Ports

/// Whether an answer is identified as a playlist: by the path of its address or by its content type (rfc8216bis-22 section
/// 4.1; RFC 8216 section 4).
package enum PlaylistContentType {
    /// The types that the clause names, and those that players read beside them.
    private static let registered = ["application/vnd.apple.mpegurl", "audio/mpegurl"]
    private static let known = ["application/x-mpegurl", "audio/x-mpegurl", "application/mpegurl"]
    /// Longest type in a message, in characters.
    private static let shown = 80

    /// The finding about an answer that holds a playlist; nil when it is identified. Its path is the address without query.
    package static func finding(_ exchange: HTTPExchange) -> Finding? {
        guard let address = exchange.finalURL else { return nil }
        var reference = URIReference(address)
        (reference.query, reference.fragment) = (nil, nil)
        let path = reference.path.lowercased()
        let isNamed = path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
        let type = (exchange.contentType ?? "").prefix { $0 != ";" }.trimmed.lowercased()
        if registered.contains(type) || isNamed && (known.contains(type) || type.isEmpty) { return nil }
        let served = type.isEmpty ? "has no Content-Type" : "is served as '\(type.prefix(shown))'"
        let rest = isNamed ? "players that check the type reject it" : "and its path does not end with .m3u8 either"
        return Finding(
            rule: ReloadRule.playlistContentType, severity: isNamed ? .warning : .error,
            message: "the playlist \(served): \(rest)", path: Redaction.url(reference.text),
            section: "rfc8216bis-22 4.1")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
