import Ports
import Testing

@testable import AdFormats

/// Viewing rules other than the standard ones (FMT-12, FMT-13).
@Suite struct ViewingRulesTests {
    @Test func textsAreReadAndWritten() throws {
        var rules = ViewingRules()
        #expect(rules.texts == ["15,120", "0.5", "250,1000,2000"])
        try rules.setRefresh("5,600")
        try rules.setImpression("1")
        try rules.setViewability("100,500,750")
        #expect(rules.refreshSeconds == 5...600 && rules.impressionFraction == 1)
        #expect(rules.sample == .milliseconds(100) && rules.videoDwell == .milliseconds(750))
        #expect(rules.texts == ["5,600", "1.0", "100,500,750"])
    }

    @Test(arguments: ["", "15", "0,120", "120,15", "-1,5", "a,b", "15,120,1", "1,99999999999999999999"])
    func whatIsNoClampIsRefused(text: String) {
        var rules = ViewingRules()
        #expect(throws: ViewingRules.Problem(explanation: "is not LEAST,MOST in seconds, such as 15,120")) {
            try rules.setRefresh(text)
        }
        #expect(rules == ViewingRules())
    }

    @Test(arguments: ["", "0", "-0.5", "1.01", "nan", "inf", "half"])
    func whatIsNoShareIsRefused(text: String) {
        var rules = ViewingRules()
        #expect(throws: ViewingRules.Problem.self) { try rules.setImpression(text) }
    }

    @Test(arguments: ["", "250,1000", "0,1000,2000", "250,1000,2000,1", "250,,2000"])
    func whatAreNoTimesIsRefused(text: String) {
        var rules = ViewingRules()
        #expect(throws: ViewingRules.Problem.self) { try rules.setViewability(text) }
    }

    @Test func aSlotGoesByThem() throws {
        var rules = ViewingRules()
        rules.refreshSeconds = 2...3
        rules.impressionFraction = 0.9
        (rules.sample, rules.displayDwell) = (.milliseconds(100), .milliseconds(400))
        var settings = AdSlot.Settings()
        settings.rules = rules
        let plugin = try StaticPlugin(configuration: ["units": ["zone-1": ["html": "<p>x</p>", "refresh": 60]]])
        var bench = SlotBench(
            .banner, presenter: try plugin.makePresenter(slot: "slot", format: .banner), settings: settings)
        bench.apply(.shareVisible(0.8))
        bench.apply(.load)
        #expect(bench.slot.state == .loaded)
        bench.wait(.milliseconds(450))
        #expect(bench.slot.viewed == [.mrc50])
        bench.apply(.shareVisible(0.9))
        #expect(bench.slot.state == .impressed)
        #expect(bench.slot.refresh.left(at: bench.now.uptime) == .milliseconds(2_550))
    }
}
