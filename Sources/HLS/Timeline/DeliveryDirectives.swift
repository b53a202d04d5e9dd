import Ports

/// The delivery directives of a playlist request: what a blocking reload waits for, and whether a delta update will do
/// (rfc8216bis-22 section 6.2.5, hls-timeline 1.8 and 1.9).
package struct DeliveryDirectives: Hashable, Sendable {
    /// `_HLS_skip`.
    package enum Skip: String, Hashable, Sendable {
        case segments = "YES"
        /// Date ranges too.
        case segmentsAndDateRanges = "v2"
    }

    /// `_HLS_msn`.
    package var sequence: Int?
    /// `_HLS_part`; never without `sequence`.
    package var part: Int?
    package var skip: Skip?

    package init(sequence: Int? = nil, part: Int? = nil, skip: Skip? = nil) {
        self.sequence = sequence
        self.part = part
        self.skip = skip
    }

    /// What to send with the next request for the playlist of `timeline`, whose held copy was requested `age` ago.
    /// Nothing outside low-latency mode: a blocking monitor adds one long request per playlist.
    package init(for timeline: Timeline, age: Duration) {
        guard timeline.isLowLatency, !timeline.hasEnded, let playlist = timeline.playlist,
            let control = playlist.serverControl, let last = playlist.segments.last?.sequence
        else { return }
        if control.canBlockReload {
            sequence = last.addingSaturating(1)
            // The trailing parts are those of the segment after the last one.
            part = playlist.trailingParts.last.map { $0.index.addingSaturating(1) } ?? 0
        }
        // A copy older than half the skip boundary may lack what is skipped.
        guard let boundary = control.canSkipUntil, age * 2 < boundary else { return }
        skip = control.canSkipDateRanges ? .segmentsAndDateRanges : .segments
    }

    /// The same request without a delta update: after `ReloadOutcome.deltaIncomplete`.
    package var complete: Self {
        Self(sequence: sequence, part: part)
    }

    /// `query` with the directives added, all parameters in the order of their UTF-8 bytes so that caches see one form;
    /// nil when there is nothing to send and nothing was there. Directives that `query` had are replaced.
    package func added(to query: String?) -> String? {
        let own = [
            ("_HLS_msn", sequence.map { String($0) }), ("_HLS_part", part.map { String($0) }),
            ("_HLS_skip", skip?.rawValue),
        ]
        guard own.contains(where: { $0.1 != nil }) else { return query }
        var items = QueryItems(query)
        for (name, value) in own {
            items.removeAll(named: name)
            if let value { items.appendIfAbsent(name: name, value: value) }
        }
        items.items.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return items.text
    }
}
