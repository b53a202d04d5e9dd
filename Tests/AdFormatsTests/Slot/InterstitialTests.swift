import AdFormats
import Ports
import Testing

/// Load, then show (FMT-15), and native ads, which have no show.
@Suite struct InterstitialTests {
    @Test func itIsShownByASecondCall() throws {
        var bench = try SlotBench(.interstitial, surface: ["html": "<a href='https://shop.example/x'>Go</a>"])
        bench.apply(.show)
        bench.apply(.load)
        #expect(bench.slot.state == .loaded)
        bench.apply(.show)
        #expect(bench.slot.state == .impressed)
        bench.apply(.click)
        bench.apply(.dismiss)
        #expect(bench.slot.state == .closed && bench.opened == ["https://shop.example/x"])
        #expect(bench.notes.first == "rejected show in uninitialized")
        #expect(bench.callbacks.contains("adLoaded(nil)"))
    }

    @Test func theContainerLearnsOfTheShow() throws {
        var bench = try SlotBench(
            .interstitial, surface: ["html": "<script src=mraid.js></script><script>mraid.close()</script>"])
        bench.apply(.load)
        bench.apply(.show)
        #expect(bench.notes.contains("mraid ready") && bench.notes.contains("mraid viewableChange(true)"))
    }

    /// An interstitial is viewable only after show, and only while half of it is visible for a whole second.
    @Test func itIsViewableASecondAfterItIsShown() throws {
        var bench = try SlotBench(.interstitial, surface: ["html": "<b>Go</b>"])
        bench.apply(.load)
        bench.wait(.seconds(5))
        #expect(bench.slot.viewed.isEmpty)
        bench.apply(.show)
        bench.wait(.milliseconds(900))
        bench.apply(.hidden(true))
        bench.apply(.hidden(false))
        bench.wait(.milliseconds(900))
        #expect(bench.slot.viewed.isEmpty)
        bench.wait(.milliseconds(400))
        #expect(bench.slot.viewed == [.mrc50, .mrc100] && bench.slot.marks.contains(.viewable))
    }

    @Test func aNativeAdTellsItsImpressionOnce() throws {
        var bench = try SlotBench(
            .native,
            surface: [
                "native": [
                    "assets": [["title": ["text": "Ride"]]],
                    "link": ["url": "https://shop.example/", "clicktrackers": ["https://t.example/c"]],
                    "imptrackers": ["https://t.example/i"],
                    "eventtrackers": [["event": 2, "method": 1, "url": "https://t.example/v"]],
                ]
            ])
        bench.apply(.shareVisible(0.49))
        bench.apply(.load)
        #expect(bench.slot.state == .loaded && bench.reports.isEmpty)
        bench.apply(.shareVisible(0.5))
        bench.apply(.shareVisible(0))
        bench.apply(.shareVisible(1))
        #expect(bench.reports.map(\.urls) == [["https://t.example/i"]])
        bench.wait(.seconds(2))
        #expect(bench.reports.map(\.event) == ["impression", "viewable-mrc50"])
        bench.apply(.click)
        bench.apply(.click)
        #expect(bench.reports.suffix(2).map(\.urls) == [["https://t.example/c"], ["https://t.example/c"]])
        #expect(bench.reports.last?.isRepeatable == true)
        #expect(bench.opened == ["https://shop.example/", "https://shop.example/"])
    }

    @Test func markupThatIsNoJSONFails() throws {
        var bench = try SlotBench(.native, surface: ["native": "{\"assets\":"])
        bench.apply(.load)
        #expect(bench.slot.error == AdError(.internalError, "the native markup is not JSON"))
    }
}
