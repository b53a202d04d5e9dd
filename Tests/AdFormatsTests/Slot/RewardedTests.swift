import AdFormats
import Ports
import Testing
import VAST

/// Rewarded video from end to end on a virtual clock (FMT-16).
@Suite struct RewardedTests {
    static func document(
        duration: String = "00:00:10", skip: String? = nil, card: Bool = true, on: Int = 1
    ) -> String {
        let tracking = [
            "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "mute",
        ]
        .map { "<Tracking event=\"\($0)\">https://t.example/\($0)</Tracking>" }.joined()
        let companion = """
            <Creative><CompanionAds><Companion width="768" height="1024"><HTMLResource>https://c.example/end.htm</HTMLResource>
            <CompanionClickThrough>https://shop.example/card</CompanionClickThrough>
            <CompanionClickTracking>https://t.example/cardclick</CompanionClickTracking>
            <TrackingEvents><Tracking event="creativeView">https://t.example/card</Tracking></TrackingEvents>
            </Companion></CompanionAds></Creative>
            """
        return """
            <VAST version="3.0"><Ad id="7"><InLine><AdTitle>Lives</AdTitle>
            <Impression>https://t.example/imp</Impression><Error>https://t.example/err?c=[ERRORCODE]</Error>
            <Creatives><Creative><Linear\(skip.map { " skipoffset=\"\($0)\"" } ?? "")><Duration>\(duration)</Duration>
            <TrackingEvents>\(tracking)</TrackingEvents>
            <VideoClicks><ClickThrough>https://shop.example/</ClickThrough><ClickTracking>https://t.example/click</ClickTracking></VideoClicks>
            <MediaFiles><MediaFile delivery="progressive" type="video/mp4" bitrate="596" width="426" height="240">https://c.example/l.mp4</MediaFile>
            </MediaFiles></Linear></Creative>\(card ? companion : "")</Creatives>
            <Extensions><Extension name="RewardedVideo"><RewardedVideoOn>\(on)</RewardedVideoOn>
            <VirtualCurrency>Lives</VirtualCurrency><RewardPerView>12.000000</RewardPerView></Extension></Extensions>
            </InLine></Ad></VAST>
            """
    }

    static let media = PreparedMedia(
        url: "https://c.example/l.mp4", quality: "low", width: 426, height: 240, reason: "first")

    private func loaded(_ document: String, bid: JSONValue? = nil) throws -> SlotBench {
        var surface: JSONObject = JSONObject()
        surface.append("vast", .string(document))
        if let bid { surface.append("rwdd", bid) }
        var bench = try SlotBench(.rewarded, surface: .object(surface))
        bench.apply(.load)
        #expect(bench.effects.contains(.lookUpZone("zone-1")))
        bench.apply(.zoneLookedUp(nil))
        bench.apply(.mediaPrepared(Self.media))
        return bench
    }

    private func events(_ bench: SlotBench) -> [String] { bench.reports.map(\.event) }

    @Test func playsTellsGrantsAndShowsItsCard() throws {
        var bench = try loaded(Self.document())
        #expect(bench.slot.state == .loaded)
        bench.apply(.show)
        bench.wait(.seconds(11))
        #expect(
            events(bench) == [
                "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "companionView",
            ])
        // 2.5 s is reached at the check at 3 s, 7.5 s at that at 8 s.
        #expect(bench.reports.map(\.adTime) == [0, 0, 3_000, 5_000, 8_000, 10_000, nil])
        #expect(bench.callbacks.last == "adRewarded(Lives,12)")
        bench.apply(.click)
        #expect(bench.opened == ["https://shop.example/card"] && events(bench).last == "companionClickTracking")
        bench.apply(.dismiss)
        #expect(bench.slot.state == .closed)
        #expect(bench.callbacks.count { $0.hasPrefix("adRewarded") } == 1)
    }

    @Test func macrosHaveTheirValues() throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        #expect(bench.reports.first?.values?[.assetURI] == .text("https://c.example/l.mp4"))
        #expect(bench.reports.first?.context == .impression)
    }

    @Test func withoutACardThereIsAReplay() throws {
        var bench = try loaded(Self.document(card: false))
        bench.apply(.show)
        bench.apply(.replay)
        #expect(bench.notes.last == "the video has not ended yet")
        bench.wait(.seconds(10))
        let told = events(bench)
        bench.apply(.replay)
        bench.wait(.seconds(12))
        #expect(events(bench) == told)
        #expect(bench.callbacks.count { $0.hasPrefix("adRewarded") } == 1)
    }

    @Test func pauseStopsTheClock() throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        bench.wait(.milliseconds(2_400))
        bench.apply(.pauseToggled)
        bench.wait(.seconds(60))
        bench.apply(.lifecycle(.didEnterBackground))
        bench.apply(.pauseToggled)
        bench.wait(.seconds(60))
        #expect(events(bench) == ["impression", "start", "pause", "resume"])
        bench.apply(.lifecycle(.willEnterForeground))
        bench.wait(.milliseconds(600))
        #expect(events(bench).last == "firstQuartile")
    }

    @Test(arguments: [LifecycleEvent.didBecomeActive, .willEnterForeground])
    func aVideoThatWaitsForTheFocusGoesOnByEitherHook(event: LifecycleEvent) throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        bench.wait(.milliseconds(2_400))
        bench.apply(.lifecycle(.willResignActive))
        bench.wait(.seconds(60))
        bench.apply(.lifecycle(event))
        bench.wait(.milliseconds(600))
        // The viewer did not pause, so no pause is reported.
        #expect(events(bench) == ["impression", "start", "firstQuartile"])
    }

    @Test func whatTheViewerPausedStaysPausedWhenTheFocusIsBack() throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        bench.wait(.milliseconds(2_400))
        bench.apply(.pauseToggled)
        bench.apply(.lifecycle(.willResignActive))
        bench.apply(.lifecycle(.didBecomeActive))
        bench.wait(.seconds(60))
        #expect(events(bench) == ["impression", "start", "pause"])
    }

    @Test func aVideoOfAStoppedProgramNeedsTheForeground() throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        bench.wait(.milliseconds(2_400))
        bench.apply(.lifecycle(.didEnterBackground))
        bench.apply(.lifecycle(.didBecomeActive))
        bench.wait(.seconds(60))
        #expect(events(bench) == ["impression", "start"])
        bench.apply(.lifecycle(.willEnterForeground))
        bench.wait(.milliseconds(600))
        #expect(events(bench).last == "firstQuartile")
    }

    @Test func closingWaitsForSkipOffsetOrReward() throws {
        var bench = try loaded(Self.document(skip: "00:00:05"))
        bench.apply(.show)
        bench.wait(.milliseconds(4_900))
        bench.apply(.dismiss)
        #expect(bench.slot.state == .impressed && bench.notes.last == "the video cannot be closed yet")
        bench.wait(.milliseconds(100))
        bench.apply(.dismiss)
        #expect(bench.slot.state == .closed && events(bench).last == "skip")
        #expect(!bench.callbacks.contains { $0.hasPrefix("adRewarded") })
    }

    @Test func aHostThatTakesItAwayGrantsNothing() throws {
        var bench = try loaded(Self.document())
        bench.apply(.show)
        bench.wait(.seconds(9))
        bench.apply(.removed)
        bench.wait(.seconds(9))
        #expect(bench.slot.state == .closed && !bench.callbacks.contains { $0.hasPrefix("adRewarded") })
    }

    @Test func switchedOffGrantsNothing() throws {
        var bench = try loaded(Self.document(on: 0))
        bench.apply(.show)
        bench.wait(.seconds(11))
        #expect(bench.notes.contains("the ad grants no reward"))
        #expect(!bench.callbacks.contains { $0.hasPrefix("adRewarded") })
    }

    @Test func theBidMaySayWhen() throws {
        let plain = Self.document().replacing("name=\"RewardedVideo\"", with: "name=\"other\"")
        var bench = try loaded(
            plain,
            bid: [
                "reward": ["type": "coins", "count": 5], "completion": ["video": ["time": 4]],
                "close": ["postrewardtime": 2, "action": "autoclose"],
            ])
        bench.apply(.show)
        bench.wait(.milliseconds(3_900))
        #expect(!bench.callbacks.contains("adRewarded(coins,5)"))
        bench.wait(.milliseconds(100))
        #expect(bench.callbacks.last == "adRewarded(coins,5)")
        bench.wait(.seconds(7))
        #expect(bench.slot.state == .closed)
    }

    @Test func theStoreSparesTheAdCall() throws {
        let plugin = try AdServerPlugin(configuration: ["production": "https://ads.example/"])
        var bench = SlotBench(.rewarded, presenter: try plugin.makePresenter(slot: "slot", format: .rewarded))
        bench.apply(.load)
        var media = Self.media
        media.age = .seconds(40)
        bench.apply(
            .zoneLookedUp(
                StoredZone(
                    response: Array(Self.document().utf8), sourceURL: "https://ads.example/", media: media)))
        #expect(bench.slot.state == .loaded && bench.fetches.isEmpty)
    }

    /// The first document of a slot is in the encoding that its header names. The store keeps it without the header, and as text.
    @Test(arguments: [
        ("ISO-8859-1", "", "\u{E9}"), ("windows-1252", "", "\u{20AC}"), ("UTF-16", "", "\u{20AC}"),
        ("utf-8", "<?xml version='1.0' encoding='ISO-8859-1'?>", "\u{E9}"),
    ])
    func theFirstDocumentMayHaveAnotherEncoding(charset: String, declaration: String, letter: String) throws {
        let text = declaration + Self.document().replacing("<VirtualCurrency>", with: "<VirtualCurrency>\(letter)")
        var answer = HTTPExchange.answer("", type: "application/xml; charset=\(charset)")
        answer.body =
            charset == "UTF-16"
            ? [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            : text.unicodeScalars.map { $0 == "\u{20AC}" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
        let plugin = try AdServerPlugin(configuration: ["production": "https://ads.example/"])
        var bench = SlotBench(.rewarded, presenter: try plugin.makePresenter(slot: "slot", format: .rewarded))
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        bench.apply(.answered(try #require(bench.fetches.first?.0), answer))
        let orders = bench.effects.compactMap { if case .prepareMedia(let order) = $0 { order } else { nil } }
        let kept = String(decoding: try #require(orders.first).response, as: UTF8.self)
        #expect(kept.hasSuffix(text) && VASTReader.read(Array(kept.utf8)).isGood)
        bench.apply(.mediaPrepared(Self.media))
        bench.apply(.show)
        bench.wait(.seconds(11))
        #expect(bench.callbacks.last == "adRewarded(\(letter)Lives,12)")
        // The same document from the store.
        var later = try SlotBench(.rewarded, surface: ["vast": "none"])
        later.apply(.load)
        later.apply(
            .zoneLookedUp(StoredZone(response: Array(kept.utf8), sourceURL: "https://ads.example/", media: Self.media)))
        later.apply(.show)
        later.wait(.seconds(11))
        #expect(later.callbacks.last == "adRewarded(\(letter)Lives,12)")
    }

    @Test func wrappersAreFollowed() throws {
        let wrapper = """
            <VAST version="3.0"><Ad><Wrapper><VASTAdTagURI>https://in.example/ad</VASTAdTagURI>
            <Impression>https://w.example/imp</Impression></Wrapper></Ad></VAST>
            """
        var bench = try SlotBench(.rewarded, surface: ["vast": .string(wrapper)])
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        let (number, request) = try #require(bench.fetches.first)
        #expect(request.url.text == "https://in.example/ad")
        bench.apply(.answered(number, .answer(Self.document(), type: "application/xml")))
        bench.apply(.mediaPrepared(Self.media))
        bench.apply(.show)
        #expect(bench.reports.first?.urls == ["https://w.example/imp", "https://t.example/imp"])
    }

    @Test(arguments: [
        ("<VAST version=\"3.0\"/>", AdError.Case.noFill), ("<html>no</html>", .internalError),
        ("<VAST", .internalError), ("", .internalError),
    ])
    func badDocumentsFail(text: String, reason: AdError.Case) throws {
        var bench = try SlotBench(.rewarded, surface: ["vast": .string(text)])
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        #expect(bench.slot.state == .failed && bench.slot.error?.reason == reason)
    }

    /// Two ads fail behind one wrapper, whose URL has a new number for each.
    @Test func anErrorURLIsReportedOnce() throws {
        let wrapper = """
            <VAST version="3.0"><Ad><Wrapper><Error>https://w.example/e?c=[ERRORCODE]&amp;r=[CACHEBUSTING]</Error>
            <VASTAdTagURI>https://in.example/ad</VASTAdTagURI></Wrapper></Ad></VAST>
            """
        let empty = "<Ad><InLine><Creatives></Creatives></InLine></Ad>"
        var bench = try SlotBench(.rewarded, surface: ["vast": .string(wrapper)])
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        let (number, _) = try #require(bench.fetches.first)
        bench.apply(
            .answered(number, .answer("<VAST version=\"3.0\">\(empty)\(empty)</VAST>", type: "application/xml")))
        #expect(bench.slot.state == .failed)
        #expect(bench.reports.map(\.event) == ["error"])
        #expect(bench.reports.first?.urls.first?.hasPrefix("https://w.example/e?c=101&r=") == true)
    }

    @Test(arguments: [
        ("<NonLinearAds><NonLinear/></NonLinearAds>", 201), ("<Linear><Duration>soon</Duration></Linear>", 101),
    ])
    func anAdWithoutAVideoIsReportedAndTheNextOnePlays(creative: String, code: Int) throws {
        let broken = """
            <Ad id="o"><InLine><Error>https://t.example/o?c=[ERRORCODE]</Error><Creatives><Creative>\(creative)</Creative>
            </Creatives></InLine></Ad>
            """
        let bench = try loaded(Self.document().replacing("<Ad id=\"7\">", with: "\(broken)<Ad id=\"7\">"))
        #expect(bench.slot.state == .loaded)
        let reported = [["https://t.example/o?c=\(code)"]]
        #expect(bench.reports.map(\.event) == ["error"] && bench.reports.map(\.shownURLs) == reported)
        var alone = try SlotBench(.rewarded, surface: ["vast": .string("<VAST version=\"3.0\">\(broken)</VAST>")])
        alone.apply(.load)
        alone.apply(.zoneLookedUp(nil))
        #expect(alone.slot.state == .failed && alone.reports.map(\.shownURLs) == reported)
    }

    /// VAST 2 calls the end of a linear ad `close`; where both names are given, today's counts.
    @Test(arguments: [(["close"], ["close"]), (["close", "closeLinear"], ["closeLinear"])])
    func aRemovedVideoIsClosedUnderItsName(names: [String], told: [String]) throws {
        let trackings = names.map { "<Tracking event=\"\($0)\">https://t.example/\($0)</Tracking>" }.joined()
        var bench = try loaded(
            Self.document().replacing(
                "</TrackingEvents>\n<VideoClicks>", with: "\(trackings)</TrackingEvents><VideoClicks>"))
        bench.apply(.show)
        bench.wait(.seconds(1))
        bench.apply(.removed)
        #expect(bench.reports.dropFirst(2).flatMap(\.urls) == told.map { "https://t.example/\($0)" })
    }

    @Test func noVideoIsReportedWithItsCode() throws {
        var bench = try SlotBench(.rewarded, surface: ["vast": .string(Self.document())])
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        bench.apply(.mediaFailed(code: 403, "no file can be played"))
        #expect(bench.slot.error?.reason == .internalError)
        let report = try #require(bench.reports.first)
        #expect(report.event == "error" && report.errorCode == 403 && report.context == .error)
        #expect(report.shownURLs == report.urls.map { $0.replacing("[ERRORCODE]", with: "403") })
        #expect(report.shownURLs != report.urls)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func anySequenceGrantsAtMostOnceALoad(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            var bench = try loaded(Self.document(skip: "00:00:03"))
            for _ in 0..<40 {
                switch random.next() % 10 {
                case 0: bench.apply(.show)
                case 1: bench.apply(.click)
                case 2: bench.apply(.dismiss)
                case 3: bench.apply(.replay)
                case 4: bench.apply(.pauseToggled)
                case 5: bench.apply(.muteToggled)
                case 6: bench.apply(.hidden(random.next() % 2 == 0))
                default: bench.wait(.milliseconds(Int64(random.next() % 4_000)))
                }
            }
            #expect(bench.callbacks.count { $0.hasPrefix("adRewarded") } <= 1, "seed \(seed)")
            let once = bench.reports.filter { !$0.isRepeatable }.map(\.event)
            #expect(Set(once).count == once.count, "seed \(seed): \(once)")
        }
    }

    /// A slot whose video file has these bytes.
    private func loaded(file: [UInt8], type: String) throws -> SlotBench {
        var bench = try SlotBench(.rewarded, surface: ["vast": .string(Self.document())])
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        var media = Self.media
        media.type = type
        media.examine(file)
        bench.apply(.mediaPrepared(media))
        return bench
    }

    @Test func aVideoThatCannotBePlayedOffersToBeClosedAtOnce() throws {
        var bench = try loaded(file: Array("<html>".utf8), type: "video/mp4")
        #expect(bench.slot.state == .loaded)
        #expect(
            bench.notes.contains("the video cannot be played: the file is not an MP4 file, but its type is video/mp4"))
        bench.apply(.show)
        bench.apply(.shareVisible(0.5))
        bench.apply(.shareVisible(1))
        guard case .rewarded(let player, _) = bench.slot.content else { throw AdError(.internalError, "no player") }
        #expect(player.phase == .failed && player.canClose(at: bench.now.uptime))
        // Nothing was shown, so only the error is reported and no reward is granted.
        #expect(events(bench) == ["error"] && bench.reports.first?.errorCode == 405)
        bench.wait(.seconds(20))
        bench.apply(.dismiss)
        #expect(bench.slot.state == .closed && events(bench) == ["error"])
        #expect(!bench.callbacks.contains { $0.hasPrefix("adRewarded") })
        #expect(bench.slot.viewed == [] && !bench.notes.contains { $0.hasPrefix("viewable") })
        #expect(bench.slot.marks == [.received, .presented, .dismissed])
        bench.apply(.load)
        #expect(bench.slot.state == .loading)
    }

    /// Loads a rewarded ad that won an auction.
    private struct WonPresenter: AdPresenter {
        mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
            guard case .load = input else { return [] }
            var payload = AdPayload(body: Array(RewardedTests.document().utf8), contentType: "application/xml")
            payload.notices.billing = ["https://b"]
            return [.loaded(payload)]
        }
    }

    /// An ad is billed when it is seen: OpenRTB 2.6 section 3.2.1.
    @Test(arguments: [(Array("<html>".utf8), false), (Array("\u{0}\u{0}\u{0}\u{0C}ftypisom".utf8), true)])
    func onlyAVideoThatPlaysIsBilled(_ file: [UInt8], _ isBilled: Bool) {
        var bench = SlotBench(.rewarded, presenter: WonPresenter())
        bench.apply(.load)
        bench.apply(.zoneLookedUp(nil))
        var media = Self.media
        media.type = "video/mp4"
        media.examine(file)
        bench.apply(.mediaPrepared(media))
        bench.apply(.show)
        bench.apply(.shareVisible(1))
        bench.wait(.seconds(4))
        #expect(bench.reports.contains { $0.urls == ["https://b"] } == isBilled)
        #expect(bench.slot.marks.contains(.impression) == isBilled)
    }

    @Test func aVideoThatNobodyKnowsCanBeClosedWhileItPlays() throws {
        var bench = try loaded(file: Array("webm".utf8), type: "video/webm")
        bench.apply(.show)
        bench.wait(.seconds(3))
        guard case .rewarded(let player, _) = bench.slot.content else { throw AdError(.internalError, "no player") }
        #expect(player.phase == .playing && player.status == .unknown && player.canClose(at: bench.now.uptime))
        bench.apply(.dismiss)
        #expect(bench.slot.state == .closed && !events(bench).contains("complete"))
    }

    /// A player can fail only before its end, and only once.
    @Test(arguments: [RewardedPlayer.Phase.ready, .playing, .endCard, .failed, .closed])
    func onlyWhatPlaysOrIsToPlayFails(phase: RewardedPlayer.Phase) throws {
        var bench = try loaded(Self.document())
        if phase != .ready { bench.apply(.show) }
        if phase == .endCard || phase == .closed { bench.wait(.seconds(11)) }
        if phase == .closed { bench.apply(.dismiss) }
        guard case .rewarded(var player, _) = bench.slot.content else { throw AdError(.internalError, "no player") }
        if phase == .failed { _ = player.failed(code: 405, at: bench.now.uptime) }
        #expect(player.phase == phase)
        let outputs = player.failed(code: 405, at: bench.now.uptime)
        let fails = phase == .ready || phase == .playing
        #expect(outputs.contains { if case .event(.error(405), _) = $0 { true } else { false } } == fails)
        #expect((player.phase == .failed) == (fails || phase == .failed))
    }
}
