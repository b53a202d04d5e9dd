import AdFormats
import Ports
import Testing

/// Refresh rates and viewability (FMT-11 to FMT-13).
@Suite struct VisibilityTests {
    @Test(
        arguments: [
            ("30", 30), ("0", nil), ("soon", nil), ("", nil), ("-5", nil), ("3.5", nil), ("5", 15), ("900", 120),
            ("99999999999999999999999", 120), (" 45 ", 45),
        ] as [(String, Int?)])
    func ratesAreWholeSecondsInBounds(text: String, seconds: Int?) {
        let interval = RefreshRate().interval(in: [HTTPField("X-REFRESH-RATE", text)])
        #expect(interval == seconds.map { .seconds($0) })
    }

    @Test func theFirstFieldOfTheListCounts() {
        let fields = [HTTPField("Refresh-Rate", "60"), HTTPField("X-Refresh-Rate", "30")]
        #expect(RefreshRate().interval(in: fields) == .seconds(30))
        #expect(RefreshRate().interval(in: []) == nil)
    }

    @Test func allConditionsMakeVisible() {
        var model = VisibilityModel()
        #expect(model.isVisible && model.fraction == 1)
        model.share = 0.4
        #expect(model.fraction == 0.4)
        for event in [LifecycleEvent.didEnterBackground, .willResignActive] {
            var copy = model
            copy.take(event)
            #expect(!copy.isVisible && copy.fraction == 0)
        }
        var hidden = model
        hidden.isHidden = true
        #expect(!hidden.isVisible && hidden.fraction == 0)
        model.share = .nan
        #expect(model.fraction == 0)
    }

    private func events(
        _ shares: [(Duration, Double)], until end: Duration, isVideo: Bool = false, size: PixelSize? = nil
    ) -> [Viewability.Event] {
        var viewability = Viewability(isVideo: isVideo, size: size, at: .zero)
        var events: [Viewability.Event] = []
        for (time, share) in shares {
            events += viewability.advance(to: time)
            viewability.see(share, at: time)
        }
        return events + viewability.advance(to: end)
    }

    @Test func halfOfItForOneSecond() {
        #expect(events([(.zero, 0.5)], until: .milliseconds(999)).isEmpty)
        #expect(events([(.zero, 0.5)], until: .seconds(1)) == [.mrc50])
        #expect(events([(.zero, 1)], until: .seconds(1)) == [.mrc50, .mrc100])
        #expect(events([(.zero, 0.49)], until: .seconds(60)).isEmpty)
    }

    @Test func looksAreEveryQuarterSecond() {
        // Visible from 0.1 s: the first sample is at 0.25 s, the fifth at 1.25 s.
        #expect(events([(.milliseconds(100), 1)], until: .milliseconds(1_249)).isEmpty)
        #expect(events([(.milliseconds(100), 1)], until: .milliseconds(1_250)) == [.mrc50, .mrc100])
    }

    @Test func aGapBeginsAnew() {
        let shares: [(Duration, Double)] = [(.zero, 1), (.milliseconds(900), 0), (.seconds(1), 1)]
        #expect(events(shares, until: .milliseconds(1_999)).isEmpty)
        #expect(events(shares, until: .seconds(2)) == [.mrc50, .mrc100])
    }

    @Test func largeAdsNeedLessAndVideosLonger() {
        let large = PixelSize(width: 970, height: 250)
        #expect(events([(.zero, 0.3)], until: .seconds(1), size: large) == [.mrc50])
        #expect(events([(.zero, 0.3)], until: .seconds(1), size: PixelSize(width: 300, height: 250)).isEmpty)
        #expect(events([(.zero, 0.5)], until: .milliseconds(1_999), isVideo: true).isEmpty)
        #expect(events([(.zero, 0.5)], until: .seconds(2), isVideo: true) == [.video50])
    }

    @Test func theRefreshFieldCanBeAnother() {
        let answer = [HTTPField("X-Refresh-Rate", "20"), HTTPField("X-Own", "40")]
        #expect(RefreshRate(fields: ["X-Own"]).interval(in: answer) == .seconds(40))
        #expect(RefreshRate(fields: []).interval(in: answer) == .seconds(20))
        // A refresh rate that a plugin states needs no header field.
        var payload = AdPayload(body: [], fields: answer)
        payload.refreshSeconds = 500
        #expect(RefreshRate(fields: ["X-Own"]).interval(of: payload) == .seconds(120))
        payload.refreshSeconds = 0
        #expect(RefreshRate().interval(of: payload) == nil)
    }
}
