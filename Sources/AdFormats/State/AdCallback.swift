/// One callback of an ad to its view port or observer (FMT-9).
package enum AdCallback: Sendable, Hashable {
    case stateChanged(AdState)
    /// Banners provide a view; the other formats present themselves.
    case adLoaded(hasView: Bool)
    case adLoadFailed(AdError.Case)
    case adReceived
    case adFailedToReceive(AdError.Case)
    case adWillPresentScreen
    case adWillLeaveApp
    case adWillDismissScreen
    case adRewarded(Reward)

    /// The callback as in vectors and traces, for example `adRewarded(Lives,12)`.
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
