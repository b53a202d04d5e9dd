import HLS
import Ports

/// What the times of a session's documents are: dates of the playlist, or in a recording offsets from the start of the content (TRK-4).
///
/// The first document that has times, once there is a playlist, decides for the session: a beacon keeps its place.
struct ContentClock: Sendable {
    private enum Base {
        case unknown, dates, contentStart
    }

    /// Times below are too small for dates of media; a recording is shorter.
    private static let offsets = UnixTime(microseconds: 0)..<UnixTime(milliseconds: 366 * 86_400_000)

    private var base = Base.unknown

    /// Whether the document has times, and all of them look like offsets: where it belongs is known with the playlist.
    static func looksLikeOffsets(_ document: DecodedMetadata) -> Bool {
        guard !document.breaks.isEmpty || document.dataRange != nil else { return false }
        return document.breaks.allSatisfy { offsets.contains($0.start) }
            && document.dataRange.map { offsets.contains($0.start) && offsets.contains($0.end) } ?? true
    }

    /// Whether a date can be one of media, and no offset.
    static func isDate(_ time: UnixTime) -> Bool { time >= offsets.upperBound }

    /// The document on the dates of the timeline.
    mutating func placed(_ document: DecodedMetadata, on stream: StreamFacts) -> DecodedMetadata {
        decide(by: document, on: stream)
        guard base == .contentStart else { return document }
        let placement = ListedPlacement(timeline: stream.timeline)
        var placed = document
        for index in placed.breaks.indices {
            let start = placed.breaks[index].start
            placed.breaks[index].move(by: placement.date(ofOffset: start) - start)
        }
        placed.breaks = placed.breaks.sortedStably { $0.start < $1.start }
        placed.dataRange = document.dataRange.flatMap {
            DataRange(start: placement.date(ofOffset: $0.start), end: placement.date(ofOffset: $0.end))
        }
        return placed
    }

    private mutating func decide(by document: DecodedMetadata, on stream: StreamFacts) {
        let timeline = stream.timeline
        guard base == .unknown, stream.hasPlaylist, let playlist = timeline.playlist, let window = timeline.window,
            document.dataRange != nil || !document.breaks.isEmpty
        else { return }
        base = .dates
        guard playlist.isComplete, Self.looksLikeOffsets(document), let first = window.startDate else { return }
        // Segments are rounded, and the last one may be cut.
        let end = Self.offsets.lowerBound + window.duration + max(.seconds(1), timeline.targetDuration ?? .zero)
        let fits =
            document.breaks.isEmpty
            ? document.dataRange.map { $0.end <= end } ?? false : document.breaks.allSatisfy { $0.start <= end }
        if fits, first > end { base = .contentStart }
    }
}

extension ListedPlacement {
    /// The date of a time that counts from the start of the content.
    fileprivate func date(ofOffset time: UnixTime) -> UnixTime {
        date(at: .zero + (time - UnixTime(microseconds: 0))) ?? time
    }
}

extension AdBreak {
    /// Moves all that it has.
    fileprivate mutating func move(by shift: Duration) {
        start += shift
        for index in ads.indices { ads[index].move(by: shift) }
    }
}

extension Ad {
    /// Moves all that it has.
    mutating func move(by shift: Duration) {
        start += shift
        events.move(by: shift)
        for index in companions.indices { companions[index].events.move(by: shift) }
        for index in verifications.indices { verifications[index].events.move(by: shift) }
    }
}

extension [TrackingEvent] {
    fileprivate mutating func move(by shift: Duration) {
        for index in indices { self[index].start += shift }
    }
}
