import Ports

/// The text forms of a splice_info_section (HLS-27): hexadecimal with or without 0x, and base64, where missing padding
/// and the URL-safe alphabet are accepted.
package enum SpliceTransport {
    /// The bytes of a text, ignoring surrounding spaces and line ends; nil when the text has neither form.
    package static func bytes(of text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { bytes(of: $0) }
    }

    /// Decodes the section in a text of either form.
    package static func decode(_ text: String) throws(SpliceInfoProblem) -> SpliceInfo {
        guard let bytes = bytes(of: text) else { throw SpliceInfoProblem(.transport, offset: 0) }
        return try SpliceInfo(bytes)
    }

    /// The same from bytes.
    static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let text = ByteView(text).trimmed(where: { $0.isBlank || $0 == 0x0A || $0 == 0x0D })
        guard text.count <= longestText else { return nil }
        if text.hasPrefix("0x") || text.hasPrefix("0X") { return hexadecimal(text.dropFirst(2)) }
        // A section starts with 0xFC, which is "/" in base64, so the two forms cannot be confused.
        if text.hasPrefix("FC") || text.hasPrefix("fc"), let bytes = hexadecimal(text) { return bytes }
        return Base64.decode(text.bytes)
    }

    /// Twice the longest section, plus room for a prefix.
    private static let longestText = SpliceInfo.longestSection * 2 + 16

    private static func hexadecimal(_ text: ByteView) -> [UInt8]? {
        text.isEmpty ? nil : [UInt8](hexadecimal: text.bytes)
    }
}
