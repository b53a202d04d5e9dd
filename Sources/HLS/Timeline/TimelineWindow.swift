package import Ports

/// The range that the newest playlist lists, on the stream timeline. The end is the edge E, which includes trailing
/// parts in low-latency mode (conformance hls README, "Sequences").
package struct TimelineWindow: Hashable, Sendable {
    package var firstSequence: Int
    package var lastSequence: Int
    package var start: StreamTime
    package var end: StreamTime
    /// `startDate` and `endDate` are nil in a stream without PROGRAM-DATE-TIME.
    package var startDate: UnixTime?
    package var endDate: UnixTime?
    /// Position of a live viewer: max(start, end − hold-back), or the end after ENDLIST.
    package var latest: StreamTime
    package var latestDate: UnixTime?

    package var duration: Duration { end - start }
}
