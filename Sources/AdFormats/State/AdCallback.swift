/// One call of an ad to those who listen: view port and observer (FMT-9).
package enum AdCallback: Sendable, Hashable {
    case stateChanged(AdState)
    /// Banners hand over a view; the other formats present themselves.
    case adLoaded(hasView: Bool)
    case adLoadFailed(AdError.Case)
    case adReceived
    case adFailedToReceive(AdError.Case)
    case adWillPresentScreen
    case adWillLeaveApp
    case adWillDismissScreen
    case adRewarded(Reward)

    /// As vectors and traces write it, `adRewarded(Lives,12)` for example.
    package var text: String {
        switch self {
        case .stateChanged(let state): "stateChanged(\(state.rawValue))"
        case .adLoaded(let hasView): "adLoaded(\(hasView ? "view" : "nil"))"
        case .adLoadFailed(let reason): "adLoadFailed(\(reason.rawValue))"
        case .adReceived: "adReceived"
        case .adFailedToReceive(let reason): "adFailedToReceive(\(reason.rawValue))"
        case .adWillPresentScreen: "adWillPresentScreen"
        case .adWillLeaveApp: "adWillLeaveApp"
        case .adWillDismissScreen: "adWillDismissScreen"
        case .adRewarded(let reward): "adRewarded(\(reward.name),\(reward.amount))"
        }
    }
}
