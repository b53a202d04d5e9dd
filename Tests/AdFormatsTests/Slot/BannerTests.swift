import AdFormats
import Ports
import Testing

/// Banners: ad call, refresh, visibility (FMT-11, FMT-12).
@Suite struct BannerTests {
    private func bench() throws -> SlotBench {
        let plugin = try AdServerPlugin(configuration: ["production": "https://ads.example/ad?k=1"])
        return SlotBench(.banner, presenter: try plugin.makePresenter(slot: "slot", format: .banner))
    }

    private func answer(_ bench: inout SlotBench, refresh: String? = nil, type: String = "text/html") {
        let number = bench.fetches.last?.0 ?? 0
        let fields = refresh.map { [HTTPField("x-refresh-rate", $0)] } ?? []
        bench.apply(
            .answered(number, .answer("<p>Buy <a href='https://shop.example/'>now</a>", type: type, fields: fields)))
    }

    @Test func theAdCallNamesZoneAndParameters() throws {
        var bench = try bench()
        bench.apply(.load)
        let request = try #require(bench.fetches.first?.1)
        #expect(request.method == .get)
        #expect(request.url.text.hasPrefix("https://ads.example/ad?k=1&zone=zone-1&ifa=00000000-"))
        #expect(request.url.text.contains("&scr=375x667&"))
        #expect(request.fields["Accept"] == "text/html")
    }

    /// Loads an ad that won an auction.
    private struct WonPresenter: AdPresenter {
        mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
            guard case .load = input else { return [] }
            var payload = AdPayload(body: Array("<p>".utf8), contentType: "text/html")
            payload.notices.win = ["https://w"]
            payload.notices.billing = ["https://b"]
            payload.notices.loss = ["https://l"]
            return [.loaded(payload)]
        }
    }

    @Test func noticesAreReportedWhenTheAdIsLoadedAndDisplayed() {
        var bench = SlotBench(.banner, presenter: WonPresenter())
        bench.apply(.hidden(true))
        bench.apply(.load)
        #expect(bench.reports.map(\.event) == ["nurl", "lurl"])
        bench.apply(.hidden(false))
        #expect(bench.reports.map(\.event) == ["nurl", "lurl", "burl"])
        bench.apply(.hidden(true))
        bench.apply(.hidden(false))
        #expect(bench.reports.flatMap(\.urls) == ["https://w", "https://l", "https://b"])
    }

    @Test func aVisibleBannerIsImpressedAtOnce() throws {
        var bench = try bench()
        bench.apply(.load)
        answer(&bench)
        #expect(
            bench.callbacks == [
                "stateChanged(loading)", "adLoaded(view)", "stateChanged(loaded)", "adReceived",
                "adWillPresentScreen", "stateChanged(impressed)",
            ])
        #expect(bench.slot.marks.map(\.rawValue) == ["r", "p", "i"])
        #expect(bench.slot.size == PixelSize(width: 320, height: 50))
    }

    @Test func refreshCountsOnlyWhileVisible() throws {
        var bench = try bench()
        bench.apply(.load)
        answer(&bench, refresh: "30")
        bench.wait(.seconds(20))
        #expect(bench.slot.refresh.left(at: bench.now.uptime) == .seconds(10))
        bench.apply(.hidden(true))
        bench.wait(.seconds(600))
        #expect(bench.slot.refresh.left(at: bench.now.uptime) == .seconds(10))
        #expect(!bench.slot.refresh.isRunning && bench.fetches.count == 1)
        bench.apply(.hidden(false))
        bench.wait(.seconds(9))
        #expect(bench.fetches.count == 1)
        bench.wait(.seconds(1))
        #expect(bench.fetches.count == 2 && bench.slot.state == .loading)
    }

    @Test func aRefreshThatFailsIsTriedAgainAtTheLastRate() throws {
        var bench = try bench()
        bench.apply(.load)
        answer(&bench, refresh: "15")
        bench.wait(.seconds(15))
        bench.apply(.answered(try #require(bench.fetches.last?.0), .answer("", type: nil, status: 204)))
        #expect(bench.slot.state == .failed && bench.slot.error?.reason == .noFill)
        bench.wait(.seconds(15))
        #expect(bench.slot.state == .loading && bench.fetches.count == 3)
    }

    @Test func idleCostsNothing() throws {
        var bench = try bench()
        bench.apply(.load)
        answer(&bench)
        bench.wait(.seconds(2))
        // The ad is viewable and has no refresh, so no automatic event is due.
        #expect(bench.slot.nextDue(after: bench.now.uptime) == nil)
        #expect(bench.slot.viewed == [.mrc50, .mrc100])
    }

    @Test func aClickLeadsToTheFirstLink() throws {
        var bench = try bench()
        bench.apply(.load)
        answer(&bench)
        bench.apply(.click)
        #expect(bench.opened == ["https://shop.example/"] && bench.slot.state == .clicked)
    }

    @Test(arguments: [
        (204, "", "text/html", AdError.Case.noFill, "HTTP 204"),
        (200, " \n", "text/html", .noFill, "the answer is empty"),
        (400, "x", "text/html", .invalidRequest, "HTTP 400"), (503, "x", "text/html", .internalError, "HTTP 503"),
        (200, "<x/>", "application/xml", .internalError, "content-type application/xml, expected text/html"),
    ])
    func badAnswersFail(
        status: Int, body: String, type: String, reason: AdError.Case, detail: String
    ) throws {
        var bench = try bench()
        bench.apply(.load)
        bench.apply(.answered(1, .answer(body, type: type, status: status)))
        #expect(bench.slot.state == .failed)
        #expect(bench.slot.error == AdError(reason, detail))
        #expect(
            bench.callbacks.suffix(3) == [
                "adLoadFailed(\(reason.rawValue))", "stateChanged(failed)", "adFailedToReceive(\(reason.rawValue))",
            ])
    }

    @Test func silenceIsAnInternalError() throws {
        var bench = try bench()
        bench.apply(.load)
        bench.wait(.seconds(10))
        #expect(bench.slot.error == AdError(.internalError, "no answer within 10s"))
        answer(&bench)
        #expect(bench.slot.state == .failed)
    }

    @Test func aMissingUnitAndAnUnknownSizeAreInvalid() throws {
        let plugin = try StaticPlugin(configuration: ["units": [:]])
        let presenter = try plugin.makePresenter(slot: "slot", format: .banner)
        var nameless = SlotBench(.banner, unit: "", presenter: presenter)
        nameless.apply(.load)
        #expect(nameless.slot.error?.reason == .invalidRequest)
        var odd = SlotBench(.banner, presenter: presenter, sizeName: "HUGE")
        odd.apply(.load)
        #expect(odd.slot.error == AdError(.invalidRequest, "unknown size 'HUGE'"))
    }

    @Test func aProviderThatAnswersTwiceIsHeardOnce() throws {
        let plugin = try FailingPlugin(configuration: ["mode": "twice", "error": "noFill"])
        var bench = SlotBench(.banner, presenter: try plugin.makePresenter(slot: "slot", format: .banner))
        bench.apply(.load)
        #expect(bench.callbacks.count { $0 == "adReceived" } == 1)
        #expect(bench.notes.contains("rejected providerSuccess in impressed"))
    }
}
