import Ports

/// The one form of all URLs that RFC 3986 calls equivalent (sections 6.2.2 and 6.2.3): case of scheme and host, spelling of
/// escapes, dot segments, the default port, the empty path. A character that a URL has only as an escape is one here, too. Instances
/// behind a balancer may spell one URL in different ways.
enum URLNormalForm {
    /// - Returns: `url` itself where it has that form already, as nearly all have, or where it has no host.
    static func of(_ url: String) -> String {
        var text = url
        guard text.withUTF8({ mayDiffer($0) }) else { return url }
        var reference = URIReference(url)
        guard let scheme = reference.scheme?.lowercased(), let authority = reference.authority else { return url }
        let path = unescaped(reference.path)
        reference.scheme = Substring(scheme)
        reference.authority = Substring(normal(authority: authority, scheme: scheme))
        reference.path = path.isEmpty ? "/" : URIReference.removingDotSegments(Substring(path))
        reference.query = reference.query.map { Substring(unescaped($0)) }
        reference.fragment = nil
        return reference.text
    }

    /// Without copies: whether the text has anything that ``of(_:)`` might change.
    private static func mayDiffer(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var slashes = 0
        var previous: UInt8 = 0
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "/"):
                slashes += 1
                if slashes == 3 { return pathMayDiffer(UnsafeBufferPointer(rebasing: bytes[offset...])) }
            case UInt8(ascii: "?"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return true
            case UInt8(ascii: ":") where slashes == 2: if hasOwnPort(bytes, after: offset) { return true }
            case UInt8(ascii: ".") where previous == UInt8(ascii: "/"): return true
            case UInt8(ascii: "%"): if isRespelled(bytes, at: offset) { return true }
            default: break
            }
            previous = byte
        }
        return true
    }

    /// The same from the first slash of the path. Nearly no URL has a dot behind a slash or an escape, or lacks one.
    private static func pathMayDiffer(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        let mayDiffer = path.mayHaveMarks(step: 7) { word in
            word.marks(of: UInt8(ascii: "/")) & (word >> 8).marks(of: UInt8(ascii: "."))
                | word.marks(of: UInt8(ascii: "%")) | word.marksOfURLEscapes
        }
        guard mayDiffer else { return false }
        return path.indices.dropFirst().contains { index in
            switch path[index] {
            case UInt8(ascii: "."): path[index - 1] == UInt8(ascii: "/")
            case UInt8(ascii: "%"): isRespelled(path, at: index)
            default: path[index].needsURLEscape
            }
        }
    }

    /// Whether what follows a colon of the authority is no port, 80 or 443; colons of IPv6 addresses may look so.
    private static func hasOwnPort(_ bytes: UnsafeBufferPointer<UInt8>, after colon: Int) -> Bool {
        let port = bytes[(colon + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return port.isEmpty || port.elementsEqual("80".utf8) || port.elementsEqual("443".utf8)
    }

    private static func isRespelled(_ bytes: UnsafeBufferPointer<UInt8>, at percent: Int) -> Bool {
        guard let escape = Escape(bytes.dropFirst(percent + 1)) else { return false }
        return !escape.isNormal
    }

    private static func normal(authority: Substring, scheme: String) -> String {
        let userEnd = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map(authority.utf8.index(after:))
        let user = authority[..<(userEnd ?? authority.startIndex)]
        var host = unescaped(authority[user.endIndex...]).lowercased()
        for port in [scheme == "https" ? ":443" : ":80", ":"] where host.hasSuffix(port) {
            host.removeLast(port.utf8.count)
        }
        return user + host
    }

    /// Escapes in capitals where the character needs one, and none elsewhere.
    private static func unescaped(_ text: Substring) -> String {
        var normal: [UInt8] = []
        normal.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let escape = Escape(rest) else {
                if byte.needsURLEscape { normal += byte.percentEncoded.utf8 } else { normal.append(byte) }
                continue
            }
            rest = rest.dropFirst(2)
            normal += escape.normalForm
        }
        return String(decoding: normal, as: UTF8.self)
    }
}

/// The two hexadecimal digits behind a percent sign.
private struct Escape {
    private var isInCapitals: Bool
    private var value: UInt8

    /// Nil where no two digits begin `text`.
    init?(_ text: some Sequence<UInt8>) {
        var bytes = text.makeIterator()
        guard let first = bytes.next(), let second = bytes.next(), let value = UInt8(hexDigits: first, second)
        else { return nil }
        let small = UInt8(ascii: "a")...UInt8(ascii: "f")
        isInCapitals = !small.contains(first) && !small.contains(second)
        self.value = value
    }

    /// The character itself where it is an unreserved one (section 2.3), else the escape in capitals.
    var normalForm: [UInt8] {
        value.isUnreserved ? [value] : Array(value.percentEncoded.utf8)
    }

    var isNormal: Bool { isInCapitals && !value.isUnreserved }
}

extension UInt64 {
    /// Has bits where a byte may need an escape in a URL. Some bytes beside those in ASCII are marked, too: control characters, `!`, brackets.
    /// Two characters that differ in one bit are looked for together.
    fileprivate var marksOfURLEscapes: UInt64 {
        let lowered = self | 0x2020_2020_2020_2020
        let braces = lowered.marks(of: 0x7B) | lowered.marks(of: 0x7C) | lowered.marks(of: 0x7D)
        let angles = (self & ~0x0202_0202_0202_0202).marks(of: 0x3C)
        return marks(below: 0x23) | marksBeyondASCII | braces | angles | marks(of: 0x5E) | marks(of: 0x60)
    }
}
