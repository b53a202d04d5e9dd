import Ports

/// The delivery directives of a playlist request: what a blocking reload waits for, and whether a delta update is
/// acceptable (rfc8216bis-22 section 6.2.5, HLS-2 and HLS-3).
package struct DeliveryDirectives: Hashable, Sendable {
    /// The `_HLS_skip` directive.
    package enum Skip: String, Hashable, Sendable {
        case segments = "YES"
        /// Date ranges may be skipped, too.
        case segmentsAndDateRanges = "v2"
    }

    /// The `_HLS_msn` directive: a media sequence number.
    package var sequence: Int?
    /// The `_HLS_part` directive; nil whenever `sequence` is.
    package var part: Int?
    package var skip: Skip?

    package init(sequence: Int? = nil, part: Int? = nil, skip: Skip? = nil) {
        self.sequence = sequence
        self.part = part
        self.skip = skip
    }

    /// The directives for the next request for the playlist of `timeline`, whose held copy was requested `age` ago.
    /// Empty when the session does not use low latency; directives that the server does not support are omitted.
    package init(for timeline: Timeline, age: Duration) {
        guard timeline.prefersLowLatency, !timeline.hasEnded, !timeline.awaitsVariant, let playlist = timeline.playlist,
            let control = playlist.serverControl, let last = playlist.segments.last?.sequence
        else { return }
        if control.canBlockReload {
            sequence = last.addingSaturating(1)
            // The trailing parts belong to the segment after the last one.
            part =
                playlist.partTarget == nil
                ? nil : playlist.trailingParts.last.map { $0.index.addingSaturating(1) } ?? 0
        }
        // A copy older than half the skip boundary may lack segments that an update skips.
        guard let boundary = control.canSkipUntil, age * 2 < boundary else { return }
        skip = control.canSkipDateRanges ? .segmentsAndDateRanges : .segments
    }

    /// Whether the request is a plain one without directives.
    package var isEmpty: Bool { self == Self() }

    /// Whether the server may hold the request until the playlist lists what it names.
    package var isBlocking: Bool { sequence != nil }

    /// The same request without a delta update, for use after `ReloadOutcome.deltaIncomplete`.
    package var complete: Self {
        Self(sequence: sequence, part: part)
    }

    /// Time limit for a whole request: a server may hold a blocking one for three target durations (rfc8216bis-22
    /// section 6.2.5.2), plus time for the transfer.
    package func timeout(on timeline: Timeline) -> Duration {
        guard isBlocking, let target = timeline.targetDuration else { return Limits.requestTimeout }
        let block = min(target, Self.longestBlock) * Self.blockingTargets + Self.blockingMargin
        return min(max(Limits.requestTimeout, block), Self.longestBlock)
    }

    /// How long a server may hold the request.
    package func hold(on timeline: Timeline) -> Duration {
        guard isBlocking, let target = timeline.targetDuration else { return .zero }
        return min(target, Self.longestBlock) * Self.blockingTargets
    }

    /// Time that a server may hold a request, in target durations.
    private static let blockingTargets = 3
    private static let blockingMargin: Duration = .seconds(5)
    private static let longestBlock: Duration = .seconds(180)

    /// The query parameters by name; those with a nil value are not sent.
    private var parameters: [(name: String, value: String?)] {
        [
            ("_HLS_msn", sequence.map { String($0) }), ("_HLS_part", part.map { String($0) }),
            ("_HLS_skip", skip?.rawValue),
        ]
    }

    /// The directives for messages, such as `_HLS_msn=16&_HLS_part=3`.
    package var text: String {
        parameters.compactMap { parameter in parameter.value.map { "\(parameter.name)=\($0)" } }.joined(separator: "&")
    }

    /// `query` with the directives added and all parameters sorted by their UTF-8 bytes, so that caches see one form.
    /// Directives in `query` are replaced. Nil when the result would be empty.
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

    /// `url` without any delivery directive, for display.
    package static func removed(from url: String) -> String {
        var reference = URIReference(url)
        guard let query = reference.query, query.contains("_HLS_") else { return url }
        var items = QueryItems(String(query))
        for (name, _) in Self().parameters { items.removeAll(named: name) }
        reference.query = items.text.map { Substring($0) }
        return reference.text
    }
}
