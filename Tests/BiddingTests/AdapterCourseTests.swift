import Bidding
import Testing

@Suite struct AdapterCourseTests {
    @Test func aMediatedInterstitialIsShownWhenItIsReady() {
        var course = AdapterCourse(rendering: .mediation, isInterstitial: true)
        #expect(course.primaryLost(markup: nil) == [.primarySDKLostBidCompetition, .loadBidderInterstitial])
        #expect(course.shown() == [] && course.state == .loading)
        course.interstitial(.didLoad)
        #expect(course.shown() == [.isInterstitialAdReady, .showBidderInterstitial])
        #expect(course.state == .loaded, "the impression counts only when the partner has shown it")
        course.interstitial(.didShow)
        #expect(course.state == .impressed)
        #expect(course.clicked() == [] && course.state == .clicked)
        course.interstitial(.didClose)
        course.interstitial(.didShow)
        #expect(course.state == .closed)
    }

    @Test(arguments: [InterstitialBidderEvent.didFailToLoad, .didFailToShow])
    func aPartnerThatFailsLeavesTheSlotFailed(event: InterstitialBidderEvent) {
        var course = AdapterCourse(rendering: .mediation, isInterstitial: true)
        _ = course.primaryLost(markup: nil)
        course.interstitial(event)
        course.interstitial(.didLoad)
        #expect(course.state == .failed && course.failure != nil && course.shown() == [])
    }

    @Test func aMediatedBannerReportsThroughItsDelegate() {
        var course = AdapterCourse(rendering: .mediation, isInterstitial: false)
        #expect(course.primaryLost(markup: nil) == [.primarySDKLostBidCompetition, .loadBidderBanner])
        course.banner(.didLoad)
        course.banner(.willPresentModal)
        #expect(course.shown() == [] && course.state == .impressed)
        course.banner(.clicked)
        #expect(course.state == .clicked)
    }

    @Test func eventsOfTheOtherKindSayNothing() {
        var course = AdapterCourse(rendering: .primarySDK, isInterstitial: false)
        _ = course.primaryLost(markup: "<b>")
        course.banner(.didFailToLoad)
        course.interstitial(.didClose)
        #expect(course.state == .loaded)
        #expect(course.clicked() == [], "a click needs a display")
        #expect(course.shown() == [.primarySDKDisplayedBidderAd] && course.shown() == [])
        #expect(course.clicked() == [.primarySDKClickedBidderAd] && course.clicked() == [.primarySDKClickedBidderAd])
    }

    @Test(arguments: [nil, ""])
    func thePrimaryCannotShowNothing(markup: String?) {
        var course = AdapterCourse(rendering: .primarySDK, isInterstitial: false)
        #expect(course.primaryLost(markup: markup) == [.primarySDKLostBidCompetition, .bidderWinningAdMarkup])
        #expect(course.state == .failed && course.shown() == [])
    }
}
