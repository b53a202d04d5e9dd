/// Checks of a bid that need no browser (BID-12). Each returns the offending value, or nil.
package enum BrandSafety {
    /// A blocked domain includes its subdomains. Other spellings of a domain are compared, too: a URL by its host, without a final dot
    /// and without regard to case.
    package static func blockedAdvertiser(_ domains: [String], by blocked: [String]) -> String? {
        let blocked = blocked.map(domain(of:)).filter { !$0.isEmpty }
        guard !blocked.isEmpty else { return nil }
        return domains.first { text in
            let domain = domain(of: text)
            return blocked.contains { domain == $0 || domain.hasSuffix(".\($0)") }
        }
    }

    /// A blocked category includes its subcategories: `IAB9` blocks `IAB9-7`. Case does not count.
    package static func blockedCategory(_ categories: [String], by blocked: [String]) -> String? {
        let blocked = blocked.map(category(of:)).filter { !$0.isEmpty }
        return categories.first { text in
            let category = category(of: text)
            return blocked.contains { category == $0 || category.hasPrefix("\($0)-") }
        }
    }

    /// The domain that a bidder wrote as `Casino.example.`, `casino.example:443` or `https://casino.example/offer`.
    private static func domain(of text: String) -> String {
        var rest = text.lowercased()[...]
        if let slashes = rest.firstRange(of: "//") { rest = rest[slashes.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return String(rest.prefix { $0 != ":" }.trimmingPrefix { $0.isWhitespace || $0 == "." }.trimmingSuffix())
    }

    private static func category(of text: String) -> String {
        String(text.uppercased().trimmingPrefix { $0.isWhitespace }.trimmingSuffix())
    }

    package static func blockedAttribute(_ attributes: [Int], by blocked: [Int]) -> Int? {
        attributes.first(where: blocked.contains)
    }

    /// Compares languages without their region.
    package static func isAllowed(language: String?, among allowed: [String]) -> Bool {
        guard let language, !allowed.isEmpty else { return true }
        func base(_ tag: String) -> Substring { tag.lowercased().prefix { $0 != "-" && $0 != "_" } }
        return allowed.contains { base($0) == base(language) }
    }

    /// Whether markup loads resources only without encryption: it contains `http:` or `http%3A`, but neither `https:`
    /// nor `https%3A` (the rule of Prebid Server, BID-9).
    package static func isInsecure(_ markup: String) -> Bool {
        var markup = markup
        return markup.withUTF8 { bytes in
            var hasPlain = false
            var index = 0
            while index + 5 <= bytes.count {
                guard matches(bytes, "http", at: index) else {
                    index += 1
                    continue
                }
                index += 4
                let isEncrypted = bytes[index] | 0x20 == UInt8(ascii: "s")
                let mark = isEncrypted ? index + 1 : index
                guard matches(bytes, ":", at: mark) || matches(bytes, "%3a", at: mark) else { continue }
                if isEncrypted { return false }
                hasPlain = true
            }
            return hasPlain
        }
    }

    /// Compares without regard to case; `word` is in lower case.
    private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString, at place: Int) -> Bool {
        guard place + word.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { offset in
            let byte = bytes[place + offset]
            let lowered = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            return lowered == word.utf8Start[offset]
        }
    }
}

extension Substring {
    /// The text without blanks and dots at its end.
    fileprivate func trimmingSuffix() -> Substring {
        var text = self
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        return text
    }
}
