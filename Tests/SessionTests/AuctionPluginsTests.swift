import AdFormats
import AdTracking
import Bidding
import Ports
import Testing

@testable import Session

/// Plugins that bid in the auctions of a session, tested through the session: no process runs here.
@Suite struct AuctionPluginsTests {
    private struct Bench: SteppedSession {
        var state: MonitorState
        var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))
        var inputs: [RecordedInput] = []
        var effects: [Effect] = []

        init(
            plugins: [String] = ["py"], mode: ReportingMode = .observe, slot: Bool = false, every: String = "null"
        ) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
            (configuration.provider, configuration.mode) = (.none, mode)
            var setup = try AuctionSetup(
                try JSONReader.read(
                    """
                    {"auctionId": "a", "everyS": \(every), "placement": {"id": "top", "sizes": [[320, 50]]}, "auction": {"tmaxMs": 300},
                     "lineItems": [{"id": "li", "cpm": "0.50"}], "plugins": [{"plugin": "py", "name": "Python"}]}
                    """))
            for name in plugins {
                var manifest = PluginManifest(identifier: name, name: name, capabilities: [.banner])
                manifest.bids = true
                setup.plugins.append(SubprocessPlugin(manifest, configuration: ["seat": "s1"]))
            }
            configuration.auction = setup
            if slot {
                var formats = FormatsConfiguration(
                    adServer: nil, slots: [.init(name: "home", unit: "u", format: .banner, plugin: "py")])
                formats.plugins = setup.plugins
                configuration.formats = formats
            }
            state = MonitorState(configuration)
            apply(.started)
            apply(.journalOpened(JournalOpening(entries: [], notice: nil)))
        }

        mutating func report(_ news: PluginNews, run: Int = 1) {
            apply(.beside(.pluginReported(PluginRun("py", run), news)))
        }
        mutating func say(_ line: String, run: Int = 1) { report(.output(Array((line + "\n").utf8)), run: run) }

        mutating func ready(_ capabilities: String = #""banner","bid""#, run: Int = 1) {
            report(.started, run: run)
            say(#"{"type":"ready","provider":"py","capabilities":[\#(capabilities)]}"#, run: run)
        }

        mutating func pass(_ span: Duration) {
            now = now.advanced(by: span)
            apply(.woke)
        }

        mutating func bid(_ price: String, in request: String = "a", run: Int = 1) {
            let members = #""winningCreativeID":"c","price":"\#(price)","currency":"USD","markup":"<p>x</p>""#
            say(#"{"type":"bid","request":"\#(request)","bid":{\#(members)}}"#, run: run)
        }

        /// The messages to the plugin.
        func told(_ type: String) throws -> [JSONValue] {
            try effects.compactMap { effect -> JSONValue? in
                guard case .beside(.writeToPlugin(_, let line)) = effect else { return nil }
                return try JSONReader.read(line)
            }.filter { $0["type"]?.stringValue == type }
        }

        var started: Int { effects.count { if case .beside(.startPlugin) = $0 { true } else { false } } }
        var result: AuctionResult? { state.beside.auction.result }
        func log() -> [String] { var state = state; return state.snapshot(at: now).log.suffix(100).map(\.message) }
    }

    @Test func aPluginIsAskedAndWins() throws {
        var bench = try Bench()
        #expect(bench.started == 1)
        #expect(try bench.told("bid").isEmpty)
        bench.ready()
        let question = try #require(try bench.told("bid").first)
        #expect(question["request"] == "a" && question["timeoutMs"] == 300)
        #expect(question["openrtb"]?["imp"]?.arrayValue?.count == 1 && question["openrtb"]?["test"] == 1)
        #expect(try bench.told("hello").first?["configuration"]?["seat"] == "s1")
        #expect(bench.result == nil)
        #expect(
            bench.state.beside.auctionView?.waitingFor == ["Python"] && bench.state.beside.auctionView?.answered == 0)
        bench.now = bench.now.advanced(by: .milliseconds(120))
        bench.bid("0.70")
        #expect(bench.state.beside.auctionView?.waitingFor == [] && bench.state.beside.auctionView?.answered == 1)
        #expect(bench.result?.winningCandidate?.who == "Python" && bench.result?.cpm?.text == "0.7")
        #expect(bench.result?.winningCandidate?.latency == .milliseconds(120))
        // In observe mode plugins are not informed of a win, because nobody pays for it.
        #expect(try bench.told("finished").isEmpty)
        bench.apply(.beside(.auctionCommanded(.fireNotices)))
        bench.apply(.beside(.auctionCommanded(.fireNotices)))
        let told = try bench.told("finished")
        #expect(told.count == 1 && told[0]["outcome"] == "won" && told[0]["request"] == "a")
        #expect(
            told[0]["calls"] == [
                "primarySDKLostBidCompetition", "bidderWinningAdMarkup", "primarySDKDisplayedBidderAd",
            ])
    }

    @Test func fireModeSendsLossNotices() throws {
        var bench = try Bench(mode: .fire)
        bench.ready()
        bench.bid("0.40")
        let told = try bench.told("finished")
        #expect(told.first?["outcome"] == "lost" && bench.result?.winningCandidate?.id == "li")
        #expect(told.first?["reason"]?.stringValue?.hasPrefix("lostToHigherBid") == true)
    }

    @Test func oneProcessServesSlotsAndAuctions() throws {
        var bench = try Bench(slot: true)
        #expect(bench.started == 1)
        bench.ready()
        bench.bid("0.70")
        #expect(try bench.told("load").count == 1)
        #expect(bench.result != nil)
        bench.apply(.beside(.auctionCommanded(.run)))
        #expect(try bench.told("bid").map { $0["request"] } == ["a", "a-2"] && bench.started == 1)
        // An answer to the previous auction is not an answer to this one.
        bench.bid("9.00", in: "a")
        #expect(bench.result?.cpm?.text == "0.7" && bench.state.beside.auctionView?.underWay?.waitingFor == ["Python"])
        #expect(bench.log().contains("plugin py: bid for unknown auction 'a'"))
        bench.bid("0.60", in: "a-2")
        bench.bid("9.00", in: "a-2")
        #expect(bench.result?.cpm?.text == "0.6")
        #expect(bench.log().contains("plugin py: unexpected bid for auction 'a-2'"))
    }

    @Test func whatGoesWrongIsANonBidWithItsReason() throws {
        var hangs = try Bench()
        hangs.ready()
        hangs.pass(.milliseconds(300))
        #expect(hangs.result == nil)
        hangs.pass(.milliseconds(1))
        #expect(hangs.result?.nonBids.map(\.why) == ["timeout: no answer"])
        var mute = try Bench()
        mute.report(.started)
        mute.pass(.seconds(5))
        #expect(mute.result?.nonBids.map(\.why) == ["unreachable: the plugin did not send ready within 5s"])
        var dies = try Bench()
        dies.ready()
        dies.report(.exited("ended with status 3"))
        #expect(dies.result?.nonBids.map(\.why) == ["unreachable: the plugin ended with status 3"])
        var floods = try Bench()
        floods.ready()
        floods.report(.output(Array(String(repeating: "{\"type\":\"weather\"}\n", count: 500).utf8)))
        #expect(floods.result?.nonBids.first?.detail.contains("200 lines") == true)
        var missing = try Bench()
        missing.report(.notStarted("py.py: not permitted"))
        #expect(
            missing.result?.nonBids.map(\.why)
                == ["unreachable: the plugin could not be started: py.py: not permitted"])
        var shy = try Bench()
        shy.ready(#""banner""#)
        #expect(shy.result?.nonBids.map(\.why) == ["unreachable: the plugin does not support bids"])
        let unknown = try Bench(plugins: [])
        #expect(unknown.result?.nonBids.map(\.why) == ["unreachable: no such plugin"])
        // The auction has a winner in each case, and the next one requests bids again.
        #expect(unknown.result?.winningCandidate?.id == "li")
        dies.apply(.beside(.auctionCommanded(.run)))
        #expect(dies.started == 2)
    }

    @Test func aHangingBidderIsKilledAndRestartedByTheNextAuction() throws {
        var bench = try Bench()
        bench.ready()
        var reasons: [String] = []
        for auction in 1...3 {
            if auction > 1 { bench.apply(.beside(.auctionCommanded(.run))) }
            bench.pass(.milliseconds(301))
            reasons += bench.result?.nonBids.map(\.why) ?? []
        }
        #expect(
            reasons == [
                "timeout: no answer", "timeout: no answer",
                "unreachable: the plugin did not answer 3 requests in a row",
            ])
        #expect(bench.effects.contains(.beside(.terminatePlugin(PluginRun("py", 1)))))
        #expect(bench.log().contains("plugin py: the plugin did not answer 3 requests in a row"))
        bench.apply(.beside(.auctionCommanded(.run)))
        #expect(bench.started == 2)
        bench.ready(run: 2)
        bench.bid("0.70", in: "a-4", run: 2)
        #expect(bench.result?.winningCandidate?.who == "Python")
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test func aBidderThatNeverAnswersIsNotStartedForEver() throws {
        var bench = try Bench()
        for run in 1...HostedPlugin.maximumFailures {
            bench.report(.started, run: run)
            bench.pass(.seconds(5))
            #expect(bench.result?.nonBids.map(\.why) == ["unreachable: the plugin did not send ready within 5s"])
            bench.apply(.beside(.auctionCommanded(.run)))
        }
        #expect(bench.started == HostedPlugin.maximumFailures)
        let refusal = "unreachable: not started again: 5 consecutive processes of the plugin ended without an answer"
        #expect(bench.result?.nonBids.map(\.why) == [refusal] && bench.result?.winningCandidate?.id == "li")
    }

    @Test func anEarlyAuctionTurnIsSkippedSilently() throws {
        var bench = try Bench(every: "1")
        bench.report(.started)
        // The plugin has five seconds for its greeting, enough time for four auctions.
        for _ in 1...4 { bench.pass(.seconds(1)) }
        let wakes = bench.effects.suffix(1).compactMap { if case .wake(let uptime) = $0 { uptime } else { nil } }
        #expect(wakes == [bench.now.uptime + .seconds(1)] && bench.state.beside.auction.newest.number == 1)
        #expect(!bench.log().contains { $0.contains("still running") })
        // It is decided, and the next one is due.
        bench.pass(.seconds(1))
        #expect(bench.state.beside.auction.newest.number == 2 && bench.log().contains("auction 1: li won at 0.5 USD"))
        // When a person requests it, the pending auction is reported.
        bench.apply(.beside(.auctionCommanded(.run)))
        #expect(bench.log().last == "the auction is still running")
    }

    @Test func anInvalidMessageIsALineOfTheLog() throws {
        var bench = try Bench()
        bench.ready()
        bench.say(#"{"type":"bid","bid":{}}"#)
        bench.say(#"{"type":"bid","request":"other","bid":null}"#)
        bench.say(#"{"type":"bid","request":"a","bid":"all of it"}"#)
        #expect(bench.result?.nonBids.first?.why == "malformedResponse: bid: expected an object, not string")
        #expect(bench.log().contains { $0.hasPrefix("plugin py: a line of the plugin has no request") })
        #expect(bench.log().contains("plugin py: bid for unknown auction 'other'"))
    }

    @Test func aRecordingNeedsNoProcess() throws {
        var bench = try Bench()
        bench.ready()
        bench.bid("0.70")
        bench.report(.exited("ended with status 0"))
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }
}
