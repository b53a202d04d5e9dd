import AdTracking
import HLS
import Ports
import TestSupport
import Testing

@testable import Session

/// Interstitials in a session: requested, played, reported (HLS-16 to HLS-21, TRK-28).
@Suite struct InterstitialTests {
    /// Replaces 20 s of the stream.
    static let pod = FakeInterstitial(id: "pod", start: 80_000, assets: [12_000, 8_000])

    private func requests(_ session: MonitorHarness, _ part: String) -> [String] {
        session.requested.filter { $0.contains(part) }
    }

    @Test func playsItsAssetsAndReportsEachMomentOnTime() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        session.run(untilEdge: 150_000)
        #expect(session.urls.sorted() == Self.pod.plan)
        let asked = try #require(requests(session, "/list/").first)
        #expect(requests(session, "/list/").count == 1)
        #expect(asked.hasPrefix(Self.pod.listURL + "&_HLS_primary_id="))
        #expect(!asked.contains("_HLS_start_offset"))
        // Times on the clock of the interstitial: 12 s and 8 s from the moment at which the stream was left.
        let began = try #require(session.receipts.first { $0.url == Self.pod.beacon(0, "start") }?.at.uptime)
        // To a hundredth of a second: an alarm is set at least half a millisecond ahead.
        func delay(_ index: Int, _ type: String) -> Duration? {
            session.receipts.first { $0.url == Self.pod.beacon(index, type) }.map {
                .milliseconds(($0.at.uptime - began + .milliseconds(5)).inMilliseconds / 10 * 10)
            }
        }
        #expect(delay(0, "midpoint") == .seconds(6))
        #expect(delay(0, "complete") == .seconds(12))
        #expect(delay(1, "start") == .seconds(12))
        #expect(delay(1, "firstQuartile") == .seconds(14))
        #expect(delay(1, "complete") == .seconds(20))
    }

    @Test func theSnapshotShowsIt() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        session.run(for: .seconds(1))
        let before = try #require(session.snapshot().interstitials.first)
        #expect(before.state == .listed || before.state == .ready)
        #expect(session.snapshot().lastInterstitial == nil)
        while session.snapshot().playhead.state != .interstitial { session.run(for: .milliseconds(500)) }
        session.run(for: .seconds(13))
        let during = session.snapshot()
        let playing = try #require(during.interstitials.first)
        #expect(playing.state == .playing)
        #expect(playing.assetIndex == 1)
        #expect(playing.assetCount == 2)
        #expect(playing.assets.map(\.duration) == [.seconds(12), .seconds(8)])
        #expect(playing.assets.map(\.hasSignaling) == [true, true])
        #expect(playing.requests.map(\.status) == [200])
        #expect(playing.findings.isEmpty)
        let date = FakeOrigin.start + .seconds(80)
        #expect(
            during.lastInterstitial
                == LastInterstitialView(id: "pod", date: date, start: date, stop: nil, duration: .seconds(20)))
        let adBreak = try #require(during.breaks.first)
        #expect(adBreak.source == "interstitial" && adBreak.name == "pod" && adBreak.isOnAir)
        #expect(adBreak.id == playing.breakID && adBreak.label == "I1")
        #expect(adBreak.ads.map(\.isOnAir) == [false, true])
        #expect(adBreak.ads.map(\.name) == ["pod-0", "pod-1"])
        session.run(for: .seconds(10))
        let after = session.snapshot()
        #expect(after.lastInterstitial?.stop == date + .seconds(20))
        #expect(after.interstitials.first?.state == .completed)
        #expect(after.breaks.first.map { $0.hasEnded && !$0.isOnAir } == true)
        #expect(
            after.breaks.flatMap(\.ads).flatMap(\.events).filter { !$0.isUserTriggered }.allSatisfy {
                $0.state == .done
            })
    }

    /// The screen's clock runs without new snapshots.
    @Test func thePresentationDateRunsOn() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        while session.snapshot().playhead.state != .interstitial { session.run(for: .milliseconds(500)) }
        let early = session.snapshot()
        let later = session.now.advanced(by: .milliseconds(2_500))
        session.run(for: .milliseconds(2_500))
        let exact = session.snapshot()
        #expect(early.playhead(at: later).date == exact.playhead.date)
        #expect(early.playhead(at: later).latency == exact.playhead.latency)
        #expect(early.playhead(at: later).drift == exact.playhead.drift)
        #expect(early.playhead.stream == exact.playhead.stream)
    }

    /// The instant at which it starts ends the item before.
    @Test(arguments: ["", ",X-RESUME-OFFSET=0"]) func anAdThatEndsWhereItStartsIsComplete(_ attributes: String) throws {
        var pod = Self.pod
        pod.attributes = attributes
        let stitched = FakeOrigin.Break(id: "b", ads: [.init("a", start: 72_000, duration: 8_000)])
        var session = try MonitorHarness(.playing([pod], breaks: [stitched]))
        session.start()
        session.run(untilEdge: 180_000)
        #expect(session.urls.sorted() == (pod.plan + FakeOrigin(breaks: [stitched]).plan).sorted())
        let complete = try #require(session.receipts.first { $0.url == FakeOrigin.beacon("a", "complete") }?.at.uptime)
        let start = try #require(session.receipts.first { $0.url == pod.beacon(0, "start") }?.at.uptime)
        #expect(complete <= start)
    }

    /// With a resume offset of 0 the stream shows the same dates afterwards: no beacon of the interstitial is due then,
    /// and the stream's own events are still to come.
    @Test func aResumeOffsetOfZeroPlaysTheSameDatesTwice() throws {
        let pod = FakeInterstitial(id: "pod", start: 80_000, assets: [12_000], attributes: ",X-RESUME-OFFSET=0")
        let stitched = FakeOrigin.Break(id: "b", ads: [.init("a", start: 82_000, duration: 8_000)])
        var session = try MonitorHarness(.playing([pod], breaks: [stitched]))
        session.start()
        session.run(untilEdge: 160_000)
        #expect(session.urls.sorted() == (pod.plan + FakeOrigin(breaks: [stitched]).plan).sorted())
        let ends = try #require(session.urls.firstIndex(of: pod.beacon(0, "complete")))
        let begins = try #require(session.urls.firstIndex(of: FakeOrigin.beacon("a", "start")))
        #expect(ends < begins)
    }

    /// The part of the stream that the interstitial replaces was not seen: stitched ads below it are not reported.
    @Test(arguments: [80_000, 84_000] as [Int64]) func whatIsReplacedIsNotReported(start: Int64) throws {
        let stitched = FakeOrigin.Break(id: "b", ads: [.init("a", start: start, duration: 8_000)])
        var session = try MonitorHarness(.playing([Self.pod], breaks: [stitched]))
        session.start()
        session.run(untilEdge: 160_000)
        #expect(session.urls.sorted() == Self.pod.plan)
        #expect(session.snapshot().event("start", ad: "a")?.reason == .seekedOver)
    }

    @Test func aPlayoutLimitLeavesTheRestUnreported() throws {
        let pod = FakeInterstitial(id: "pod", start: 80_000, assets: [12_000, 8_000], attributes: ",X-PLAYOUT-LIMIT=7")
        var session = try MonitorHarness(.playing([pod]))
        session.start()
        session.run(untilEdge: 150_000)
        #expect(
            session.urls.sorted() == ["firstQuartile", "impression", "midpoint", "start"].map { pod.beacon(0, $0) })
        #expect(session.snapshot().interstitials.first?.state == .limited)
        #expect(session.snapshot().event("complete", ad: "pod-0")?.reason == .interstitialNotPlaying)
        #expect(session.snapshot().event("start", ad: "pod-1")?.reason == .interstitialNotPlaying)
    }

    /// A later tag with the same ID ends it while it plays.
    @Test func anEarlyReturnAppliesImmediately() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        while session.snapshot().playhead.state != .interstitial { session.run(for: .milliseconds(100)) }
        session.run(for: .seconds(1))
        session.origin.tags = [Self.pod.tag + ",X-PLAYOUT-LIMIT=9"]
        session.run(for: .seconds(12))
        #expect(session.snapshot().interstitials.first?.state == .limited)
        #expect(session.snapshot().interstitials.first?.elapsed == .seconds(9))
        #expect(!session.urls.contains(Self.pod.beacon(0, "complete")))
        #expect(session.urls.contains(Self.pod.beacon(0, "thirdQuartile")))
    }

    /// A viewer who joins in the middle requests with that offset, and reports no earlier events.
    @Test func joiningInTheMiddleIsLogged() throws {
        let pod = FakeInterstitial(id: "pod", start: 40_000, assets: [12_000, 20_000], attributes: ",DURATION=32")
        var session = try MonitorHarness(.playing([pod]), joinAt: 69_000)
        session.start()
        session.run(for: .seconds(40))
        let view = try #require(session.snapshot().lastInterstitial)
        let offset = view.start - view.date
        #expect(offset > .seconds(12) && offset < .seconds(20), "joined in its second asset")
        let asked = try #require(requests(session, "/list/").first)
        let seconds = Double(offset.roundedMilliseconds) / 1_000
        #expect(
            asked.contains("_HLS_start_offset=")
                && asked.contains("\(seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds))"))
        #expect(session.urls.allSatisfy { $0.contains("ad=pod-1") })
        #expect(!session.urls.contains(pod.beacon(1, "start")))
        #expect(session.urls.contains(pod.beacon(1, "complete")))
    }

    @Test func aPrerollPlaysFirst() throws {
        let pod = FakeInterstitial(
            id: "pre", start: 0, assets: [6_000], attributes: ",CUE=\"PRE,ONCE\",X-RESUME-OFFSET=0")
        var session = try MonitorHarness(.playing([pod]))
        session.start()
        session.run(for: .seconds(3))
        #expect(session.snapshot().playhead.state == .interstitial)
        session.run(for: .seconds(10))
        #expect(session.urls.sorted() == pod.plan)
        #expect(session.snapshot().playhead.state == .playing)
    }

    /// The date of its tag can lie ahead of the viewer: it is no place in the stream.
    @Test func aPrerollIsNeverTheNextBreak() throws {
        let pods = [
            FakeInterstitial(
                id: "pre", start: 110_000, assets: [6_000], attributes: ",CUE=\"PRE,ONCE\",X-RESUME-OFFSET=0"),
            FakeInterstitial(id: "pod", start: 118_000, assets: [6_000]),
        ]
        let next = FakeOrigin.start + .milliseconds(pods[1].start)
        var session = try MonitorHarness(.playing(pods))
        session.start()
        var seen: Set<PlayheadView.State> = []
        for _ in 0..<120 {
            session.run(for: .milliseconds(500))
            let snapshot = session.snapshot()
            guard snapshot.breaks.count == 2, let date = snapshot.playhead.date, date < next,
                snapshot.interstitials.allSatisfy({ $0.id == "pre" || $0.state != .playing })
            else { continue }
            seen.insert(snapshot.playhead.state)
            #expect(snapshot.nextBreakStart == next)
            let status = AirStatus(snapshot, snapshot.playhead)
            #expect(status.next?.wait == next - date)
        }
        #expect(seen == [.interstitial, .playing])
    }

    @Test func aPostrollPlaysLast() throws {
        let pod = FakeInterstitial(id: "post", start: 0, assets: [6_000], attributes: ",CUE=\"POST\"")
        var origin = FakeOrigin.playing([pod])
        origin.vodDuration = 40_000
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(38))
        #expect(session.urls.isEmpty)
        session.run(for: .seconds(20))
        #expect(session.urls.sorted() == pod.plan)
        #expect(session.snapshot().session.phase == .ended)
    }

    struct BadList: CustomTestStringConvertible, Sendable {
        var name: String
        var reply: @Sendable (HTTPRequest) -> FakeOrigin.Reply
        var problem: String
        var state: InterstitialView.State
        var testDescription: String { name }
    }

    static let badLists = [
        BadList(name: "404", reply: { FakeOrigin.status(404, $0) }, problem: "answered 404", state: .cancelled),
        BadList(
            name: "not JSON", reply: { FakeOrigin.text("<html>", type: "text/html", of: $0) },
            problem: "the body is not JSON", state: .cancelled),
        BadList(
            name: "no ASSETS", reply: { FakeOrigin.text("{}", type: "application/json", of: $0) },
            problem: "the body has no ASSETS array", state: .cancelled),
        BadList(
            name: "timeout", reply: { _ in FakeOrigin.failure(.timeout, "no answer in time", delay: .seconds(5)) },
            problem: "no answer in time", state: .cancelled),
        BadList(
            name: "empty", reply: { FakeOrigin.text(#"{"ASSETS":[]}"#, type: "application/json", of: $0) }, problem: "",
            state: .empty),
    ]

    /// The stream continues as if there were no interstitial, and the reason is recorded.
    @Test(arguments: badLists) func aBadListIsPassedOver(_ bad: BadList) throws {
        var session = try MonitorHarness(
            .playing([Self.pod]) { request, _, _ in request.url.path.hasPrefix("/list/") ? bad.reply(request) : nil })
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.urls.isEmpty)
        let view = try #require(session.snapshot().interstitials.first)
        #expect(view.state == bad.state)
        #expect(view.problem.map { $0.hasPrefix(bad.problem) } ?? bad.problem.isEmpty, "\(view.problem ?? "")")
        #expect(requests(session, "/list/").count == 1, "requested once")
        #expect(session.snapshot().playhead.state == .playing)
        // Its break has the reason, and the finding is about that.
        let adBreak = try #require(session.snapshot().breaks.first)
        #expect(adBreak.problem == view.problem)
        let failed = session.snapshot().findings.filter { $0.finding.rule == "interstitial-failed" }
        #expect(failed.allSatisfy { $0.places.map(\.place) == [FindingPlace(adBreak: "pod", start: adBreak.start)] })
        let found = failed.map(\.finding)
        #expect(found.count == (bad.state == .cancelled ? 1 : 0))
        #expect(
            found.allSatisfy {
                $0.message.hasPrefix("interstitial 'pod': its assets could not be loaded: \(bad.problem)")
            })
    }

    /// The viewer is held at the start until the list arrives.
    @Test(arguments: [(Int64(15), true), (5, false)]) func aListThatArrivesLateIsReported(delay: Int64, isLate: Bool)
        throws
    {
        var session = try MonitorHarness(
            .playing([Self.pod]) { request, _, _ in
                guard request.url.path.hasPrefix("/list/") else { return nil }
                var reply = FakeOrigin.text(Self.pod.list, type: "application/json", of: request)
                reply.delay = .seconds(delay)
                return reply
            })
        session.start()
        session.run(untilEdge: 160_000)
        #expect(session.urls.sorted() == Self.pod.plan)
        let found = session.snapshot().findings.map(\.finding).filter { $0.rule == "interstitial-late" }
        #expect(found.count == (isLate ? 1 : 0))
        #expect(found.allSatisfy { $0.message.hasSuffix("after its start, 15.0s after they were asked for") })
    }

    /// The list states no length: that of an asset is the length of its playlist. One that has none is left out (HLS-19).
    @Test func theLengthsOfListedAssetsAreLookedUp() throws {
        var session = try MonitorHarness(
            .playing([Self.pod]) { request, _, _ in
                switch request.url.path {
                case "/list/pod.json":
                    FakeOrigin.text(
                        Self.pod.list.replacing(#","DURATION":12.0"#, with: "").replacing(
                            #","DURATION":8.0"#, with: ""),
                        type: "application/json", of: request)
                case "/ads/pod-0/index.m3u8":
                    FakeOrigin.text(
                        "#EXTM3U\n#EXT-X-TARGETDURATION:12\n#EXTINF:12,\na.ts\n#EXT-X-ENDLIST\n", type: "audio/mpegurl",
                        of: request)
                case "/ads/pod-1/index.m3u8": FakeOrigin.status(404, request)
                default: nil
                }
            })
        session.start()
        session.run(untilEdge: 160_000)
        let view = try #require(session.snapshot().interstitials.first)
        #expect(view.state == .completed && view.elapsed == .seconds(12))
        #expect(view.requests.map(\.status) == [200, 200, 404])
        #expect(view.assets.map(\.duration) == [.seconds(12), nil])
        #expect(session.urls.sorted() == Self.pod.plan.filter { $0.contains("pod-0") })
        #expect(
            view.findings.filter { $0.rule == "interstitial-failed" }.map(\.message).first?
                .hasPrefix("its asset 2 is left out: answered 404") == true)
    }

    /// The playlists of 16 assets are requested (HLS-19); that the others are left out is a finding.
    @Test func assetsBeyondTheLimitAreNotLeftOutSilently() throws {
        let pod = FakeInterstitial(
            id: "pod", start: 80_000, assets: Array(repeating: 1_000, count: 18), isSignaled: false)
        var session = try MonitorHarness(
            .playing([pod]) { request, _, _ in
                if request.url.path == "/list/pod.json" {
                    let list = pod.list.replacing(#","DURATION":1.0"#, with: "")
                    return FakeOrigin.text(list, type: "application/json", of: request)
                }
                guard request.url.path.hasPrefix("/ads/") else { return nil }
                return FakeOrigin.text(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n", type: "audio/mpegurl",
                    of: request)
            })
        session.start()
        session.run(untilEdge: 160_000)
        #expect(requests(session, "/ads/").count == 16)
        let view = try #require(session.snapshot().interstitials.first)
        #expect(view.elapsed == .seconds(16) && view.assets.count == 18)
        let found = view.findings.filter { $0.rule == "interstitial-failed" }
        #expect(
            found.map(\.message) == [
                "2 assets without DURATION left out: the playlists of 16 at most are requested"
            ])
        #expect(found.map(\.path) == ["ASSETS"])
    }

    /// The playlist itself may contain a list.
    @Test(arguments: [true, false]) func aListMayBeADataURI(isBase64: Bool) throws {
        let json = #"{"ASSETS":[{"URI":"http://127.0.0.1:8080/x.m3u8","DURATION":5}]}"#
        let uri =
            isBase64
            ? "data:application/json;base64,eyJBU1NFVFMiOlt7IlVSSSI6Imh0dHA6Ly8xMjcuMC4wLjE6ODA4MC94Lm0zdTgiLCJEVVJBVElPTiI6NX1dfQ=="
            : "data:application/json," + json.replacing("\"", with: "%22").replacing("{", with: "%7B")
        var origin = FakeOrigin()
        origin.tags = [
            "#EXT-X-DATERANGE:ID=\"d\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\((FakeOrigin.start + .seconds(80)).iso8601)\",X-ASSET-LIST=\"\(uri)\""
        ]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().interstitials.first?.state == .completed)
        #expect(session.snapshot().interstitials.first?.elapsed == .seconds(5))
    }

    /// For X-ASSET-URI without an announced length, its playlist provides the length.
    @Test func theLengthOfALoneAssetIsLookedUp() throws {
        var origin = FakeOrigin()
        origin.tags = [
            "#EXT-X-DATERANGE:ID=\"u\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\((FakeOrigin.start + .seconds(80)).iso8601)\",X-ASSET-URI=\"\(FakeOrigin.base)/asset/master.m3u8\""
        ]
        origin.override = { request, _, _ in
            switch request.url.path {
            case "/asset/master.m3u8":
                FakeOrigin.text(
                    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n", type: "audio/mpegurl", of: request)
            case "/asset/media.m3u8":
                FakeOrigin.text(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXTINF:3.5,\nb.ts\n#EXT-X-ENDLIST\n",
                    type: "audio/mpegurl", of: request)
            default: nil
            }
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().interstitials.first?.state == .completed)
        #expect(session.snapshot().interstitials.first?.elapsed == .milliseconds(7_500))
        #expect(session.snapshot().interstitials.first?.requests.map(\.status) == [200, 200])
    }

    /// The media playlist of an asset imports what its multivariant playlist defines (rfc8216bis-22 section 4.4.2.3).
    @Test func aVariableOfAnAssetIsImported() throws {
        let asset = FakeInterstitial(id: "u", start: 80_000, assets: [])
        var origin = FakeOrigin()
        origin.tags = [
            asset.tag.replacing(
                "X-ASSET-LIST=\"\(asset.listURL)\"", with: "X-ASSET-URI=\"\(FakeOrigin.base)/asset/master.m3u8\"")
        ]
        origin.override = { request, _, _ in
            let text: String? =
                switch request.url.path {
                case "/asset/master.m3u8":
                    "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"t\",VALUE=\"7\"\n"
                        + "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$t}/media.m3u8\n"
                case "/asset/7/media.m3u8":
                    "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:4\n#EXT-X-DEFINE:IMPORT=\"t\"\n"
                        + "#EXTINF:4,\na{$t}.ts\n#EXTINF:3.5,\nb{$t}.ts\n#EXT-X-ENDLIST\n"
                default: nil
                }
            return text.map { FakeOrigin.text($0, type: "audio/mpegurl", of: request) }
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().interstitials.first?.state == .completed)
        #expect(session.snapshot().interstitials.first?.elapsed == .milliseconds(7_500))
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "define-import-missing" })
    }

    /// Each request for an asset list is an ad decision that a server may count.
    @Test func withoutInterstitialsNothingIsAskedFor() throws {
        var session = try MonitorHarness(.playing([Self.pod])) { $0.playsInterstitials = false }
        session.start()
        session.run(untilEdge: 150_000)
        #expect(requests(session, "/list/").isEmpty)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().playhead.state == .playing)
        #expect(session.snapshot().breaks.isEmpty)
    }

    @Test func theViewersActionGoesToTheAdThatPlays() throws {
        let stitched = FakeOrigin.Break(
            id: "b", ads: [.init("a", start: 78_000, duration: 20_000, isUserDriven: true)])
        var session = try MonitorHarness(.playing([Self.pod], breaks: [stitched]))
        session.start()
        while session.snapshot().playhead.state != .interstitial { session.run(for: .milliseconds(500)) }
        session.run(for: .seconds(14))
        session.submit(.toggled(.mute))
        session.run(for: .seconds(1))
        #expect(session.urls.last == Self.pod.beacon(1, "mute"))
    }

    /// A new process finds the beacons that the one before sent.
    @Test func theJournalKnowsInterstitials() throws {
        var first = try MonitorHarness(.playing([Self.pod]))
        first.start()
        while first.snapshot().playhead.state != .interstitial { first.run(for: .milliseconds(500)) }
        first.run(for: .seconds(7))
        var second = try MonitorHarness(.playing([Self.pod]))
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 150_000)
        #expect((first.urls + second.urls).sorted() == Self.pod.plan)
    }

    /// A plain stream may have interstitials too.
    @Test func noMetadataIsNeeded() throws {
        var session = try MonitorHarness(.playing([Self.pod])) { $0.provider = .none }
        session.start()
        session.run(untilEdge: 150_000)
        #expect(session.urls.sorted() == Self.pod.plan)
        #expect(session.journal.count == Self.pod.plan.count)
    }

    /// Runs until the list is there, three target durations before the start.
    private static func runUntilReady(_ session: inout MonitorHarness) {
        for _ in 0..<60 where session.snapshot().interstitials.first?.state != .ready {
            session.run(for: .milliseconds(500))
        }
    }

    /// A tag that is removed before its start is withdrawn.
    @Test func aWithdrawnOneDoesNotPlay() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        session.run(for: .seconds(8))
        #expect(session.snapshot().breaks.count == 1)
        Self.runUntilReady(&session)
        session.origin.tags = []
        session.run(for: .seconds(5))
        #expect(session.snapshot().playhead.date.map { $0 < FakeOrigin.start + .seconds(80) } == true)
        #expect(session.snapshot().interstitials.map(\.state) == [.withdrawn])
        session.run(untilEdge: 150_000)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().interstitials.map(\.state) == [.withdrawn])
        #expect(session.snapshot().breaks.map(\.hasVanished) == [true])
        let events = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).filter { !$0.isUserTriggered }
        #expect(!events.isEmpty && events.allSatisfy { $0.state == .skipped && $0.reasonWords == .withdrawn })
    }

    /// A tag that returns before its start counts again.
    @Test func oneThatReturnsPlays() throws {
        var session = try MonitorHarness(.playing([Self.pod]))
        session.start()
        Self.runUntilReady(&session)
        session.origin.tags = []
        session.run(for: .seconds(5))
        #expect(session.snapshot().interstitials.map(\.state) == [.withdrawn])
        session.origin.tags = [Self.pod.tag]
        session.run(untilEdge: 150_000)
        #expect(session.snapshot().interstitials.map(\.state) == [.completed])
        #expect(session.urls.sorted() == Self.pod.plan)
    }

    /// docs/snapshot.md lists the states.
    @Test func everyStateIsDocumented() throws {
        let states = InterstitialView.State.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        #expect(try DocumentationPage.text("snapshot").contains("| `state` | \(states)."))
    }

    @Test func theListIsHeldAgainstTheTag() throws {
        let pod = FakeInterstitial(id: "pod", start: 80_000, assets: [12_000], attributes: ",PLANNED-DURATION=30")
        var session = try MonitorHarness(.playing([pod]))
        session.start()
        session.run(untilEdge: 130_000)
        let finding = try #require(session.snapshot().findings.first { $0.finding.rule == "L65" })
        #expect(finding.finding.message == "interstitial 'pod': its assets last 12.0s, its tag announces 30.0s")
        #expect(session.snapshot().interstitials.first?.findings.map(\.rule) == ["L65"])
    }

    /// Nothing is claimed of assets that are not there.
    @Test func anEmptyListHasNoAssets() throws {
        let pod = FakeInterstitial(id: "pod", start: 80_000, assets: [], attributes: ",PLANNED-DURATION=30")
        var session = try MonitorHarness(.playing([pod]))
        session.start()
        session.run(untilEdge: 130_000)
        let finding = try #require(session.snapshot().findings.first { $0.finding.rule == "L65" })
        #expect(finding.finding.message == "interstitial 'pod': it has no assets, its tag announces 30.0s")
    }

    /// Recordings from before the setting existed replay without playing interstitials.
    @Test func oldRecordingsPlayNoInterstitials() throws {
        let session = try MonitorHarness(.playing([Self.pod]))
        let header = RecordingFormat.header(session.state.configuration)
        #expect(try RecordingFormat.readHeader(Array(header.utf8)).playsInterstitials)
        let old = header.replacing("\"playsInterstitials\":true,", with: "")
        #expect(old != header)
        #expect(try RecordingFormat.readHeader(Array(old.utf8)).playsInterstitials == false)
    }

    // MARK: Metadata about interstitials

    private static let silent = FakeInterstitial(id: "pod", start: 80_000, assets: [12_000, 8_000], isSignaled: false)
    private static let told = FakeOrigin.Break(
        id: "b",
        ads: [
            .init("x", start: 80_000, duration: 12_000, isUserDriven: true), .init("y", start: 92_000, duration: 8_000),
        ])

    /// Some servers describe interstitials in the metadata, by the dates that a viewer is shown.
    @Test func metadataDescribesAnInterstitialWithoutSignaling() throws {
        var session = try MonitorHarness(.playing([Self.silent], breaks: [Self.told]))
        session.start()
        while session.snapshot().playhead.state != .interstitial { session.run(for: .milliseconds(500)) }
        session.run(for: .seconds(3))
        session.submit(.toggled(.mute))
        session.run(for: .milliseconds(100))
        #expect(session.urls.last == FakeOrigin.beacon("x", "mute"))
        let onAir = session.snapshot().breaks.flatMap(\.ads).filter(\.isOnAir).map(\.name)
        #expect(onAir == ["x"])
        session.run(untilEdge: 160_000)
        #expect(session.urls.filter { !$0.hasSuffix("mute") }.sorted() == FakeOrigin(breaks: [Self.told]).plan)
    }

    /// An inserted interstitial does not affect the breaks at its dates: the stream shows them afterwards.
    @Test func metadataAtTheDatesOfAnInsertedInterstitialBelongsToTheStream() throws {
        var inserted = Self.silent
        inserted.attributes = ",X-RESUME-OFFSET=0"
        var session = try MonitorHarness(.playing([inserted], breaks: [Self.told]))
        session.start()
        session.run(untilEdge: 180_000)
        let begins = try #require(session.receipts.first { $0.url == FakeOrigin.beacon("x", "start") }?.at)
        let back = try #require(session.snapshot().interstitials.first?.stoppedAt)
        #expect(begins.wall >= back)
        #expect(session.urls.sorted() == FakeOrigin(breaks: [Self.told]).plan)
    }

    /// Its list failed, so the stream's own content is shown.
    @Test func metadataBelongsToTheStreamWhenTheListFails() throws {
        var session = try MonitorHarness(
            .playing([Self.silent], breaks: [Self.told]) { request, _, _ in
                request.url.path.hasPrefix("/list/") ? FakeOrigin.status(404, request) : nil
            })
        session.start()
        session.run(untilEdge: 180_000)
        #expect(session.urls.sorted() == FakeOrigin(breaks: [Self.told]).plan)
    }
}
