/// A URI reference, split into its five components, and its resolution against a base (RFC 3986 sections 3 and 5).
///
/// Nothing is decoded, encoded or validated, because engineers compare these texts byte by byte with the playlist.
/// Foundation's `URL` re-encodes and takes microseconds, and playlists contain thousands of references.
package struct URIReference: Hashable, Sendable {
    /// The scheme without the colon.
    package var scheme: Substring?
    /// The authority without the two slashes.
    package var authority: Substring?
    package var path: Substring
    /// The query without the question mark.
    package var query: Substring?
    /// The fragment without the hash sign.
    package var fragment: Substring?

    /// Splits any text; every text is a valid reference in this sense (RFC 3986 appendix B).
    package init(_ text: some StringProtocol) {
        var text = Substring(text)
        let places = text.withUTF8 { Places($0) }
        func part(_ range: Range<Int>) -> Substring {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return text[start..<text.utf8.index(start, offsetBy: range.count)]
        }
        scheme = places.scheme.map(part)
        authority = places.authority.map(part)
        path = part(places.path)
        query = places.query.map(part)
        fragment = places.fragment.map(part)
    }

    /// The components joined (RFC 3986 section 5.3).
    package var text: String {
        var text = ""
        if let scheme { text += "\(scheme):" }
        if let authority { text += "//\(authority)" }
        text += path
        if let query { text += "?\(query)" }
        if let fragment { text += "#\(fragment)" }
        return text
    }

    /// This reference resolved against `base` (RFC 3986 section 5.2.2, strict).
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.removingDotSegments(path)
        } else {
            target.path = Self.removingDotSegments(base.directory(holdsAuthority: base.authority != nil) + path)
        }
        return target
    }

    /// `reference` resolved against `base`, as text.
    package static func resolve(_ reference: some StringProtocol, against base: URIReference) -> String {
        URIReference(reference).resolved(against: base).text
    }

    /// The path up to and including its last slash (RFC 3986 section 5.2.3).
    private func directory(holdsAuthority: Bool) -> Substring {
        if path.isEmpty { return holdsAuthority ? "/" : "" }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return path[...slash]
    }

    /// RFC 3986 section 5.2.4; a path without a segment that starts with a dot is returned as it is.
    package static func removingDotSegments(_ path: Substring) -> Substring {
        guard mayHaveDotSegment(path) else { return path }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var kept: [Substring] = []
        let segments = path.split(ascii: "/")
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                // The empty segment before the leading slash is the root, which has no parent.
                if kept.count > (isAbsolute ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return Substring(kept.joined(separator: "/"))
    }

    private static func mayHaveDotSegment(_ path: Substring) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in path.utf8 {
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return true }
            previous = byte
        }
        return false
    }
}

/// Where the components are among the bytes of a reference. Bytes are counted and not the indices of a text, whose steps would cost
/// more than all else.
private struct Places {
    private(set) var scheme: Range<Int>?
    private(set) var authority: Range<Int>?
    let path: Range<Int>
    private(set) var query: Range<Int>?
    private(set) var fragment: Range<Int>?

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var end = bytes.count
        if let mark = bytes.firstIndex(of: UInt8(ascii: "#")) {
            fragment = mark + 1..<end
            end = mark
        }
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            query = mark + 1..<end
            end = mark
        }
        if let colon = Self.endOfScheme(bytes[..<end]) {
            scheme = 0..<colon
            start = colon + 1
        }
        if bytes[start..<end].starts(with: "//".utf8) {
            let slash = bytes[(start + 2)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            authority = start + 2..<slash
            start = slash
        }
        path = start..<end
    }

    /// The first colon, if what is before it has the form of a scheme (RFC 3986 section 3.1).
    private static func endOfScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if offset == 0 { return nil }
            case UInt8(ascii: ":"):
                return offset == 0 ? nil : offset
            default:
                return nil
            }
        }
        return nil
    }
}
