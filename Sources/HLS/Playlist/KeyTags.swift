extension ParseContext {
    /// The content of EXT-X-KEY or EXT-X-SESSION-KEY (rfc8216bis-22 section 4.4.4.4).
    enum KeyReading {
        case key(EncryptionKey)
        /// METHOD=NONE.
        case clear
        /// The key is not usable: there is a finding, or the draft requires the tag to be ignored.
        case ignored
    }

    /// Reads one tag; missing attributes are findings.
    mutating func readKey(_ value: ByteView) -> KeyReading {
        guard let list = attributes(of: value) else { return .ignored }
        guard list["METHOD"] != nil else {
            report(.keyInvalid, "METHOD is missing")
            return .ignored
        }
        let methods: [StaticString] = ["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR", "AES-256-GCM"]
        guard isKnown(list, "METHOD", methods), let method = string(list, "METHOD") else { return .ignored }
        if method == "NONE" {
            if let other = list.attributes.first(where: { !($0.name == "METHOD") }) {
                report(.keyInvalid, "METHOD=NONE with \(other.name.excerpt)")
            }
            return .clear
        }
        if list["IV"] != nil { versions.note("IV of EXT-X-KEY", needs: 2, line: line) }
        if list["KEYFORMAT"] != nil || list["KEYFORMATVERSIONS"] != nil {
            versions.note("KEYFORMAT", needs: 5, line: line)
        }
        if method.hasPrefix("SAMPLE-AES") { versions.note("METHOD=SAMPLE-AES", needs: 5, line: line) }
        if let vector = list["IV"], !DecimalNumber.isHexadecimal(vector.value) {
            report(.keyInvalid, "IV=\(vector.value.excerpt) is not a hexadecimal sequence")
        }
        let key = EncryptionKey(
            method: method, uri: uri(list, "URI"), initializationVector: string(list, "IV"),
            keyFormat: string(list, "KEYFORMAT") ?? "identity",
            keyFormatVersions: string(list, "KEYFORMATVERSIONS"))
        if key.uri == nil { report(.keyInvalid, "METHOD=\(method) without URI") }
        return .key(key)
    }
}
