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
    /// How the date follows from PROGRAM-DATE-TIME; nil without a date, and for an estimate, which any date of a playlist replaces.
    package var dateSource: DateSource?
    package var discontinuitySequence: Int
    package var isDiscontinuity: Bool
    package var isGap: Bool
    /// URI as first listed.
    package var uri: String
    /// URI of the playlist that listed it first; empty if none did.
    package var base: String
    package var byteRange: ByteRange?

    package init(_ segment: MediaSegment, start: StreamTime) {
        sequence = segment.sequence
        self.start = start
        duration = max(.zero, segment.duration)
        date = segment.date
        dateSource = segment.dateSource
        discontinuitySequence = segment.discontinuitySequence
        isDiscontinuity = segment.isDiscontinuity
        isGap = segment.isGap
        uri = segment.uri
        base = segment.base
        byteRange = segment.byteRange
    }

    package var end: StreamTime { start + duration }
    package var endDate: UnixTime? { date.map { $0 + duration } }

    /// The date at `position`, which may be outside the segment.
    package func date(at position: StreamTime) -> UnixTime? {
        date.map { $0 + (position - start) }
    }

    /// Whether the date of `listed` counts here: one that is counted back from a later date does not where the media before has a date,
    /// because the dates may step in between (HLS-12).
    func accepts(_ listed: DateSource?) -> Bool {
        listed != .backward || dateSource == nil || dateSource == .backward
    }
}
