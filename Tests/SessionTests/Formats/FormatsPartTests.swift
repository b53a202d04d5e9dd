import AdFormats
import AdTracking
import Ports
import Testing

@testable import Session

/// Ad spaces of a session: one ad call at a time, beacons through the ledger, replay.
@Suite struct FormatsPartTests {
    /// A session with ad spaces and a stream that does not answer.
    private struct Bench: SteppedSession {
        var state: MonitorState
        var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))
        var inputs: [RecordedInput] = []
        var effects: [Effect] = []

        init(
            _ slots: [FormatsConfiguration.Slot], mode: ReportingMode = .fire,
            media: String = "http://127.0.0.1/live.m3u8", firesByDefault: Bool = true,
            _ change: (inout FormatsConfiguration) -> Void = { _ in }
        ) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL(media))
            configuration.sending.firesByDefault = firesByDefault
            configuration.provider = .none
            configuration.mode = mode
            var formats = FormatsConfiguration(adServer: try WebURL("http://127.0.0.1/ads/zone"), slots: slots)
            change(&formats)
            configuration.formats = formats
            state = MonitorState(configuration)
            apply(.started)
            apply(.journalOpened(JournalOpening(entries: [], notice: nil)))
        }

        /// Number of ad calls and video requests so far.
        var calls: [(id: RequestID, purpose: FetchPurpose, url: String)] {
            effects.compactMap {
                if case .fetch(let id, let purpose, let request) = $0, [.adCall, .adMedia].contains(purpose) {
                    (id, purpose, request.url.text)
                } else {
                    nil
                }
            }
        }

        /// Where the calls may go, by the path of their URLs.
        var rules: [String: AddressRule] {
            effects.reduce(into: [:]) { rules, effect in
                if case .fetch(_, let purpose, let request) = effect, [.adCall, .adMedia].contains(purpose) {
                    rules[request.url.path] = request.addressRule
                }
            }
        }

        var sent: [(ClaimID, String)] {
            effects.compactMap { if case .send(let claim, let request) = $0 { (claim, request.url.text) } else { nil } }
        }

        mutating func answer(_ body: String, type: String, fields: [HTTPField] = []) {
            guard let last = calls.last else { return }
            apply(
                .fetched(
                    last.id,
                    HTTPExchange(
                        hops: [.init(url: last.url, status: 200, fields: [HTTPField("Content-Type", type)] + fields)],
                        body: Array(body.utf8))))
        }

        /// Confirms the journal's writes.
        mutating func flush() {
            let claims = effects.flatMap { effect -> [ClaimID] in
                if case .writeClaims(let claims) = effect { claims.map { ClaimID($0.number) } } else { [] }
            }
            apply(.claimsWritten(claims))
        }

        mutating func pass(_ span: Duration) {
            now = now.advanced(by: span)
            apply(.woke)
        }

        mutating func slot(_ name: String) -> AdSlot? {
            state.snapshot(at: now).formats?.slots.first { $0.slot.name == name }?.slot
        }
    }

    private static let native = """
        {"assets":[{"title":{"text":"Ride"}}],"link":{"url":"https://shop.example/","clicktrackers":["http://127.0.0.1/c"]},
        "imptrackers":["http://127.0.0.1/i"]}
        """

    @Test func adCallsWaitForEachOther() throws {
        var bench = try Bench([
            .init(name: "a", unit: "banner-1", format: .banner), .init(name: "b", unit: "banner-2", format: .banner),
        ])
        #expect(bench.calls.count == 1 && bench.calls[0].url.contains("zone=banner-1"))
        bench.answer("<p>Hi", type: "text/html")
        #expect(bench.calls.count == 2 && bench.calls[1].url.contains("zone=banner-2"))
        #expect(bench.slot("a")?.state == .impressed && bench.slot("b")?.state == .loading)
    }

    @Test func beaconsAreClaimedWrittenSentOnce() throws {
        var bench = try Bench([.init(name: "n", unit: "native-1", format: .native)])
        bench.answer(Self.native, type: "application/json")
        #expect(bench.sent.isEmpty)
        bench.flush()
        #expect(bench.sent.map(\.1) == ["http://127.0.0.1/i"])
        bench.flush()
        bench.pass(.seconds(30))
        #expect(bench.sent.count == 1)
        bench.apply(
            .beaconAnswered(
                try #require(bench.sent.first?.0),
                HTTPExchange(hops: [.init(url: "http://127.0.0.1/i", status: 200, fields: [])])))
        let report = bench.state.snapshot(at: bench.now).formats?.slots.first?.reports.first
        #expect(report?.event == "impression" && report?.state == .done)
    }

    /// A second try waits for the journal when that fails: its beacon has failed, and is counted.
    @Test func aSecondTryThatIsWithdrawnHasFailed() throws {
        var bench = try Bench([.init(name: "n", unit: "native-1", format: .native)])
        bench.answer(Self.native, type: "application/json")
        bench.flush()
        let first = try #require(bench.sent.first?.0)
        bench.apply(.beaconAnswered(first, HTTPExchange(failure: HTTPFailure(.connect, "refused"))))
        bench.pass(.seconds(5))
        bench.apply(.journalFailed("journal: disk full", kind: .cannotWrite))
        let snapshot = bench.state.snapshot(at: bench.now)
        #expect(bench.sent.count == 1 && snapshot.counters.beaconsSent == 1 && snapshot.counters.beaconsFailed == 1)
        #expect(snapshot.formats?.slots.first?.reports.first?.state == .failed)
        #expect(SessionHealth(bench.state, at: bench.now).recent.failure?.event == "n: impression")
    }

    @Test func everyClickIsReported() throws {
        var bench = try Bench([.init(name: "n", unit: "native-1", format: .native)])
        bench.answer(Self.native, type: "application/json")
        bench.apply(.beside(.formatActed(slot: "n", .click)))
        bench.pass(.seconds(1))
        bench.apply(.beside(.formatActed(slot: "n", .click)))
        bench.flush()
        #expect(bench.sent.map(\.1).sorted() == ["http://127.0.0.1/c", "http://127.0.0.1/c", "http://127.0.0.1/i"])
    }

    @Test func observingNamesAndSendsNothing() throws {
        var bench = try Bench([.init(name: "n", unit: "native-1", format: .native)], mode: .observe)
        bench.answer(Self.native, type: "application/json")
        bench.flush()
        #expect(bench.sent.isEmpty)
        #expect(bench.state.snapshot(at: bench.now).formats?.slots.first?.reports.map(\.state) == [.observed])
    }

    @Test func rewardedPlaysAndTheStoreSparesTheSecondCall() throws {
        let document = """
            <VAST version="3.0"><Ad><InLine><Impression>http://127.0.0.1/imp</Impression><Creatives><Creative><Linear>
            <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" bitrate="500">
            http://127.0.0.1/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives><Extensions>
            <Extension type="RewardedVideo"><RewardedVideoOn>1</RewardedVideoOn><VirtualCurrency>Lives</VirtualCurrency>
            <RewardPerView>3</RewardPerView></Extension></Extensions></InLine></Ad></VAST>
            """
        var bench = try Bench([.init(name: "o", unit: "rewarded-1", format: .rewarded)])
        bench.answer(document, type: "application/xml")
        #expect(bench.calls.last?.purpose == .adMedia && bench.calls.last?.url == "http://127.0.0.1/v.mp4")
        bench.answer("\u{0}\u{0}\u{0}\u{0C}ftypisom", type: "video/mp4")
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        for _ in 0..<5 { bench.pass(.seconds(1)) }
        #expect(bench.slot("o")?.marks.map(\.rawValue) == ["r", "p", "i", "v", "w"])
        bench.apply(.beside(.formatActed(slot: "o", .dismiss)))
        let calls = bench.calls.count
        bench.apply(.beside(.formatActed(slot: "o", .load)))
        #expect(bench.calls.count == calls && bench.slot("o")?.state == .loaded)
        // An hour later the copy is too old.
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        bench.pass(.seconds(3_600))
        bench.apply(.beside(.formatActed(slot: "o", .dismiss)))
        bench.apply(.beside(.formatActed(slot: "o", .load)))
        #expect(bench.calls.count == calls + 1)
    }

    @Test(
        arguments: [
            (HTTPFailure(.timeout, "no answer"), 402), (HTTPFailure(.connectTimeout, "no answer"), 402),
            (HTTPFailure(.resolve, "no such host"), 401), (nil, 401),
        ] as [(HTTPFailure?, Int)])
    func aVideoThatDoesNotComeIsReported(failure: HTTPFailure?, code: Int) throws {
        let document = """
            <VAST version="3.0"><Ad><InLine><Error>http://127.0.0.1/e?c=[ERRORCODE]</Error><Creatives><Creative><Linear>
            <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" bitrate="500">
            http://127.0.0.1/my v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        var bench = try Bench([.init(name: "o", unit: "rewarded-1", format: .rewarded)])
        bench.answer(document, type: "application/xml")
        let call = try #require(bench.calls.last)
        #expect(call.url == "http://127.0.0.1/my%20v.mp4")
        let missing = HTTPExchange(hops: [.init(url: call.url, status: 404, fields: [])])
        bench.apply(.fetched(call.id, failure.map { HTTPExchange(failure: $0) } ?? missing))
        bench.flush()
        #expect(bench.sent.map(\.1) == ["http://127.0.0.1/e?c=\(code)"])
    }

    struct Reach: Sendable {
        var media: String
        var firesByDefault = true
        var rule: AddressRule
        /// Reports that are sent.
        var sent: [String]
    }

    /// The ad server that a person typed may be anywhere. A wrapper's tag, the video and the reports are judged as the
    /// stream's beacons are.
    @Test(arguments: [
        Reach(media: "https://cdn.example/live.m3u8", rule: .publicOnly, sent: ["https://t.example/i"]),
        Reach(media: "http://127.0.0.1/live.m3u8", rule: .loopbackOnly, sent: ["http://127.0.0.1/i"]),
        Reach(
            media: "http://127.0.0.1/live.m3u8", firesByDefault: false, rule: .anywhere,
            sent: ["http://127.0.0.1/i", "https://t.example/i"]),
    ])
    func whatAnAnswerNamesCarriesTheRuleOfBeacons(_ row: Reach) throws {
        let wrapper = """
            <VAST version="3.0"><Ad><Wrapper><VASTAdTagURI>http://127.0.0.1/inner</VASTAdTagURI>
            <Impression>https://t.example/i</Impression></Wrapper></Ad></VAST>
            """
        let inline = """
            <VAST version="3.0"><Ad><InLine><Impression>http://127.0.0.1/i</Impression><Creatives><Creative><Linear>
            <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" bitrate="500">
            http://127.0.0.1/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        var bench = try Bench(
            [.init(name: "o", unit: "rewarded-1", format: .rewarded)], media: row.media,
            firesByDefault: row.firesByDefault)
        bench.answer(wrapper, type: "application/xml")
        bench.answer(inline, type: "application/xml")
        #expect(bench.rules == ["/ads/zone": .anywhere, "/inner": row.rule, "/v.mp4": row.rule])
        bench.answer("\u{0}\u{0}\u{0}\u{0C}ftypisom", type: "video/mp4")
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        for _ in 0..<5 { bench.pass(.seconds(1)) }
        bench.flush()
        #expect(bench.sent.map(\.1).sorted() == row.sent)
    }

    @Test func hiddenBannersDoNotRefresh() throws {
        var bench = try Bench([.init(name: "a", unit: "banner-1", format: .banner)])
        bench.answer("<p>Hi", type: "text/html", fields: [HTTPField("X-Refresh-Rate", "15")])
        bench.apply(.beside(.formatActed(slot: "", .hidden(true))))
        bench.pass(.seconds(100))
        #expect(bench.calls.count == 1)
        bench.apply(.beside(.formatActed(slot: "", .hidden(false))))
        bench.pass(.seconds(15))
        #expect(bench.calls.count == 2)
    }

    @Test func inTheBackgroundNothingIsSeen() throws {
        var bench = try Bench([.init(name: "a", unit: "banner-1", format: .banner)])
        bench.answer("<p>Hi", type: "text/html", fields: [HTTPField("X-Refresh-Rate", "15")])
        bench.apply(.beside(.formatActed(slot: "", .lifecycle(.didEnterBackground))))
        #expect(bench.slot("a")?.visibility.fraction == 0)
        bench.pass(.seconds(100))
        #expect(bench.calls.count == 1)
        bench.apply(.beside(.formatActed(slot: "", .lifecycle(.didBecomeActive))))
        #expect(bench.slot("a")?.visibility.fraction == 0)
        bench.apply(.beside(.formatActed(slot: "", .lifecycle(.willEnterForeground))))
        #expect(bench.slot("a")?.visibility.fraction == 1)
        bench.pass(.seconds(15))
        #expect(bench.calls.count == 2)
    }

    @Test func aRecordingIsTheSameSession() throws {
        var bench = try Bench([
            .init(name: "n", unit: "native-1", format: .native, sizeName: nil),
            .init(name: "a", unit: "banner-1", format: .banner, sizeName: "BOX_BANNER"),
        ])
        bench.answer(Self.native, type: "application/json")
        bench.apply(.beside(.formatActed(slot: "n", .visibility(0.38))))
        bench.apply(.beside(.formatActed(slot: "n", .click)))
        bench.answer("<p>Hi", type: "text/html")
        bench.flush()
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
        #expect(SnapshotJSON().value(of: live)["formats"]?["slots"]?.arrayValue?.count == 2)
    }

    @Test(arguments: [
        FormatAction.load, .show, .click, .dismiss, .reload, .replay, .pause, .mute, .visibility(0.38), .hidden(true),
        .lifecycle(.didBecomeActive), .lifecycle(.willEnterForeground), .turned(.landscape),
    ])
    func everyActSurvivesARecording(action: FormatAction) throws {
        let input = RecordedInput(
            input: .beside(.formatActed(slot: "ä", action)),
            at: Moment(wall: UnixTime(milliseconds: 1), uptime: .seconds(1)))
        #expect(try RecordingFormat.readLine(Array(RecordingFormat.line(input).utf8)) == input)
    }

    @Test(arguments: [(true, LifecycleEvent.didEnterBackground), (false, .willEnterForeground)])
    func recordingsFromBeforeTheTwoHooksDifferedAreRead(flag: Bool, event: LifecycleEvent) throws {
        let now = Moment(wall: UnixTime(milliseconds: 1), uptime: .seconds(1))
        let line = RecordingFormat.line(
            RecordedInput(input: .beside(.formatActed(slot: "", .lifecycle(event))), at: now))
        let new = #"{"kind":"lifecycle","event":"\#(event.rawValue)"}"#
        #expect(line.contains(new), "\(line)")
        let old = line.replacing(new, with: #"{"kind":"background","flag":\#(flag)}"#)
        #expect(
            try RecordingFormat.readLine(Array(old.utf8))
                == RecordedInput(input: .beside(.formatActed(slot: "", .lifecycle(event))), at: now))
    }

    @Test func configuredParametersAreSentAndSurviveARecording() throws {
        var bench = try Bench([.init(name: "a", unit: "banner-1", format: .banner)]) {
            $0.parameters = [.init("conn", "wifi"), .init("did", "tablet")]
            $0.refreshFields = ["X-Own"]
        }
        #expect(bench.calls[0].url.contains("conn=wifi") && bench.calls[0].url.contains("scr=768x1024"))
        bench.answer("<p>Hi", type: "text/html", fields: [HTTPField("X-Refresh-Rate", "15"), HTTPField("X-Own", "20")])
        bench.apply(.beside(.formatActed(slot: "", .turned(.landscape))))
        bench.pass(.seconds(15))
        #expect(bench.calls.count == 1)
        bench.pass(.seconds(5))
        #expect(bench.calls.count == 2 && bench.calls[1].url.contains("o=l") && bench.calls[0].url.contains("o=p"))
        let header = RecordingFormat.header(bench.state.configuration)
        #expect(try RecordingFormat.readHeader(Array(header.utf8)) == bench.state.configuration)
    }

    @Test func builtInPluginsFillAdSpaces() throws {
        var bench = try Bench([
            .init(name: "own", unit: "u", format: .banner, plugin: "static"),
            .init(name: "bids", unit: "imp-1", format: .banner, plugin: "openrtb"),
            .init(name: "hangs", unit: "u", format: .banner, plugin: "failing"),
        ]) {
            $0.adServer = nil
            $0.builtIn = [
                .init("static", ["units": ["u": ["html": "<p>At hand"]]]),
                .init("openrtb", ["endpoint": "http://127.0.0.1/bid"]), .init("failing", ["mode": "hangs"]),
            ]
        }
        #expect(bench.slot("own")?.state == .impressed && bench.slot("own")?.provider == "static")
        #expect(bench.calls.map(\.url) == ["http://127.0.0.1/bid"])
        bench.answer(
            #"{"id":"1","seatbid":[{"bid":[{"id":"b","impid":"imp-1","price":1,"adm":"<p>Bought"}]}]}"#,
            type: "application/json")
        #expect(bench.slot("bids")?.state == .impressed)
        bench.pass(.seconds(10))
        #expect(bench.slot("hangs")?.error?.detail == "no answer within 10s")
        let header = RecordingFormat.header(bench.state.configuration)
        #expect(try RecordingFormat.readHeader(Array(header.utf8)) == bench.state.configuration)
    }

    @Test func anAliasOfTheContentTypeIsReported() throws {
        var bench = try Bench([.init(name: "o", unit: "rewarded-1", format: .rewarded)])
        bench.answer("<VAST version=\"3.0\"/>", type: "text/xml")
        let log = bench.state.snapshot(at: bench.now).log.suffix(100).map(\.message)
        #expect(log.contains("o: content-type text/xml, expected application/xml"))
    }
}
