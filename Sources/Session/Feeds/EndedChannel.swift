import Ports

/// A live channel that ended (EXT-X-ENDLIST) is looked at again, with growing pauses, and followed when it returns (HLS-32).
/// A stream that was complete when it was first seen is a recording and does not return.
struct EndedChannel {
    /// The first pause; it doubles with each further look.
    static let firstPause: Duration = .seconds(10)
    static let longestPause: Duration = .seconds(300)

    /// Whether a playlist without EXT-X-ENDLIST was seen.
    private var wasOpen = false
    /// When the end was seen; nil while the channel runs.
    private(set) var since: Moment?
    private var looks = 0
    /// Whether the next look is at the multivariant playlist: a channel may return under other addresses.
    private(set) var wantsManifest = false
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    var isLooking: Bool { since != nil }

    /// A playlist was read. Returns how long the channel had ended if it returned with it.
    mutating func noted(hasEnded: Bool, at now: Moment) -> Duration? {
        wantsManifest = false
        guard !hasEnded else {
            if wasOpen, since == nil { (since, looks) = (now, 0) }
            return nil
        }
        wasOpen = true
        defer { since = nil }
        return since.map { now.uptime - $0.uptime }
    }

    /// Nothing was read at the last look.
    /// - Parameter isRefused: the server rejected the request for a variant's playlist.
    mutating func lookFailed(isRefused: Bool) {
        wantsManifest = isRefused && !wantsManifest
    }

    /// Uptime of the next look; nil unless a channel ended.
    mutating func nextLook(at now: Moment) -> Duration? {
        guard since != nil else { return nil }
        let pause = min(Self.firstPause * (1 << min(looks, 10)), Self.longestPause)
        looks += 1
        return now.uptime + pause * random.factor(spread: BackOff.jitter)
    }
}
