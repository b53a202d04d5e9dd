import AdFormats
import AdTracking
import Ports
import Testing

@testable import Session

/// What stands beside the stream, without a session: a part, a desk, inputs and effects.
@Suite struct BesideTests {
    /// The part and its desk.
    private struct Bench {
        var beside: Beside
        var desk: Desk
        var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))

        init(_ change: (inout MonitorConfiguration) throws -> Void) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
            configuration.mode = .fire
            try change(&configuration)
            desk = Desk(configuration, seed: 1)
            desk.journal.state = .open
            beside = Beside(configuration, mode: desk.mode, seed: 2)
        }

        /// A banner, loaded and shown, with one impression beacon that waits for the journal.
        static func withImpression() throws -> Bench {
            var bench = try Bench {
                $0.formats = FormatsConfiguration(
                    adServer: try WebURL("http://127.0.0.1/ads"), slots: [.init(name: "n", unit: "u", format: .native)])
            }
            bench.beside.started(&bench.desk, at: bench.now)
            guard case .fetch(let id, .adCall, let request)? = bench.desk.takeEffects().first else { return bench }
            let type = HTTPField("Content-Type", "application/json")
            let body =
                #"{"assets":[{"title":{"text":"Ride"}}],"link":{"url":"https://shop.example/"},"#
                + #""imptrackers":["http://127.0.0.1/i"]}"#
            let exchange = HTTPExchange(
                hops: [.init(url: request.url.text, status: 200, fields: [type])], body: Array(body.utf8))
            bench.beside.answered(.adCall, id, exchange, &bench.desk, at: bench.now)
            return bench
        }
    }

    @Test func nothingIsRequestedWithoutFeatures() throws {
        var bench = try Bench { _ in }
        bench.beside.started(&bench.desk, at: bench.now)
        bench.beside.spacesIfDue(&bench.desk, at: bench.now)
        bench.beside.auctionIfDue(&bench.desk, at: bench.now)
        #expect(bench.desk.effects.isEmpty && bench.desk.log.view.count == 0)
        #expect(bench.beside.nextDue(after: bench.now.uptime) == nil)
        #expect(bench.beside.holdings.isEmpty && bench.beside.unwritten(at: bench.now).isEmpty)
    }

    @Test func aBeaconIsSentOnceItsClaimIsWritten() throws {
        var bench = try Bench.withImpression()
        let claims = bench.beside.unwritten(at: bench.now).map(\.id)
        #expect(claims.count == 1 && claims.allSatisfy { $0.owner == .adSpace })
        let passed = bench.desk.takeEffects().flatMap { effect -> [Int] in
            if case .writeClaims(let claims) = effect { claims.map(\.number) } else { [] }
        }
        #expect(passed == claims.map(\.number))
        for _ in 0..<2 { bench.beside.claimsWritten(claims, &bench.desk, at: bench.now) }
        let sent = bench.desk.takeEffects().compactMap { effect -> HTTPRequest? in
            if case .send(_, let request) = effect { request } else { nil }
        }
        #expect(sent.map(\.url.text) == ["http://127.0.0.1/i"])
        #expect(sent.map(\.lane) == [nil], "an ad of the stream may have the same number")
        #expect(Array(bench.desk.beacons.inFlight.keys) == claims && bench.desk.counters.beaconsSent == 1)
    }

    @Test func aClaimThatWasNotWrittenIsNotSentAfterTheEnd() throws {
        var bench = try Bench.withImpression()
        let claims = bench.beside.unwritten(at: bench.now).map(\.id)
        bench.beside.stop(&bench.desk, at: bench.now)
        _ = bench.desk.takeEffects()
        bench.beside.claimsWritten(claims, &bench.desk, at: bench.now)
        let isSent = bench.desk.takeEffects().contains { if case .send = $0 { true } else { false } }
        #expect(!claims.isEmpty && !isSent && bench.desk.beacons.inFlight.isEmpty)
    }

    @Test func answersOfOtherPartsAreIgnored() throws {
        var bench = try Bench.withImpression()
        _ = bench.desk.takeEffects()
        let exchange = HTTPExchange(failure: HTTPFailure(.timeout, "no answer"))
        for purpose in [FetchPurpose.metadata, .mediaPlaylist, .adDecision] {
            bench.beside.answered(purpose, RequestID(1), exchange, &bench.desk, at: bench.now)
        }
        #expect(bench.desk.takeEffects().isEmpty)
    }

    /// A recording does not show that these inputs have a case of their own.
    @Test(arguments: [
        (BesideInput.auctionCommanded(.run), "auctionCommanded"), (.formatActed(slot: "s", .show), "formatActed"),
        (.pluginReported(PluginRun("p", 1), .started), "pluginReported"),
        (.creativesKept(round: 1, []), "creativesKept"),
        (.zoneLookedUp("u", ZoneLookup(kept: nil, history: nil, rows: [])), "zoneLookedUp"),
        (.zoneLoaded(1, ZoneDelivery(.failed(code: 405, "x"), rows: [])), "zoneLoaded"),
        (.zoneDiscarded("u"), "zoneDiscarded"), (.zoneRemoved("u", ZoneRemoval(rows: [])), "zoneRemoved"),
    ])
    func recordingsNameTheInputItself(input: BesideInput, kind: String) throws {
        let recorded = RecordedInput(
            input: .beside(input), at: Moment(wall: UnixTime(milliseconds: 1), uptime: .seconds(1)))
        let line = RecordingFormat.line(recorded)
        let value = try JSONReader.read(Array(line.utf8))
        #expect(value["input"]?["kind"]?.stringValue == kind)
        #expect(try RecordingFormat.readLine(Array(line.utf8)) == recorded)
    }
}
