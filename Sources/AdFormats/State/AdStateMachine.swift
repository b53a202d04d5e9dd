/// The seven states and the inputs that each allows (FMT-8). Any other input is rejected: the state does not change and
/// no callback is made.
package struct AdStateMachine: Sendable, Hashable {
    /// Smallest visible fraction at which an ad counts as seen.
    package static let standardImpressionFraction = 0.5

    package enum Input: Sendable, Hashable {
        case load, providerSuccess
        case providerFailure(AdError.Case)
        case show
        /// Visible fraction of the ad, 0 to 1.
        case visibility(Double)
        case click, dismiss, refreshDue, showFailure, rewardEarned

        /// The name as in vectors and logs.
        package var name: String {
            switch self {
            case .load: "load"
            case .providerSuccess: "providerSuccess"
            case .providerFailure: "providerFailure"
            case .show: "show"
            case .visibility: "visibility"
            case .click: "click"
            case .dismiss: "dismiss"
            case .refreshDue: "refreshDue"
            case .showFailure: "showFailure"
            case .rewardEarned: "rewardEarned"
            }
        }
    }

    /// The result of one input.
    package struct Step: Sendable, Hashable {
        /// The callbacks in the order in which they are made.
        package var callbacks: [AdCallback] = []
        /// A log line for a rejected input; nil for an allowed one.
        package var rejection: String?
        /// An allowed but unusual event, for example `click-before-impression`.
        package var remark: String?
    }

    package let format: AdFormat
    private let impressionFraction: Double
    package private(set) var state = AdState.uninitialized
    /// The reward that `rewardEarned` grants; nil grants none.
    package var reward: Reward?
    /// The visible fraction of the last visibility input.
    package private(set) var fraction = 0.0
    package private(set) var isRewarded = false

    package init(
        format: AdFormat, reward: Reward? = nil, impressionFraction: Double = standardImpressionFraction
    ) {
        self.format = format
        self.impressionFraction = impressionFraction
        self.reward = reward
    }

    /// Whether it is on screen: banners and native ads from loading, the others once shown.
    package var isPresented: Bool {
        switch state {
        case .loaded: !format.isFullScreen
        case .impressed, .clicked: true
        case .uninitialized, .loading, .failed, .closed: false
        }
    }

    package mutating func apply(_ input: Input) -> Step {
        guard let callbacks = calls(of: input) else {
            return Step(rejection: "rejected \(input.name) in \(state.rawValue)")
        }
        var step = Step(callbacks: callbacks)
        if input == .click, state == .loaded { step.remark = "click-before-impression" }
        for case .stateChanged(let next) in callbacks { enter(next) }
        return step
    }

    private mutating func enter(_ next: AdState) {
        state = next
        if next == .loading { isRewarded = false }
    }

    /// Nil when the input is rejected.
    private mutating func calls(of input: Input) -> [AdCallback]? {
        switch input {
        case .load: return canLoad ? [.stateChanged(.loading)] : nil
        case .providerSuccess: return state == .loading ? loaded : nil
        case .providerFailure(let reason):
            guard state == .loading else { return nil }
            return [.adLoadFailed(reason), .stateChanged(.failed), .adFailedToReceive(reason)]
        case .show:
            guard format.isFullScreen, state == .loaded else { return nil }
            return [.adWillPresentScreen, .stateChanged(.impressed)]
        case .visibility(let share): return seen(share)
        case .click: return isPresented ? [.stateChanged(.clicked), .adWillLeaveApp] : nil
        case .dismiss: return isPresented ? [.adWillDismissScreen, .stateChanged(.closed)] : nil
        case .refreshDue:
            guard format == .banner, isPresented, fraction > 0 else { return nil }
            return [.stateChanged(.loading)]
        case .showFailure:
            guard format.isFullScreen, state == .loaded else { return nil }
            return [.stateChanged(.failed), .adFailedToReceive(.internalError)]
        case .rewardEarned:
            guard format == .rewarded, state == .impressed || state == .clicked, !isRewarded, let reward else {
                return nil
            }
            isRewarded = true
            return [.adRewarded(reward)]
        }
    }

    private var canLoad: Bool {
        switch state {
        case .uninitialized, .failed, .closed: true
        case .loaded, .impressed, .clicked: format == .banner
        case .loading: false
        }
    }

    private var loaded: [AdCallback] {
        let calls: [AdCallback] = [.adLoaded(hasView: format == .banner), .stateChanged(.loaded), .adReceived]
        return format == .banner ? calls + [.adWillPresentScreen] : calls
    }

    /// A smaller visible fraction never makes an impression, but reporting it is always allowed.
    private mutating func seen(_ share: Double) -> [AdCallback]? {
        guard share >= impressionFraction else {
            // Not-a-number counts as not visible.
            fraction = share > 0 ? share : 0
            return []
        }
        guard isPresented else { return nil }
        fraction = min(share, 1)
        return state == .loaded ? [.stateChanged(.impressed)] : []
    }
}
