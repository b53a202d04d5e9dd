import Ports

/// What the playlists of a stream stated about each date range. Attributes of an ID must not change (rfc8216bis-22 section 4.4.5.1,
/// HLS-28): a value is also compared where playlists in between left out the attribute, or the range.
struct StatedDateRanges: Equatable, Sendable {
    /// How many playlists without it a range is remembered for. Servers that leave one out by mistake, or that know different ones,
    /// list it again within a few; later its ID may be that of another range.
    static let reach = 32
    /// Most ranges remembered beside those of the newest playlist; with more, none of them is.
    static let limit = 1_000
    /// Most bytes of their texts; with more, only what the newest playlist has is remembered.
    static let byteLimit = PlaylistLimits.mergedBytes

    private struct Statement: Equatable, Sendable {
        /// The newest value of each attribute.
        var range: DateRange
        /// Number of the last playlist that had the range.
        var playlist: Int
    }

    private var statements: [String: Statement] = [:]
    /// Number of playlists so far.
    private var playlists = 0

    /// Number of ranges remembered.
    var count: Int { statements.count }

    /// Notes the ranges of a playlist; `whole` is the playlist itself, or the one into which a delta update was merged. Each change is
    /// reported once.
    /// - Returns: the finding about attributes whose values changed.
    mutating func note(_ update: MediaPlaylist, whole: MediaPlaylist) -> Finding? {
        playlists += 1
        var changes: [(id: String, attribute: String)] = []
        for range in update.dateRanges {
            var newest = range
            let changed = statements[range.id].map { newest.merge($0.range) } ?? []
            statements[range.id] = Statement(range: newest, playlist: playlists)
            if let attribute = changed.first { changes.append((range.id, attribute)) }
        }
        if update.isDelta {
            for range in whole.dateRanges { statements[range.id]?.playlist = playlists }
        }
        forget(allBut: whole.dateRanges.count)
        if statements.values.reduce(0, { $0 + $1.range.textBytes }) > Self.byteLimit {
            let listed = whole.dateRanges.map { ($0.id, Statement(range: $0, playlist: playlists)) }
            statements = Dictionary(listed, uniquingKeysWith: { first, _ in first })
        }
        return changes.first.map { SequenceRules.dateRangeChanged($0.id, $0.attribute, count: changes.count) }
    }

    /// Forgets ranges that have not been listed for long; `listed` is the number of those that are.
    private mutating func forget(allBut listed: Int) {
        guard statements.count > listed else { return }
        let oldest = statements.count - listed > Self.limit ? playlists : playlists - Self.reach
        guard statements.values.contains(where: { $0.playlist < oldest }) else { return }
        statements = statements.filter { $0.value.playlist >= oldest }
    }
}
