/// The seven states and what may happen in each (FMT-8). Whatever is not in the table is rejected:
/// nothing changes and nobody is called.
package struct AdStateMachine: Sendable, Hashable {
    /// Visible from this share on an ad counts as seen.
    package static let standardImpressionFraction = 0.5

    package enum Input: Sendable, Hashable {
        case load, providerSuccess
        case providerFailure(AdError.Case)
        case show
        /// Share of the ad that is visible, 0 to 1.
        case visibility(Double)
        case click, dismiss, refreshDue, showFailure, rewardEarned

        /// As vectors and logs write it.
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

    /// What came of one input.
    package struct Step: Sendable, Hashable {
        /// In the order in which they are made.
        package var callbacks: [AdCallback] = []
        /// A log line; nil for an input that the table has.
        package var rejection: String?
        /// Something allowed but odd, `click-before-impression` for example.
        package var remark: String?
    }

    package let format: AdFormat
    private let impressionFraction: Double
    package private(set) var state = AdState.uninitialized
    /// What `rewardEarned` grants; nil grants nothing.
    package var reward: Reward?
    /// Share visible by the last input that said so.
    package private(set) var fraction = 0.0
    package private(set) var isRewarded = false

    package init(
        format: AdFormat, reward: Reward? = nil, impressionFraction: Double = standardImpressionFraction
    ) {
        self.format = format
        self.impressionFraction = impressionFraction
        self.reward = reward
    }

    /// On the screen: banners and native ads from loading on, the others once shown.
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

    /// Nil rejects the input.
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

    /// Less than that share is never an impression, and never wrong to report.
    private mutating func seen(_ share: Double) -> [AdCallback]? {
        guard share >= impressionFraction else {
            // Not-a-number is nothing seen.
            fraction = share > 0 ? share : 0
            return []
        }
        guard isPresented else { return nil }
        fraction = min(share, 1)
        return state == .loaded ? [.stateChanged(.impressed)] : []
    }
}
