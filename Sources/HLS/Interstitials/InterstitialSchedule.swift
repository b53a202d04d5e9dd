package import Ports

/// The order of interstitials and primary content in a complete playlist (HLS-20), on three clocks.
package struct InterstitialSchedule: Equatable, Sendable {
    /// A primary stretch of at most this length gets no item: it is about one frame, which rounding alone can produce.
    package static let shortestPrimary: Duration = .milliseconds(33)

    /// A start and an end on one clock. Nil where it depends on an interstitial of unknown length.
    package struct Span: Hashable, Sendable {
        package var start: StreamTime?
        package var end: StreamTime?
    }

    /// An interstitial, or a stretch of the primary stream between two.
    package struct Item: Hashable, Sendable {
        /// ID of the interstitial; nil for primary content.
        package var id: String?
        /// Place on the primary timeline; an interstitial ends where the primary stream resumes.
        package var primary: Span
        /// Place on the playout timeline, where all items follow back to back, as a viewer sees them.
        package var playout: Span
        /// Place on the integrated timeline, where an interstitial that occupies a POINT has no width.
        package var integrated: Span
    }

    package private(set) var items: [Item] = []
    /// Length of the primary stream.
    package private(set) var primaryDuration = Duration.zero
    private var playoutEnd: StreamTime? = .zero
    private var integratedEnd: StreamTime? = .zero

    /// Nil where the length of an interstitial is unknown, as for the integrated timeline where it has a width there.
    package var playoutDuration: Duration? { playoutEnd.map { $0 - .zero } }
    package var integratedDuration: Duration? { integratedEnd.map { $0 - .zero } }

    /// Schedules the interstitials that `timeline` lists. `assetLists`, by interstitial ID, supply their lengths; without them those of the
    /// tags count (HLS-19).
    package init(_ timeline: Timeline, assetLists: [String: AssetList] = [:]) {
        guard let window = timeline.window else { return }
        primaryDuration = window.duration
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        for (id, list) in assetLists { track.noteAssetList(list, for: id) }
        _ = track.join(at: window.start)
        var position: StreamTime? = window.start
        var groupStart: StreamTime?
        var groupOffset: Duration? = .zero
        for entry in track.scheduled {
            // A break before the start is never entered, and the playhead does not come to one after the end (HLS-21).
            guard let start = entry.position, start >= window.start, start <= window.end else { continue }
            if start != groupStart {
                groupStart = start
                groupOffset = .zero
                appendPrimary(from: position, to: start)
            }
            let length = entry.end.map { max(.zero, $0) }
            let resumeOffset = entry.isPostroll ? .zero : entry.definition.resumeOffset ?? length
            let from = groupOffset.map { start + $0 }
            groupOffset = groupOffset.flatMap { offset in resumeOffset.map { offset + $0 } }
            position = groupOffset.map { entry.resumePoint(start + $0, on: timeline) }
            append(
                entry.id, primary: Span(start: from, end: position), length: length,
                hasWidth: entry.definition.timelineOccupies == .range)
        }
        appendPrimary(from: position, to: window.end)
    }

    private mutating func appendPrimary(from start: StreamTime?, to end: StreamTime) {
        let length = start.map { end - $0 }
        if let length, length <= Self.shortestPrimary { return }
        append(nil, primary: Span(start: start, end: end), length: length, hasWidth: true)
    }

    private mutating func append(_ id: String?, primary: Span, length: Duration?, hasWidth: Bool) {
        let playout = Span(start: playoutEnd, length: length)
        let integrated = Span(start: integratedEnd, length: hasWidth ? length : .zero)
        items.append(Item(id: id, primary: primary, playout: playout, integrated: integrated))
        playoutEnd = playout.end
        integratedEnd = integrated.end
    }
}

extension InterstitialSchedule {
    /// The schedule in schema `adtop-hls-schedule/1`; `playlistURI` is the URI of the playlist. What is unknown is null.
    package func json(playlistURI: String) -> JSONValue {
        [
            "schema": "adtop-hls-schedule/1",
            "playlist_uri": .string(playlistURI),
            "durations": [
                "primary": .integer(primaryDuration.roundedMilliseconds),
                "playout": .optional(playoutDuration?.roundedMilliseconds),
                "integrated": .optional(integratedDuration?.roundedMilliseconds),
            ],
            "items": .array(
                items.map { item in
                    [
                        "id": .optional(item.id), "primary": item.primary.json, "playout": item.playout.json,
                        "integrated": item.integrated.json,
                    ]
                }),
        ]
    }
}

extension InterstitialSchedule.Span {
    fileprivate init(start: StreamTime?, length: Duration?) {
        self.init(start: start, end: start.flatMap { start in length.map { start + $0 } })
    }

    fileprivate var json: JSONValue {
        ["start": .optional(start?.roundedMilliseconds), "end": .optional(end?.roundedMilliseconds)]
    }
}
