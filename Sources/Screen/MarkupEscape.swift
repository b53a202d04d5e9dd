/// Escapes text for XML and HTML.
package enum MarkupEscape {
    /// For text and for attribute values in quotes. Scalars are replaced and not characters: U+0D4E and a `<` after it are one
    /// character, and a browser sees the `<`.
    package static func text(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}

extension String {
    /// The text with each of an ASCII character replaced, which is found in bytes: as a character it would be overlooked where a combining
    /// mark follows it.
    func replacing(ascii old: Unicode.Scalar, with new: String) -> String {
        utf8.split(separator: UInt8(ascii: old), omittingEmptySubsequences: false).map { Substring($0) }
            .joined(separator: new)
    }
}
