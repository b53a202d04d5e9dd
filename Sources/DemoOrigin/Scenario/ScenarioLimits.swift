/// The limits of a scenario file. Each bounds the work of one answer.
package enum ScenarioLimits {
    /// Size of a scenario file in bytes.
    package static let fileBytes = 256 * 1_024
    /// Nominal segment length in ms.
    package static let segmentMs = 250...60_000
    /// Playlist and metadata windows, and the distance of breaks, in ms.
    package static let windowMs = 1_000...86_400_000
    /// How far metadata reaches beyond the live edge, in ms.
    package static let aheadMs = 1...60_000
    /// Length of one ad in ms.
    package static let adMs = 100...3_600_000
    /// Delay of an answer in ms.
    package static let delayMs = 1...600_000
    /// Creatives of a scenario.
    package static let ads = 256
    /// Pods of a scenario and ads of a pod.
    package static let pods = 64
    /// Events of an ad.
    package static let events = 64
    /// URLs of an event.
    package static let urls = 1...8
    /// Redirects before a beacon is accepted.
    package static let redirects = 1...50
    /// Rules of one kind of a scenario.
    package static let rules = 256
    /// Segments until the pods begin again from the first.
    package static let cycleSegments = 100_000
    /// Length of one part in ms.
    package static let partMs = 100...10_000
    /// How far dates jump at a discontinuity in ms.
    package static let dateJumpMs = 1...3_600_000
    /// How far starts in metadata differ from the plan in ms.
    package static let startChangeMs = 1...60_000
    /// Wrappers around an ad.
    package static let wrappers = 1...20
    /// When a skip control appears, seconds.
    package static let skipAfterS = 0...3_600
    /// Segments of the sliding window.
    package static let windowSegments = 20_000
}
