/// Where a text first has bytes that are not UTF-8.
package struct UTF8Place: Hashable, Sendable {
    /// 1-based line; LF ends one.
    package var line: Int
    /// 1-based column in bytes.
    package var column: Int

    /// Nil when all of `text` is UTF-8.
    package init?(firstInvalidIn text: [UInt8]) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
            return nil
        } catch {
            let before = text.prefix(error.byteOffsets.lowerBound)
            line = before.count { $0 == UInt8(ascii: "\n") } + 1
            column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        }
    }
}
