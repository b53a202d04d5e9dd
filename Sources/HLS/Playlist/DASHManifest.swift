package import Ports

/// Recognises a manifest of MPEG-DASH (ISO/IEC 23009-1), which is often given by mistake: one wrong letter in an address, or
/// a packager that serves both.
package enum DASHManifest {
    /// What it is.
    package static let name = "DASH manifest"
    /// What is wrong with it, as a clause of its own.
    package static let remedy = "adtop watches HLS"
    /// Both, as one clause.
    package static let problem = "\(name): \(remedy)"

    /// The registered type (ISO/IEC 23009-1 annex C) and one from before it.
    private static let types = ["application/dash+xml", "video/vnd.mpeg.dash.mpd"]
    /// Bytes in which the root element is looked for.
    private static let reach = 64 << 10

    /// Whether a good answer is one, by its content type, its first element or the name at the end of its address. An
    /// HLS playlist is none, whatever it is called.
    package static func isOne(_ exchange: HTTPExchange) -> Bool {
        guard exchange.isSuccess else { return false }
        let text = exchange.body.starts(with: [0xEF, 0xBB, 0xBF]) ? exchange.body.dropFirst(3) : exchange.body[...]
        guard !text.starts(with: "#EXTM3U".utf8) else { return false }
        let type = exchange.contentType?.lowercased() ?? ""
        if types.contains(where: { type.hasPrefix($0) }) || isRoot(of: text.prefix(reach)) { return true }
        return exchange.finalURL.map { URIReference($0).path.lowercased().hasSuffix(".mpd") } ?? false
    }

    /// Whether the first element of the XML text is `MPD`, with or without a namespace prefix.
    package static func isRoot(of text: some Sequence<UInt8>) -> Bool {
        var rest = Array(text)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            // Markup after anything but white space is no XML document.
            guard rest[..<start].allSatisfy({ $0 <= 0x20 || $0 >= 0x80 }) else { return false }
            rest = rest[start...].dropFirst()
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return false }
                rest = rest[end.upperBound...]
            } else if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[end...].dropFirst()
            } else {
                let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
                return name.elementsEqual("MPD".utf8) || name.suffix(4).elementsEqual(":MPD".utf8)
            }
        }
        return false
    }
}
