package import Ports

/// One media segment with its place on the stream timeline (hls-timeline 2.3).
///
/// Keeps only what positions and dates need: thousands of these stay while playlists come and go.
package struct TimelineSegment: Hashable, Sendable {
    /// Media sequence number; unique within one epoch of the timeline.
    package var sequence: Int
    /// Fixed when the segment is first listed, whatever later playlists say.
    package var start: StreamTime
    /// EXTINF as the newest playlist has it.
    package var duration: Duration
    /// Date of its start; nil in a stream without PROGRAM-DATE-TIME.
    package var date: UnixTime?
    /// The date is its own PROGRAM-DATE-TIME, not carried over from a neighbour.
    package var hasOwnDate: Bool
    package var discontinuitySequence: Int
    package var isDiscontinuity: Bool
    package var isGap: Bool
    /// As first listed.
    package var uri: String

    package init(_ segment: MediaSegment, start: StreamTime) {
        sequence = segment.sequence
        self.start = start
        duration = max(.zero, segment.duration)
        date = segment.date
        hasOwnDate = segment.dateSource == .explicit
        discontinuitySequence = segment.discontinuitySequence
        isDiscontinuity = segment.isDiscontinuity
        isGap = segment.isGap
        uri = segment.uri
    }

    package var end: StreamTime { start + duration }
    package var endDate: UnixTime? { date.map { $0 + duration } }

    /// The date at `position`, also before and after the segment.
    package func date(at position: StreamTime) -> UnixTime? {
        date.map { $0 + (position - start) }
    }

    /// Whether `uri` names the same resource: query strings may differ, tokens live there.
    package func hasSameResource(as uri: String) -> Bool {
        self.uri == uri || Self.withoutQuery(self.uri).elementsEqual(Self.withoutQuery(uri))
    }

    private static func withoutQuery(_ uri: String) -> Substring.UTF8View.SubSequence {
        uri.utf8.prefix { $0 != UInt8(ascii: "?") }
    }
}
