import HLS

/// Part of one asset of an interstitial that was played without a jump; the ad's beacons due in it are sent.
package struct AssetSegment: Hashable, Sendable {
    /// ID of the interstitial.
    package var interstitialID: String
    /// Offset from the start of the interstitial: all earlier assets back to back.
    package var fromElapsed: Duration
    package var toElapsed: Duration
    /// Media time per uptime.
    package var rate: Double

    /// The segments of `entry` played from `from` to `to`, both offsets from the start of the interstitial; one per
    /// asset.
    static func stretches(
        of entry: TrackedInterstitial, from: Duration, to: Duration, rate: Double
    ) -> [AssetSegment] {
        var segments: [AssetSegment] = []
        var position = from
        while position < to, let (index, offset) = entry.asset(at: position) {
            let end = entry.duration(ofAsset: index).map { position - offset + $0 }
            let reached = end.map { min($0, to) } ?? to
            segments.append(
                AssetSegment(interstitialID: entry.id, fromElapsed: position, toElapsed: reached, rate: rate))
            guard reached > position else { break }
            position = reached
        }
        return segments
    }
}
