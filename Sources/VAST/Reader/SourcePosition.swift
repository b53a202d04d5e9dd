/// A position in a document.
package struct SourcePosition: Hashable, Sendable {
    /// Line, from 1.
    package var line: Int32
    /// Column, from 1, in bytes of UTF-8.
    package var column: Int32

    package init(line: Int32, column: Int32) {
        self.line = line
        self.column = column
    }

    /// The position of the first byte.
    package static let start = SourcePosition(line: 1, column: 1)
}
