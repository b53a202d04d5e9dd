import HLS

/// When requests for documents end: of a recording after one good answer, of a live stream that has ended once the viewer has seen its end. They go
/// on when the channel returns (PRV-29).
struct PollingEnd: Hashable, Sendable {
    /// Whether the stream was live when it was seen, or is known to be.
    private var isLive: Bool
    /// Whether the request in flight is the last one if its answer is good.
    private var isLast = false
    private(set) var isReached = false

    init(isLive: Bool = false) {
        self.isLive = isLive
    }

    mutating func requested(on stream: StreamFacts) {
        if !stream.timeline.hasEnded { isLive = true }
        isLast = stream.timeline.hasEnded && (!isLive || stream.isPlayed && stream.reading.awaited == nil)
    }

    mutating func succeeded() { isReached = isLast }

    /// A channel that continues lists new breaks.
    mutating func playlistArrived(on stream: StreamFacts) {
        guard stream.timeline.playlist != nil, !stream.timeline.hasEnded else { return }
        (isLive, isLast, isReached) = (true, false, false)
    }

    /// There is something to request after all.
    mutating func reopened() { (isLast, isReached) = (false, false) }
}
