extension String {
    /// The text with some of its scalars replaced, for escapes.
    ///
    /// Comparing characters would overlook a scalar that is part of a longer one: U+0D4E joins what follows it, a combining mark what
    /// precedes it, and CR LF is one character.
    /// - Parameter replacement: nil for a scalar that stays as it is.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if let new = replacement(scalar) { text += new } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// The text with U+FFFD for each NUL, at which a database would cut it off.
    package var withoutNUL: String {
        utf8.contains(0) ? replacingScalars { $0 == "\0" ? "\u{FFFD}" : nil } : self
    }

    /// The text in quotation marks for logs and arrays: a backslash before each quotation mark and backslash.
    package var inQuotationMarks: String {
        // The state of a session is much text without either.
        guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return "\"\(self)\""
        }
        return "\"" + replacingScalars { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
    }
}

extension StringProtocol {
    /// The parts between an ASCII character, which is found in bytes: as a character it would be overlooked where a
    /// combining mark follows it.
    package func split(ascii separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
        Substring(self).utf8
            .split(separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
