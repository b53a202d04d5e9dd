package import Ports
package import VAST

/// When a reward is earned, what it is, and how the ad closes afterwards: by default on `complete` (FMT-19), or as the
/// settings
/// of the bid say (`rwdd`, FMT-19).
package struct RewardRules: Sendable, Hashable {
    package enum Earning: Sendable, Hashable {
        /// A playback event of the video.
        case event(EventName)
        /// So much of the video was played.
        case played(Duration)
        /// So long after the end card appeared; zero is at once.
        case endCard(after: Duration)
    }

    package enum CloseAction: String, Sendable, Hashable {
        /// The ad closes by itself.
        case autoclose
        /// A control to close appears.
        case closebutton
    }

    /// Seconds of a setting that are believed; longer ones are cut.
    static let maximumSeconds: Int64 = 3_600

    package private(set) var reward: Reward?
    package private(set) var earning = Earning.event(.complete)
    /// From the reward on until the ad may be closed.
    package private(set) var afterReward = Duration.zero
    package private(set) var close = CloseAction.closebutton
    package private(set) var warnings: [String] = []

    /// The rules of an ad: the extension of its VAST document, else those of the bid, which an extension overrules with a
    /// warning.
    package init(extension rewarded: RewardedVideo?, bid: JSONValue?) {
        if let bid { read(bid) }
        guard let rewarded else { return }
        if bid != nil { warnings.append("the VAST extension overrules the bid's reward settings") }
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

    private mutating func readEarning(_ video: JSONValue?) {
        if let card = video?["endcard"] {
            earning = .endCard(after: Self.seconds(card["time"]) ?? .zero)
        } else if let time = Self.seconds(video?["time"]) {
            earning = .played(time)
        } else if let name = video?["playbackevent"]?.stringValue {
            let known: [EventName] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
            if let event = known.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
                earning = .event(event)
            } else {
                warnings.append("unknownPlaybackEvent:\(name)")
            }
        }
    }

    private static func seconds(_ value: JSONValue?) -> Duration? {
        guard let seconds = value?.integerValue, seconds >= 0 else { return nil }
        return .seconds(min(seconds, maximumSeconds))
    }

    /// One clause: `complete`, `5s played`.
    package var earningText: String {
        switch earning {
        case .event(let name): name.rawValue
        case .played(let span): "\(span.text) played"
        case .endCard(let wait): wait == .zero ? "end card" : "\(wait.text) of end card"
        }
    }
}
