import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Sessions of MediaTailor with guided insertion: breaks are interstitials, and their asset lists have the tracking data (PRV-26).
@Suite struct GuidedInsertionTests {
    private static let account = "9f8e7d6c5b4a3928"
    /// Replaces 20 s of the stream with two ads, without signaling of its own.
    private static let pod = FakeInterstitial(
        id: "pod", start: 80_000, assets: [12_000, 8_000], attributes: ",X-RESUME-OFFSET=20", isSignaled: false)

    /// Tracking data of both ads; its seconds count from no known moment.
    private static var tracking: String { tracking(members: "") }

    /// - Parameter members: more of the break, each with a comma behind it.
    private static func tracking(members: String) -> String {
        var start = 1_000.0
        let ads = pod.assets.enumerated().map { index, length in
            let seconds = Double(length) / 1_000
            defer { start += seconds }
            let places = [0, 0, 0.25, 0.5, 0.75, 1]
            let events = zip(FakeInterstitial.timed, places).map { name, place in
                #"{"eventType":"\#(name)","startTimeInSeconds":\#(start + seconds * place),"#
                    + #""durationInSeconds":0,"beaconUrls":["\#(pod.beacon(index, name))"]}"#
            }
            return #"{"adId":"pod-\#(index)","startTimeInSeconds":\#(start),"durationInSeconds":\#(seconds),"#
                + #""trackingEvents":[\#(events.joined(separator: ","))]}"#
        }
        return #"{"avails":[{"availId":"v1","startTimeInSeconds":1000,"durationInSeconds":20,\#(members)"#
            + #""ads":[\#(ads.joined(separator: ","))]}]}"#
    }

    /// - Parameter namesTracking: whether the answer names an address of tracking data nevertheless.
    private static func session(
        mode: ReportingMode, tracking: String, namesTracking: Bool = false, query: String = ""
    ) throws -> MonitorHarness {
        let list = String(pod.list.dropLast()) + #","TRACKING":\#(tracking)}"#
        let origin = FakeOrigin.playing([pod]) { request, _, _ in
            switch request.url.path {
            case "/list/pod.json": FakeOrigin.text(list, type: "application/json", of: request)
            case let path where path.contains("/v1/session/"):
                FakeOrigin.text(
                    #"{"manifestUrl":"/s/index.m3u8"\#(namesTracking ? #","trackingUrl":"/v1/tracking/x/cfg/s""# : "")}"#,
                    type: "application/json", of: request)
            default: nil
            }
        }
        let url = try WebURL("\(FakeOrigin.base)/v1/session/\(account)/cfg/index.m3u8?aws.insertionMode=GUIDED\(query)")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.mode = mode
        }
        session.start()
        session.run(untilEdge: 150_000)
        return session
    }

    /// One document, or a list of one.
    @Test(arguments: [false, true]) func eachBeaconIsSentOnceWhileTheInterstitialPlays(inList: Bool) throws {
        var session = try Self.session(mode: .fire, tracking: inList ? "[\(Self.tracking)]" : Self.tracking)
        #expect(session.urls.sorted() == Self.pod.plan)
        let began = try #require(session.receipts.first { $0.url == Self.pod.beacon(0, "start") }?.at.uptime)
        let second = try #require(session.receipts.first { $0.url == Self.pod.beacon(1, "complete") }?.at.uptime)
        #expect((second - began - .seconds(20)).magnitude < .milliseconds(100))
        let snapshot = session.snapshot()
        #expect(snapshot.session.provider == "mediatailor" && snapshot.session.metadataURL == nil)
        #expect(snapshot.breaks.flatMap(\.ads).flatMap(\.events).allSatisfy { $0.state == .done })
    }

    /// The list comes once: the end of the break waits for no later one, whatever the marker promised.
    @Test(arguments: ["", #""adMarkerDuration":30,"#, #""adMarkerDuration":"PT20S","#])
    func theEndOfTheBreakIsSentWhereItsAdsEnd(marker: String) throws {
        let events = ["breakStart", "breakEnd"].map { name in
            #"{"eventType":"\#(name)","beaconUrls":["\#(FakeOrigin.beacon("pod", name))"]}"#
        }
        let members = marker + #""adBreakTrackingEvents":[\#(events.joined(separator: ","))],"#
        let session = try Self.session(mode: .fire, tracking: Self.tracking(members: members))
        let ends = ["breakEnd", "breakStart"].map { FakeOrigin.beacon("pod", $0) }
        #expect(session.urls.sorted() == (Self.pod.plan + ends).sorted())
        let began = try #require(session.receipts.first { $0.url == ends[1] }?.at.uptime)
        let ended = try #require(session.receipts.first { $0.url == ends[0] }?.at.uptime)
        #expect((ended - began - .seconds(20)).magnitude < .milliseconds(100))
    }

    /// What a session asks for is shown; no answer lists which ads were prefetched, so each is tracked as any other.
    @Test func whatIsAskedForAboutPrefetchingIsShown() throws {
        let query = "&aws.streamId=news%201&aws.guidedPrefetchMode=MANIFEST"
        var session = try Self.session(mode: .fire, tracking: Self.tracking, query: query)
        #expect(session.urls.sorted() == Self.pod.plan)
        let json = SnapshotJSON().value(of: session.snapshot())["session"]
        #expect(json?["service"]?["prefetch"] == ["stream": "news 1", "mode": "MANIFEST"])
        #expect(json?["mediaUrl"]?.stringValue?.hasSuffix(query) == true)
    }

    /// The address of the tracking data is not used, even if the answer has one.
    @Test func theTrackingAddressIsNotPolled() throws {
        let session = try Self.session(mode: .fire, tracking: Self.tracking, namesTracking: true)
        #expect(session.requests(for: .metadata).isEmpty)
        #expect(session.urls.sorted() == Self.pod.plan)
    }

    @Test func nothingIsSentWhileOnlyObserving() throws {
        var session = try Self.session(mode: .observe, tracking: Self.tracking)
        #expect(session.urls == [])
        let states = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).map(\.state)
        #expect(states.count == 12 && states.allSatisfy { $0 == .observed })
    }

    /// The service reports: nothing is sent, even if an asset list has tracking data, and the session says so.
    @Test func whatTheServiceReportsIsNotSent() throws {
        var session = try Self.session(mode: .fire, tracking: Self.tracking, query: "&aws.reportingMode=server")
        #expect(session.urls == [] && session.requests(for: .metadata).isEmpty)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "P04" })
    }

    /// A section that is none leaves the interstitial as it is.
    @Test(arguments: ["null", "7", #"{"avails":7}"#, "[[]]", #"{"avails":[{"availId":"v"}]}"#])
    func anotherSectionIsHarmless(_ section: String) throws {
        var session = try Self.session(mode: .fire, tracking: section)
        #expect(session.urls == [])
        #expect(session.snapshot().interstitials.first?.assetCount == 2)
    }
}
