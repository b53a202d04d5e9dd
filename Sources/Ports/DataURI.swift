/// The content of a `data:` URI (RFC 2397), which playlists may contain instead of a URL.
package enum DataURI {
    /// Whether the text is a data URI; the case of the scheme is ignored.
    package static func isOne(_ text: String) -> Bool {
        text.utf8.prefix(5).elementsEqual("data:".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    /// The bytes; nil when the text is not a data URI, has no comma, or its content is malformed.
    package static func content(of text: String) -> [UInt8]? {
        guard isOne(text) else { return nil }
        let rest = text.dropFirst(5)
        guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let data = rest[rest.utf8.index(after: comma)...]
        let isBase64 = rest[..<comma].lowercased().hasSuffix(";base64")
        guard let plain = String(data).percentDecoded else { return nil }
        return isBase64 ? Base64.decode(plain) : Array(plain.utf8)
    }
}
