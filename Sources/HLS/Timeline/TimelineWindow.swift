package import Ports

/// What the newest playlist lists, on the stream timeline. The end is the edge E: with trailing parts in low-latency
/// mode (conformance hls README, "Sequences").
package struct TimelineWindow: Hashable, Sendable {
    package var firstSequence: Int
    package var lastSequence: Int
    package var start: StreamTime
    package var end: StreamTime
    /// Nil in a stream without PROGRAM-DATE-TIME, as is the next one.
    package var startDate: UnixTime?
    package var endDate: UnixTime?
    /// Where a live viewer is: max(start, end − hold-back), or the end after ENDLIST.
    package var latest: StreamTime
    package var latestDate: UnixTime?

    package var duration: Duration { end - start }
}
