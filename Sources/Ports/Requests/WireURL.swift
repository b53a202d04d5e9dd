extension WebURL {
    /// Scheme and authority as they are requested.
    package var wireOrigin: String { "\(isSecure ? "https" : "http")://\(reference.authority ?? "")" }

    /// Path and query as the request line has them: in the characters that RFC 3986 allows there (section 3.3 and 3.4), without fragment.
    /// What is encoded is not encoded a second time, which section 2.4 forbids: a tracker would receive `a%2520b` for `a%20b|c`.
    package var wireTarget: String {
        let path = Self.encoded(reference.path)
        let query = reference.query.map { "?" + Self.encoded($0) } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }

    /// The URL as it is requested: ``text`` where its path and query need no further escapes.
    package var wireText: String {
        let reference = reference
        guard
            Self.encoded(reference.path) != reference.path
                || reference.query.map({ Self.encoded($0) != $0 }) ?? false
        else { return text }
        return wireOrigin + wireTarget
    }

    /// Encodes what a path or query may not contain; escapes stay, and a percent sign that begins none is encoded.
    private static func encoded(_ part: Substring) -> String {
        let bytes = Array(part.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].isHexDigit
                && bytes[index + 2].isHexDigit
            if isEscape || isAllowed[Int(byte)] {
                output.append(byte)
            } else {
                output += byte.percentEncoded.utf8
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Unreserved characters, sub-delims, and those that only these parts allow.
    private static let isAllowed: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in (letters + "0123456789-._~!$&'()*+,;=:@/?").utf8 { table[Int(byte)] = true }
        return table
    }()
}
