package import Ports
package import VAST

/// When a reward is earned, what it is, and how the ad closes afterwards: by default on `complete` (FMT-19), or as the
/// settings of the bid state (`rwdd`, FMT-19).
package struct RewardRules: Sendable, Hashable {
    package enum Earning: Sendable, Hashable {
        /// Playback reached this event of the video.
        case event(EventName)
        /// This much of the video was played.
        case played(Duration)
        /// This time has passed since the end card appeared; zero means immediately.
        case endCard(after: Duration)
    }

    package enum CloseAction: String, Sendable, Hashable {
        /// The ad closes automatically.
        case autoclose
        /// A close control appears.
        case closebutton
    }

    /// Longest time of a setting in seconds; longer ones are clamped.
    static let maximumSeconds: Int64 = 3_600

    package private(set) var reward: Reward?
    package private(set) var earning = Earning.event(.complete)
    /// The same without an end card.
    private var earningByVideo = Earning.event(.complete)
    /// Time after the reward until the ad may be closed.
    package private(set) var afterReward = Duration.zero
    package private(set) var close = CloseAction.closebutton
    package private(set) var warnings: [String] = []

    /// The rules of an ad: from the extension of its VAST document, else from the bid. If both exist, the extension is
    /// used, with a warning.
    package init(extension rewarded: RewardedVideo?, bid: JSONValue?) {
        if let bid { read(bid) }
        guard let rewarded else { return }
        if bid != nil { warnings.append("the VAST extension overrides the bid's reward settings") }
        warnings += rewarded.warnings.map(\.rawValue)
        reward = nil
        if rewarded.isOn, let name = rewarded.currency, let amount = rewarded.amount {
            reward = Reward(name: name, amount: amount)
        }
    }

    private mutating func read(_ settings: JSONValue) {
        if let name = settings["reward"]?["type"]?.stringValue, !name.isEmpty,
            let amount = settings["reward"]?["count"]?.integerValue.flatMap(Int.init(exactly:)), amount > 0
        {
            reward = Reward(name: name, amount: amount)
        }
        readEarning(settings["completion"]?["video"])
        afterReward = Self.seconds(settings["close"]?["postrewardtime"]) ?? .zero
        if let action = settings["close"]?["action"]?.stringValue {
            close = CloseAction(rawValue: action) ?? .closebutton
        }
    }

    /// The ad has no end card: a reward that depends on it is earned by the video, as the settings state besides.
    package mutating func noteMissingEndCard() {
        guard case .endCard = earning else { return }
        earning = earningByVideo
        warnings.append("noEndCardToEarnBy")
    }

    private mutating func readEarning(_ video: JSONValue?) {
        readEarningByVideo(video)
        earning = earningByVideo
        if let card = video?["endcard"], card != .null {
            earning = .endCard(after: Self.seconds(card["time"]) ?? .zero)
        }
    }

    private mutating func readEarningByVideo(_ video: JSONValue?) {
        if let time = Self.seconds(video?["time"]) {
            earningByVideo = .played(time)
        } else if let name = video?["playbackevent"]?.stringValue {
            let known: [EventName] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
            if let event = known.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
                earningByVideo = .event(event)
            } else {
                warnings.append("unknownPlaybackEvent:\(name)")
            }
        }
    }

    private static func seconds(_ value: JSONValue?) -> Duration? {
        guard let seconds = value?.integerValue, seconds >= 0 else { return nil }
        return .seconds(min(seconds, maximumSeconds))
    }

    /// The condition as a clause: `complete`, `5s played`.
    package var earningText: String {
        switch earning {
        case .event(let name): name.rawValue
        case .played(let span): "\(span.text) played"
        case .endCard(let wait): wait == .zero ? "end card" : "\(wait.text) of end card"
        }
    }
}
