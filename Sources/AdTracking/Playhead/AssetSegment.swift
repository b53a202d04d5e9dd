import HLS
package import Ports

/// Part of one asset of an interstitial that was played without a jump; the ad's beacons due in it are sent.
package struct AssetSegment: Hashable, Sendable {
    /// ID of the interstitial.
    package var interstitialID: String
    /// Index in its asset list.
    package var assetIndex: Int
    /// Offset from the start of the asset. This instant is included where the asset begins and where the segment does
    /// not continue the one before.
    package var fromOffset: Duration
    /// Offset from the start of the asset, included.
    package var toOffset: Duration
    /// Offset from the start of the interstitial: all earlier assets back to back.
    package var fromElapsed: Duration
    package var toElapsed: Duration
    package var fromMoment: Moment
    package var toMoment: Moment
    /// Media time per uptime.
    package var rate: Double
    /// Whether the asset was played to its end.
    package var reachesEnd: Bool
    /// Whether it starts where the segment before ended.
    package var isContinuous: Bool

    /// The segments of `entry` played from `from` to `to`, both offsets from the start of the interstitial; one per
    /// asset.
    static func stretches(
        of entry: TrackedInterstitial, from: Duration, to: Duration, start: Moment, end: Moment, rate: Double
    ) -> [AssetSegment] {
        func moment(_ elapsed: Duration) -> Moment {
            let uptime = start.uptime + (elapsed - from).scaled(by: 1 / rate)
            return uptime >= end.uptime ? end : start.advanced(by: uptime - start.uptime)
        }
        var segments: [AssetSegment] = []
        var position = from
        while position < to, let (index, offset) = entry.asset(at: position) {
            let assetStart = position - offset
            let assetEnd = entry.duration(ofAsset: index).map { assetStart + $0 }
            let reached = assetEnd.map { min($0, to) } ?? to
            segments.append(
                AssetSegment(
                    interstitialID: entry.id, assetIndex: index, fromOffset: offset, toOffset: reached - assetStart,
                    fromElapsed: position, toElapsed: reached, fromMoment: moment(position),
                    toMoment: moment(reached), rate: rate, reachesEnd: reached == assetEnd,
                    isContinuous: position > (entry.play?.joinedOffset ?? .zero)))
            guard reached > position else { break }
            position = reached
        }
        return segments
    }
}
