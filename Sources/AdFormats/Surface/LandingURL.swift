/// Judges the addresses that an ad opens or requests by their schemes.
enum LandingURL {
    /// The scheme of an address that is never opened: it would run code or read files where it is opened. Schemes of apps, `tel` and `sms` are
    /// allowed.
    static func forbiddenScheme(_ url: String) -> String? {
        let scheme = scheme(of: url)
        return scheme.flatMap { ["javascript", "vbscript", "data", "file", "blob", "about"].contains($0) ? $0 : nil }
    }

    /// Whether a tracker can be requested: an absolute URL over HTTP, or one that begins with a macro.
    static func isRequestable(_ url: String) -> Bool {
        if let first = url.first, "$%[{".contains(first) { return true }
        guard let scheme = scheme(of: url), scheme == "http" || scheme == "https" else { return false }
        return url.dropFirst(scheme.count).hasPrefix("://")
    }

    /// The scheme in lower case (RFC 3986 section 3.1), of the address as browsers read it: without controls and blanks before it, and
    /// without tabs and line breaks anywhere (WHATWG URL, basic URL parser).
    private static func scheme(of url: String) -> String? {
        let text = url.unicodeScalars.lazy.filter { !["\t", "\n", "\r"].contains($0) }
            .drop { $0.value <= 0x20 || $0.properties.isWhitespace }
        // No scheme that is judged is longer.
        let head = text.prefix(longestScheme + 1)
        guard let colon = head.firstIndex(of: ":"), let first = head.first, isLetter(first),
            head[..<colon].allSatisfy({ isLetter($0) || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0) })
        else { return nil }
        var scheme = String.UnicodeScalarView()
        scheme.append(contentsOf: head[..<colon])
        return String(scheme).lowercased()
    }

    private static let longestScheme = 64

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
}
