/// All breaks a session knows.
package struct BreakBook: Sendable {
    /// By start; tombstones included.
    package private(set) var breaks: [KnownBreak] = []

    package init() {}

    package subscript(id: BreakID) -> KnownBreak? { breaks.first { $0.id == id } }
}
