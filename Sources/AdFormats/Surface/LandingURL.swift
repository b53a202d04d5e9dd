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

    /// The scheme in lower case (RFC 3986 section 3.1); browsers ignore blanks before it.
    private static func scheme(of url: String) -> String? {
        let text = url.drop { $0.isWhitespace }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.first?.isLetter == true,
            text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return text[..<colon].lowercased()
    }
}
