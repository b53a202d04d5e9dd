import HLS
import Ports

/// The cost of polls: an answer that takes longer to handle than the time to the next one takes a whole core.
package enum HandlingCost {
    /// Shorter times are never reported: no feed is polled more often.
    package static let least = PlaylistPart.shortestReload

    /// What is wrong with handling an answer that took that long; nil if the next one comes later.
    static func finding(_ purpose: FetchPurpose, took: Duration, interval: Duration?) -> Finding? {
        guard let interval, took > interval else { return nil }
        return Finding(
            rule: SessionRule.costlyPoll, severity: .warning,
            message:
                "handling an answer took \(Wording.seconds(took)), the next one is due after \(Wording.seconds(interval))",
            path: purpose == .metadata ? "metadata" : "playlist", section: "HLS-8")
    }
}
