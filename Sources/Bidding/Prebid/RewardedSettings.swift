package import Ports

/// The reward settings that a Prebid Server passes through to its SDK (`rwdd`, FMT-19).
package struct RewardedSettings: Hashable, Sendable {
    package var name: String?
    package var amount: ExactDecimal?
    /// The playback event that earns the reward.
    package var completionEvent: String
    /// Seconds of playback that earn the reward; nil when the event counts.
    package var completionSeconds: Int?
    package var endCardSeconds: Int?
    /// `autoclose` or `closebutton`.
    package var closeAction: String?
    package var postRewardSeconds: Int?

    private static let passthroughType = "prebidmobilesdk"
    private static let defaultEvent = "complete"

    /// Parses `passthrough[]`; nil without an entry for the SDK that has `rwdd`.
    package init?(passthrough: JSONValue?) {
        let entry = passthrough?.arrayValue?.first {
            $0["type"]?.stringValue == Self.passthroughType && $0["rwdd"]?.objectValue != nil
        }
        guard let settings = entry?["rwdd"] else { return nil }
        name = settings["reward"]?["type"]?.filledText
        amount = settings["reward"]?["count"]?.moneyValue
        let video = settings["completion"]?["video"]
        completionEvent = video?["playbackevent"]?.filledText ?? Self.defaultEvent
        completionSeconds = video?["time"]?.smallInteger
        endCardSeconds = video?["endcard"]?["time"]?.smallInteger
        closeAction = settings["close"]?["action"]?.filledText
        postRewardSeconds = settings["close"]?["postrewardtime"]?.smallInteger
    }
}
