import Ports

/// The result of one pass over the bytes of a tracking URL. Every poll checks thousands of URLs, so nothing is split or
/// copied here, except for the few whose host is more than a name and a port: `WebURL` looks at those.
package struct URLText: Hashable, Sendable {
    /// Whether it is not an absolute http or https URL: it has another scheme, no host or one that `WebURL` refuses, a bad port, a blank
    /// or a control character, or is too long (lint L28). Letters beyond ASCII behind the host are sent as escapes.
    package private(set) var isUnusable = false
    /// Whether it contains an unreplaced macro: `[NAME]`, `%5BNAME%5D`, `${…}` or `$%7B…%7D` (lint L29).
    package private(set) var hasMacro = false

    /// Lower-case macro names from old ad tags; other lower-case names in brackets are form fields (`filter[size]=…`).
    private static let oldMacros: Set<String> = [
        "timestamp", "cachebuster", "cachebusting", "random", "cb", "errorcode", "correlator", "domain", "pageurl",
    ]

    package init(_ url: String) {
        var url = url
        self = url.withUTF8 { URLText(bytes: $0) }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        let host = Self.startOfHost(bytes)
        isUnusable = host.map { !Self.isRequested(bytes, host: $0) } ?? true
        guard Self.needsLook(bytes) else { return }
        lookForMacros(bytes)
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case 0...0x20, 0x7F: isUnusable = true
            case 0xEF where Self.matches(bytes, offset, "\u{FFFD}"): isUnusable = true
            default: break
            }
        }
    }

    private mutating func lookForMacros(_ bytes: UnsafeBufferPointer<UInt8>) {
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "["): if Self.isMacro(bytes, after: offset + 1, closedBy: "]") { hasMacro = true }
            case UInt8(ascii: "%"):
                if Self.matches(bytes, offset, "%5b"), Self.isMacro(bytes, after: offset + 3, closedBy: "%5d") {
                    hasMacro = true
                }
            case UInt8(ascii: "$"):
                if Self.matches(bytes, offset, "${") || Self.matches(bytes, offset, "$%7b") { hasMacro = true }
            default: break
            }
        }
    }

    /// Whether any byte may be part of a macro or make the URL unusable; nearly all URLs have none.
    private static func needsLook(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.mayHaveMarks { word in
            // 0x21 to 0x7E are printable.
            word.marks(below: 0x21) | word.marks(of: 0x7F) | word.marksBeyondASCII | word.marks(of: UInt8(ascii: "["))
                | word.marks(of: UInt8(ascii: "%")) | word.marks(of: UInt8(ascii: "$"))
        }
    }

    /// The place behind the two slashes of an http or https URL; nil of one without a host.
    private static func startOfHost(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let start = matches(bytes, 0, "https://") ? 8 : matches(bytes, 0, "http://") ? 7 : 0
        guard start > 0, start < bytes.count, !endsHost(bytes[start]) else { return nil }
        return start
    }

    /// Whether `WebURL` accepts what begins at `host`.
    private static func isRequested(_ bytes: UnsafeBufferPointer<UInt8>, host: Int) -> Bool {
        guard bytes.count <= Limits.urlBytes else { return false }
        var end = host
        while end < bytes.count, bytes[end].isHostCharacter { end += 1 }
        let hasName = end > host
        if hasName, end < bytes.count, bytes[end] == UInt8(ascii: ":") {
            // Four digits are a port, unless they are all zero.
            let start = end + 1
            end = start
            while end < bytes.count, end - start < 4, (0x30...0x39).contains(bytes[end]) { end += 1 }
            if end > start, bytes[start] == 0x30 { end = start }
        }
        if hasName, end == bytes.count || endsHost(bytes[end]) { return true }
        return (try? WebURL(written: String(decoding: bytes, as: UTF8.self))) != nil
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether `pattern` (lower case) occurs at `offset`, ignoring case.
    private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ pattern: StaticString) -> Bool {
        let length = pattern.utf8CodeUnitCount
        guard bytes.count - offset >= length else { return false }
        for index in 0..<length {
            let byte = bytes[offset + index]
            let lowered = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard lowered == pattern.utf8Start[index] else { return false }
        }
        return true
    }

    /// Whether a macro's name followed by `close` starts at `start`.
    private static func isMacro(
        _ bytes: UnsafeBufferPointer<UInt8>, after start: Int, closedBy close: StaticString
    ) -> Bool {
        var end = start
        while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
        guard end > start + 1, matches(bytes, end, close) else { return false }
        let name = bytes[start..<end]
        if name.allSatisfy({ !(0x61...0x7A).contains($0) }) { return name.contains { (0x41...0x5A).contains($0) } }
        return oldMacros.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
