/// Names under which anyone may register, such as `com` or `co.uk` (https://publicsuffix.org/list): a cookie for one of
/// them would reach servers of other companies (RFC 6265 section 5.3, step 5).
package enum PublicSuffix {
    /// Longest name of a host in bytes (RFC 1035 section 2.3.4).
    static let longestName = 255

    /// Whether `name`, a host name in lower case, is itself a public suffix.
    package static func contains(_ name: String) -> Bool {
        guard name.utf8.count <= longestName else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.isEmpty, !labels.contains("") else { return false }
        return length(of: labels) == labels.count
    }

    /// Number of labels of the public suffix of a name: the one of its prevailing rule, which is an exception if one
    /// matches, else the longest; without a rule the last label.
    private static func length(of labels: [Substring]) -> Int {
        for first in labels.indices {
            let name = labels[first...].joined(separator: ".")
            let count = labels.count - first
            if hasRule("!" + name) { return count - 1 }
            if hasRule(name) { return count }
            if count > 1, hasRule("*." + labels[(first + 1)...].joined(separator: ".")) { return count }
        }
        return 1
    }

    /// A binary search in the text: what a set of the rules would hold in memory is more than the jar.
    private static func hasRule(_ rule: String) -> Bool {
        let wanted = Array(rule.utf8)
        return rules.withUTF8Buffer { text in
            var (low, high) = (0, text.count)
            while low < high {
                var start = low + (high - low) / 2
                while start > low, !isSpace(text[start - 1]) { start -= 1 }
                var end = start
                while end < high, !isSpace(text[end]) { end += 1 }
                let found = UnsafeBufferPointer(rebasing: text[start..<end])
                if found.elementsEqual(wanted) { return true }
                if found.lexicographicallyPrecedes(wanted) { low = end + 1 } else { high = max(low, start - 1) }
            }
            return false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }
}
