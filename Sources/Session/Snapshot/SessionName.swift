package import Ports

extension SessionView {
    /// A name for the session: the last part of the path by which a person knows the stream, or else the host.
    ///
    /// Folders and files that many streams have (`live`, `hls`, `v1`, `index.m3u8`) are no names, and neither are the
    /// tokens and identifiers that servers put into paths, because a name is shown unmasked, also as a label of metrics.
    package static func name(of mediaURL: WebURL) -> String {
        let path = URIReference(Redaction.url(mediaURL.text)).path
        let parts = path.split(separator: "/").map { $0.prefix { !".;".contains($0) } }
        if let file = parts.last, isName(file, besides: dullFiles) { return String(file) }
        return parts.dropLast().last { isName($0, besides: dullFolders) }.map(String.init) ?? mediaURL.host
    }

    /// Words that do not tell one stream from another.
    private static let dullFiles: Set<String> = [
        "index", "master", "playlist", "main", "manifest", "stream", "video", "chunklist", "media", "hls", "variant",
    ]
    private static let dullFolders = dullFiles.union([
        "live", "vod", "dash", "cmaf", "ts", "fmp4", "out", "api", "session", "ssai", "cdn", "s", "egress", "origin",
    ])
    /// Digits from which hexadecimal text is a token.
    private static let tokenDigits = 16

    private static func isName(_ part: Substring, besides dull: Set<String>) -> Bool {
        let word = part.lowercased()
        let bytes = word.utf8
        guard !word.isEmpty, !dull.contains(word), !word.contains(Redaction.mask) else { return false }
        // `v1`, `v12`: a version, or a variant.
        if bytes.first == UInt8(ascii: "v"), bytes.count > 1, bytes.dropFirst().allSatisfy(isDigit) { return false }
        let isToken = bytes.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: "-") }
        return !(isToken && bytes.count >= tokenDigits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether it is a digit of lower-case hexadecimal text.
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
