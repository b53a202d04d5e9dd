/// What metadata says of ads and does not change from poll to poll, written once for each session.
struct MetadataAdTexts: Sendable {
    /// Ads kept; a window holds some dozens for a session.
    private static let capacity = 1_000

    /// All that the texts of an ad follow from.
    struct Key: Hashable, Sendable {
        /// Scheme and authority of beacon URLs.
        var origin: String
        var scenario: String
        var session: String
        /// Of the stream; unique among its breaks.
        var ad: String
    }

    /// The members of an ad that stay.
    struct Texts: Sendable {
        var clickThrough: JSONText
        var clickTracking: JSONText
        /// Nil for an ad that has no such member.
        var events: JSONText?

        fileprivate var written: Texts {
            Texts(
                clickThrough: .written(clickThrough.utf8), clickTracking: .written(clickTracking.utf8),
                events: events.map { .written($0.utf8) })
        }
    }

    private var known: [Key: Texts] = [:]

    /// The texts of an ad, made by `write` where they are not known.
    mutating func texts(_ key: Key, write: () -> Texts) -> Texts {
        if let texts = known[key] { return texts }
        if known.count >= Self.capacity { known = [:] }
        let texts = write().written
        known[key] = texts
        return texts
    }
}
