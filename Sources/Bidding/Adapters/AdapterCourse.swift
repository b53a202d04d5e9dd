/// The callbacks of the adapter protocol, by the names of the published adapters (BID-13).
package enum AdapterCall: String, Sendable, Hashable {
    case primarySDKLostBidCompetition, bidderWinningAdMarkup
    case primarySDKDisplayedBidderAd, primarySDKClickedBidderAd
    case primarySDKRequestedThirdPartyRendering
    case loadBidderBanner
    case loadBidderInterstitial, isInterstitialAdReady, showBidderInterstitial
}

/// The delegate events of a partner's banner.
package enum BannerBidderEvent: String, Sendable, Hashable, CaseIterable {
    case didLoad, didFailToLoad, willPresentModal, willDismissModal, clicked
}

/// The delegate events of a partner's interstitial; `didShow` makes the impression count.
package enum InterstitialBidderEvent: String, Sendable, Hashable, CaseIterable {
    case didLoad, didFailToLoad, didShow, didFailToShow, willPresentModal, willDismissModal, clicked, didClose
}

/// The state of the slot.
package enum SlotState: String, Sendable, Hashable {
    case loading, loaded, impressed, clicked, closed, failed
}

/// The sequence of callbacks for an adapter that won, and the effect of its delegate events on the slot (BID-14).
/// Methods are named after events; each returns the calls to make.
package struct AdapterCourse: Hashable, Sendable {
    package let rendering: BidderAdapter.Rendering
    /// Whether the ad is full screen: loaded first, shown on demand.
    package let isInterstitial: Bool
    package private(set) var state: SlotState = .loading
    /// Why the slot failed; nil otherwise.
    package private(set) var failure: String?
    private var isReady = false

    package init(rendering: BidderAdapter.Rendering, isInterstitial: Bool) {
        self.rendering = rendering
        self.isInterstitial = isInterstitial
    }

    /// The primary ad server had no better ad.
    package mutating func primaryLost(markup: String?) -> [AdapterCall] {
        let told = AdapterCall.primarySDKLostBidCompetition
        switch rendering {
        case .primarySDK:
            if markup?.isEmpty ?? true {
                fail("the adapter has no markup")
            } else {
                state = .loaded
            }
            return [told, .bidderWinningAdMarkup]
        case .thirdParty:
            state = .loaded
            return [told, .primarySDKRequestedThirdPartyRendering]
        case .mediation:
            return [told, isInterstitial ? .loadBidderInterstitial : .loadBidderBanner]
        }
    }

    /// The host app shows the ad.
    package mutating func shown() -> [AdapterCall] {
        guard state == .loaded else { return [] }
        switch rendering {
        case .primarySDK:
            state = .impressed
            return [.primarySDKDisplayedBidderAd]
        case .thirdParty:
            // A third party renders the ad, so there is no callback for the display.
            state = .impressed
            return []
        case .mediation:
            guard isInterstitial else {
                state = .impressed
                return []
            }
            guard isReady else { return [.isInterstitialAdReady] }
            return [.isInterstitialAdReady, .showBidderInterstitial]
        }
    }

    /// The primary SDK reported a click on the ad that it renders.
    package mutating func clicked() -> [AdapterCall] {
        guard state == .impressed || state == .clicked else { return [] }
        state = .clicked
        return rendering == .primarySDK ? [.primarySDKClickedBidderAd] : []
    }

    /// A mediated banner reported an event.
    package mutating func banner(_ event: BannerBidderEvent) {
        guard rendering == .mediation, !isInterstitial, state != .failed, state != .closed else { return }
        switch event {
        case .didLoad: if state == .loading { state = .loaded }
        case .didFailToLoad: fail("the partner failed to load")
        case .clicked: _ = clicked()
        case .willPresentModal, .willDismissModal: break
        }
    }

    /// A mediated interstitial reported an event.
    package mutating func interstitial(_ event: InterstitialBidderEvent) {
        guard rendering == .mediation, isInterstitial, state != .failed, state != .closed else { return }
        switch event {
        case .didLoad:
            isReady = true
            if state == .loading { state = .loaded }
        case .didFailToLoad: fail("the partner failed to load")
        case .didShow:
            isReady = false
            if state == .loaded { state = .impressed }
        case .didFailToShow: fail("the partner failed to show")
        case .clicked: _ = clicked()
        case .didClose: state = .closed
        case .willPresentModal, .willDismissModal: break
        }
    }

    private mutating func fail(_ why: String) {
        state = .failed
        failure = why
    }
}
