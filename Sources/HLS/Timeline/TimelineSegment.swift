package import Ports

/// One media segment with its place on the stream timeline (HLS-11).
///
/// Contains only what positions and dates need, because thousands are kept.
package struct TimelineSegment: Hashable, Sendable {
    /// Media sequence number; unique within one epoch of the timeline.
    package var sequence: Int
    /// Start on the timeline, fixed when the segment is first listed.
    package var start: StreamTime
    /// EXTINF of the newest playlist.
    package var duration: Duration
    /// Date of its start; nil in a stream without PROGRAM-DATE-TIME.
    package var date: UnixTime?
    /// Whether the date is its own PROGRAM-DATE-TIME, not derived from a neighbour.
    package var hasOwnDate: Bool
    package var discontinuitySequence: Int
    package var isDiscontinuity: Bool
    package var isGap: Bool
    /// URI as first listed.
    package var uri: String
    package var byteRange: ByteRange?

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
        byteRange = segment.byteRange
    }

    package var end: StreamTime { start + duration }
    package var endDate: UnixTime? { date.map { $0 + duration } }

    /// The date at `position`, which may be outside the segment.
    package func date(at position: StreamTime) -> UnixTime? {
        date.map { $0 + (position - start) }
    }

    /// Whether `uri` names the same resource: query strings may differ, because they contain tokens.
    package func hasSameResource(as uri: String) -> Bool {
        self.uri == uri || Self.withoutQuery(self.uri).elementsEqual(Self.withoutQuery(uri))
    }

    private static func withoutQuery(_ uri: String) -> Substring.UTF8View.SubSequence {
        uri.utf8.prefix { $0 != UInt8(ascii: "?") }
    }
}
