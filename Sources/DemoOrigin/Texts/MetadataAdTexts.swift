/// The metadata of ads that does not change between polls, written once for each session.
struct MetadataAdTexts: Sendable {
    /// Most ads kept; a window holds some dozens for a session.
    private static let capacity = 1_000

    /// Everything that determines the texts of an ad.
    struct Key: Hashable, Sendable {
        /// Scheme and authority of beacon URLs.
        var origin: String
        var scenario: String
        var session: String
        /// Id of the ad, unique within the stream.
        var ad: String
    }

    /// The members of an ad that do not change.
    struct Texts: Sendable {
        var clickThrough: JSONText
        var clickTracking: JSONText
        /// Nil for an ad without this member.
        var events: JSONText?

        fileprivate var written: Texts {
            Texts(
                clickThrough: .written(clickThrough.utf8), clickTracking: .written(clickTracking.utf8),
                events: events.map { .written($0.utf8) })
        }
    }

    private var known: [Key: Texts] = [:]

    /// The texts of an ad, written by `write` if they are not known yet.
    mutating func texts(_ key: Key, write: () -> Texts) -> Texts {
        if let texts = known[key] { return texts }
        if known.count >= Self.capacity { known = [:] }
        let texts = write().written
        known[key] = texts
        return texts
    }
}
