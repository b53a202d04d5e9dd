/// Where something stands in a document.
package struct SourcePosition: Hashable, Sendable {
    /// From 1.
    package var line: Int32
    /// From 1, in bytes of UTF-8.
    package var column: Int32

    package init(line: Int32, column: Int32) {
        self.line = line
        self.column = column
    }

    /// The first byte.
    package static let start = SourcePosition(line: 1, column: 1)
}
