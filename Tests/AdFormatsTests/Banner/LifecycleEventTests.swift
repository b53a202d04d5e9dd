import AdFormats
import Ports
import Testing

/// The two resuming events have different effects (FMT-11).
@Suite struct LifecycleEventTests {
    @Test(
        arguments: [
            ([], true), ([.willResignActive], false), ([.willResignActive, .didBecomeActive], true),
            ([.willResignActive, .willEnterForeground], true), ([.didEnterBackground], false),
            ([.didEnterBackground, .didBecomeActive], false), ([.didEnterBackground, .willEnterForeground], true),
            ([.willResignActive, .didEnterBackground, .willEnterForeground], true),
            ([.willResignActive, .didEnterBackground, .didBecomeActive], false),
            ([.didEnterBackground, .willResignActive, .willEnterForeground, .willResignActive], false),
            ([.didBecomeActive, .willEnterForeground], true),
        ] as [([LifecycleEvent], Bool)])
    func whatIsSeenAfterwards(events: [LifecycleEvent], isVisible: Bool) {
        var model = VisibilityModel()
        for event in events { model.take(event) }
        #expect(model.isVisible == isVisible)
    }

    @Test func theFocusAloneBringsNoBannerBackToTheForeground() throws {
        var bench = try SlotBench(.banner, surface: ["html": "<p>Hi</p>", "refresh": 30])
        bench.apply(.load)
        bench.wait(.seconds(10))
        bench.apply(.lifecycle(.didEnterBackground))
        bench.wait(.seconds(5))
        bench.apply(.lifecycle(.didBecomeActive))
        bench.wait(.seconds(100))
        #expect(bench.slot.refresh.left(at: bench.now.uptime) == .seconds(20) && !bench.slot.refresh.isRunning)
        #expect(bench.slot.visibility.fraction == 0 && bench.slot.loads == 1)
        bench.apply(.lifecycle(.willEnterForeground))
        bench.wait(.seconds(20))
        #expect(bench.slot.loads == 2)
    }

    @Test func afterTheLossOfTheFocusEitherLetsTheBannerGoOn() throws {
        for event in [LifecycleEvent.didBecomeActive, .willEnterForeground] {
            var bench = try SlotBench(.banner, surface: ["html": "<p>Hi</p>", "refresh": 30])
            bench.apply(.load)
            bench.wait(.seconds(10))
            bench.apply(.lifecycle(.willResignActive))
            bench.wait(.seconds(100))
            #expect(bench.slot.refresh.left(at: bench.now.uptime) == .seconds(20))
            bench.apply(.lifecycle(event))
            bench.wait(.seconds(20))
            #expect(bench.slot.loads == 2, "\(event)")
        }
    }
}
