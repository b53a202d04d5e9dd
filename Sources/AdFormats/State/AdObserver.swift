/// Receives the events of an ad (FMT-9). Every method has a default, so an observer implements only those it needs.
package protocol AdObserver {
    mutating func adReceived(_ slot: String)
    mutating func adFailedToReceive(_ slot: String, error: AdError.Case)
    mutating func adWillPresentScreen(_ slot: String)
    /// `url` is the landing page of the click; nil when unknown.
    mutating func adWillLeaveApp(_ slot: String, to url: String?)
    mutating func adWillDismissScreen(_ slot: String)
}

extension AdObserver {
    package mutating func adReceived(_ slot: String) {}
    package mutating func adFailedToReceive(_ slot: String, error: AdError.Case) {}
    package mutating func adWillPresentScreen(_ slot: String) {}
    package mutating func adWillLeaveApp(_ slot: String, to url: String?) {}
    package mutating func adWillDismissScreen(_ slot: String) {}
}

/// An observer of rewarded ads. The reward has no default, because an app that shows rewarded video must grant the
/// reward it promises (FMT-9).
package protocol RewardedAdObserver: AdObserver {
    mutating func adRewarded(_ slot: String, _ reward: Reward)
}

/// The host's side of an ad: the place where it appears (FMT-9).
package protocol AdViewPort {
    /// Banners provide a surface; full-screen and native ads do not (FMT-9).
    mutating func adLoaded(_ slot: String, _ surface: AdSurface?)
    mutating func stateChanged(_ slot: String, _ state: AdState)
    mutating func adLoadFailed(_ slot: String, error: AdError.Case)
}

/// All callbacks of a host: a view port that also observes rewards.
package typealias AdHost = AdViewPort & RewardedAdObserver

extension AdCallback {
    /// Makes the call. `surface` and `url` are those of the slot that sent the callback.
    package func deliver(
        of slot: String, surface: AdSurface?, leavingTo url: String?, to host: inout some AdHost
    ) {
        switch self {
        case .stateChanged(let state): host.stateChanged(slot, state)
        case .adLoaded(let hasView): host.adLoaded(slot, hasView ? surface : nil)
        case .adLoadFailed(let reason): host.adLoadFailed(slot, error: reason)
        case .adReceived: host.adReceived(slot)
        case .adFailedToReceive(let reason): host.adFailedToReceive(slot, error: reason)
        case .adWillPresentScreen: host.adWillPresentScreen(slot)
        case .adWillLeaveApp: host.adWillLeaveApp(slot, to: url)
        case .adWillDismissScreen: host.adWillDismissScreen(slot)
        case .adRewarded(let reward): host.adRewarded(slot, reward)
        }
    }
}
