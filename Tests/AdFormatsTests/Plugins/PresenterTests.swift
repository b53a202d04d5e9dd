import AdFormats
import Ports
import Testing

/// The presenters of the built-in plugins, and that of a plugin in another process.
@Suite struct PresenterTests {
    @Test func theRegistryKnowsItsOwn() throws {
        let registry = AdPluginRegistry.builtIn
        #expect(registry.manifests.map(\.identifier) == ["static", "adserver", "recorded", "failing"])
        let error = #expect(throws: AdError.self) { try registry.plugin("acme", configuration: [:]) }
        #expect(error?.reason == .invalidRequest)
        #expect(try registry.plugin("failing", configuration: [:]).providerName == "failing")
    }

    @Test(
        arguments: [
            ("adserver", [:]), ("adserver", ["production": "ftp://x/"]), ("adserver", ["env": "test"]), ("static", [:]),
            ("failing", ["mode": "explodes"]),
        ] as [(String, JSONValue)])
    func badConfigurationsAreInvalidRequests(name: String, configuration: JSONValue) {
        let error = #expect(throws: AdError.self) {
            try AdPluginRegistry.builtIn.plugin(name, configuration: configuration)
        }
        #expect(error?.reason == .invalidRequest)
    }

    @Test func developmentIsOneSwitch() throws {
        let both: JSONValue = ["production": "https://p.example/", "development": "https://d.example/"]
        #expect(try AdServerPlugin(configuration: both).endpoint.host == "p.example")
        var object = try #require(both.objectValue)
        object.append("env", "development")
        #expect(try AdServerPlugin(configuration: .object(object)).endpoint.host == "d.example")
    }

    @Test func recordedAnswersAreCheckedLikeLiveOnes() throws {
        let units: JSONValue = [
            "good": ["contentType": "text/html", "fields": ["Refresh-Rate": "20"], "body": "<p>Hi"],
            "wrong": ["contentType": "image/png", "body": "x"], "empty": ["status": 204],
        ]
        let plugin = try RecordedPlugin(configuration: ["units": units])
        func bench(_ unit: String) throws -> SlotBench {
            var bench = SlotBench(
                .banner, unit: unit, presenter: try plugin.makePresenter(slot: "slot", format: .banner))
            bench.apply(.load)
            return bench
        }
        let good = try bench("good")
        #expect(good.slot.state == .impressed && good.slot.refresh.left(at: good.now.uptime) == .seconds(20))
        #expect(try bench("wrong").slot.error?.reason == .internalError)
        #expect(try bench("empty").slot.error?.reason == .noFill)
        #expect(try bench("other").slot.error?.reason == .noFill)
    }

    // MARK: In another process

    private func bench(_ format: AdFormat = .banner, declares: [AdFormat] = [.banner, .rewarded]) throws -> SlotBench {
        let manifest = PluginManifest(
            identifier: "acme", name: "Acme", executable: "acme", capabilities: declares)
        let plugin = SubprocessPlugin(manifest, configuration: [:])
        return SlotBench(format, presenter: try plugin.makePresenter(slot: "slot", format: format))
    }

    private func said(_ bench: SlotBench) -> [HostMessage] {
        bench.effects.compactMap { if case .tell(let message) = $0 { message } else { nil } }
    }

    private static let payload = AdPayload(body: Array("<p>Hi".utf8), contentType: "text/html")

    @Test func whatIsNotDeclaredIsInvalid() {
        let error = #expect(throws: AdError.self) { try bench(.native) }
        #expect(error?.reason == .invalidRequest)
    }

    @Test func theHostTellsWhatHappens() throws {
        var bench = try bench()
        bench.apply(.load)
        #expect(
            said(bench) == [
                .create(presenter: "slot", format: .banner), .load(presenter: "slot", config: bench.slot.config.json),
            ])
        bench.apply(.pluginSent(.loaded(presenter: "slot", Self.payload)))
        bench.apply(.click)
        bench.apply(.dismiss)
        #expect(
            said(bench).suffix(3) == [
                .visibility(presenter: "slot", 1), .click(presenter: "slot"), .dismiss(presenter: "slot"),
            ])
    }

    @Test func messagesForOthersAreNotHeard() throws {
        var bench = try bench()
        bench.apply(.load)
        bench.apply(.pluginSent(.loaded(presenter: "other", Self.payload)))
        #expect(bench.slot.state == .loading)
    }

    @Test func aPluginCannotMakeImpressions() throws {
        var bench = try bench()
        bench.apply(.shareVisible(0.2))
        bench.apply(.load)
        bench.apply(.pluginSent(.loaded(presenter: "slot", Self.payload)))
        bench.apply(.pluginSent(.state(presenter: "slot", .impressed)))
        #expect(bench.slot.state == .loaded)
        #expect(bench.notes.last == "rejected the plugin's state impressed in loaded")
    }

    @Test func aPluginCannotRewardTwiceOrOutOfTurn() throws {
        var bench = try bench(.rewarded)
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        let reward = PluginMessage.reward(presenter: "slot", Reward(name: "Coins", amount: 5))
        bench.apply(.pluginSent(reward))
        let document = RewardedTests.document(on: 0)
        bench.apply(
            .pluginSent(
                .loaded(
                    presenter: "slot", AdPayload(body: Array(document.utf8), contentType: "application/xml"))))
        bench.apply(.mediaPrepared(RewardedTests.media))
        bench.apply(.show)
        bench.apply(.pluginSent(reward))
        bench.apply(.pluginSent(reward))
        #expect(bench.callbacks.filter { $0.hasPrefix("adRewarded") } == ["adRewarded(Coins,5)"])
        #expect(bench.notes.first == "rejected rewardEarned in loading")
    }

    @Test func itsEndFailsTheLoad() throws {
        var bench = try bench()
        bench.apply(.load)
        bench.apply(.pluginEnded("the plugin ended with status 3"))
        #expect(bench.slot.error == AdError(.internalError, "the plugin ended with status 3"))
        // A new load creates its presenter again.
        bench.apply(.load)
        #expect(said(bench).suffix(2).first == .create(presenter: "slot", format: .banner))
    }

    @Test func theWrongKindOfSurfaceIsRefused() throws {
        var bench = try bench()
        bench.apply(.load)
        bench.apply(.pluginSent(.loaded(presenter: "slot", try #require(AdPayload(surface: ["vast": "<VAST/>"])))))
        #expect(bench.slot.error?.detail == "content-type application/xml, expected text/html")
    }
}
