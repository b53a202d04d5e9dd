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
    /// Nothing where the session does not want low latency, and what the server does not offer is not asked for.
    package init(for timeline: Timeline, age: Duration) {
        guard timeline.prefersLowLatency, !timeline.hasEnded, !timeline.awaitsVariant, let playlist = timeline.playlist,
            let control = playlist.serverControl, let last = playlist.segments.last?.sequence
        else { return }
        if control.canBlockReload {
            sequence = last.addingSaturating(1)
            // The trailing parts are those of the segment after the last one.
            part =
                playlist.partTarget == nil
                ? nil : playlist.trailingParts.last.map { $0.index.addingSaturating(1) } ?? 0
        }
        // A copy older than half the skip boundary may lack what is skipped.
        guard let boundary = control.canSkipUntil, age * 2 < boundary else { return }
        skip = control.canSkipDateRanges ? .segmentsAndDateRanges : .segments
    }

    /// Nothing is asked for: a plain request.
    package var isEmpty: Bool { self == Self() }

    /// The request may be held until what it names is listed.
    package var isBlocking: Bool { sequence != nil }

    /// The same request without a delta update: after `ReloadOutcome.deltaIncomplete`.
    package var complete: Self {
        Self(sequence: sequence, part: part)
    }

    /// How long a request may take, everything included: a server may hold a blocking one for three target durations
    /// (rfc8216bis-22 section 6.2.5.2), and it takes a while to come and go.
    package func timeout(on timeline: Timeline) -> Duration {
        guard isBlocking, let target = timeline.targetDuration else { return Limits.requestTimeout }
        let block = min(target, Self.longestBlock) * Self.blockingTargets + Self.blockingMargin
        return min(max(Limits.requestTimeout, block), Self.longestBlock)
    }

    /// In target durations.
    private static let blockingTargets = 3
    private static let blockingMargin: Duration = .seconds(5)
    private static let longestBlock: Duration = .seconds(180)

    /// The query parameters with their names; nil values are not sent.
    private var parameters: [(name: String, value: String?)] {
        [
            ("_HLS_msn", sequence.map { String($0) }), ("_HLS_part", part.map { String($0) }),
            ("_HLS_skip", skip?.rawValue),
        ]
    }

    /// `_HLS_msn=16&_HLS_part=3`, for messages.
    package var text: String {
        parameters.compactMap { parameter in parameter.value.map { "\(parameter.name)=\($0)" } }.joined(separator: "&")
    }

    /// `query` with the directives added, all parameters in the order of their UTF-8 bytes so that caches see one form;
    /// nil when there is nothing to send and nothing was there. Directives that `query` had are replaced.
    package func added(to query: String?) -> String? {
        guard !isEmpty else { return query }
        var items = QueryItems(query)
        for (name, value) in parameters {
            items.removeAll(named: name)
            if let value { items.appendIfAbsent(name: name, value: value) }
        }
        items.items.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return items.text
    }

    /// `url` without any delivery directive: the playlist as people know it.
    package static func removed(from url: String) -> String {
        var reference = URIReference(url)
        guard let query = reference.query, query.contains("_HLS_") else { return url }
        var items = QueryItems(String(query))
        for (name, _) in Self().parameters { items.removeAll(named: name) }
        reference.query = items.text.map { Substring($0) }
        return reference.text
    }
}
