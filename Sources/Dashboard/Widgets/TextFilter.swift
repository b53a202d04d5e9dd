/// A filter as typed after `/`: text that must occur, or after `!` must not; ASCII letters match either case.
package struct TextFilter: Sendable, Equatable {
    /// Whether lines with the text are hidden.
    package let isInverted: Bool
    private let needle: [UInt8]
    /// The text to look for on the screen, in lower case.
    let scalars: [UInt32]

    /// Reads what was typed; nothing, or a lone `!`, lets everything pass.
    package init(_ typed: String) {
        isInverted = typed.hasPrefix("!")
        let text = isInverted ? typed.dropFirst() : typed[...]
        needle = text.utf8.map(TextFilter.folded)
        scalars = text.unicodeScalars.map { TextFilter.folded($0) }
    }

    /// Whether nothing is filtered.
    package var isEmpty: Bool { needle.isEmpty }

    /// Whether matching lines are shown, so that marking the matches is useful.
    var canHighlight: Bool { !needle.isEmpty && !isInverted }

    /// Whether the text occurs.
    package func occurs(in text: String) -> Bool {
        guard let first = needle.first else { return true }
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= needle.count else { return false }
            for start in 0...(bytes.count - needle.count) where TextFilter.folded(bytes[start]) == first {
                var length = 1
                while length < needle.count, TextFilter.folded(bytes[start + length]) == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }

    /// Whether a line of that text is shown.
    package func passes(_ text: String) -> Bool {
        isEmpty || occurs(in: text) != isInverted
    }

    /// Whether something with all these texts is shown: it matches when one of them does.
    func passes(anyOf texts: [String]) -> Bool {
        isEmpty || texts.contains(where: occurs) != isInverted
    }

    /// A scalar as it is compared: ASCII letters in lower case.
    static func folded(_ scalar: Unicode.Scalar?) -> UInt32 {
        guard let value = scalar?.value else { return 0 }
        return value >= 0x41 && value <= 0x5A ? value | 0x20 : value
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
