/// What a session consists of.
package enum SessionFeed: String, CaseIterable, Sendable {
    case playlist, metadata
}
