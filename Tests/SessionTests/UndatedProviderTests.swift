import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Live streams without dates, of services that list seconds of the stream: their ads have a place all the same (HLS-15).
@Suite struct UndatedProviderTests {
    enum Service: CaseIterable {
        case vmap, uplynk, primetime

        var address: String {
            switch self {
            case .vmap: "/programme/vmap"
            case .uplynk: "/preplay/7.json?v=2&ad.sssb=1"
            case .primetime: "/live/index.m3u8?pttrackingmode=simple&pttrackingversion=v2"
            }
        }

        /// An ad of 8 s at second 40, where the address has the ads of the service.
        func ads(at url: WebURL) -> (text: String, type: String)? {
            let base = FakeOrigin.base
            switch self {
            case .vmap where url.path == "/programme/vmap":
                let text = """
                    <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" xmlns:uo="urn:uo" version="1.0">
                    <vmap:AdBreak breakId="b" breakType="linear" timeOffset="00:00:40"><vmap:AdSource><vmap:VASTAdData>
                    <VAST version="3.0"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
                    <Impression>\(base)/b?e=i</Impression><Creatives><Creative><Linear><Duration>00:00:08</Duration>
                    <TrackingEvents><Tracking event="midpoint">\(base)/b?e=m</Tracking></TrackingEvents></Linear></Creative>
                    </Creatives></InLine></Ad></VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
                    <vmap:Extensions><uo:unicornOnce contenturi="/live/index.m3u8"/></vmap:Extensions></vmap:VMAP>
                    """
                return (text, "text/xml")
            case .uplynk where url.path.hasPrefix("/preplay/"):
                let ad =
                    #"{"creative":"a","duration":8,"events":{"impressions":["\#(base)/b?e=i"],"#
                    + #""midpoints":["\#(base)/b?e=m"]}}"#
                return (
                    #"{"playURL":"/live/index.m3u8","sid":"S1","prefix":"/","ads":{"breaks":[{"type":"linear","#
                        + #""breakId":"b","timeOffset":40,"duration":8,"ads":[\#(ad)]}]}}"#, "application/json"
                )
            case .primetime where url.query?.contains("pttrackingposition") == true:
                let events =
                    #"[{"event":"Impression","url":"\#(base)/b?e=i","startTime":40},"#
                    + #"{"event":"midpoint","url":"\#(base)/b?e=m","startTime":44}]"#
                return (
                    #"{"pods":[{"id":"b","startTime":40,"duration":8,"ads":[{"id":"a","startTime":40,"duration":8,"#
                        + #""trackingUrls":\#(events)}]}]}"#, "application/json"
                )
            default: return nil
            }
        }
    }

    /// The first playlist, one minute after the beginning of the media, begins at second 28 of them: the ad is at 68 s, which is played
    /// 12 s later.
    @Test(arguments: Service.allCases) func adsOfTheStreamAreSent(of service: Service) throws {
        var origin = FakeOrigin(hasDates: false)
        origin.override = { request, _, _ in
            service.ads(at: request.url).map { FakeOrigin.text($0.text, type: $0.type, of: request) }
        }
        let url = try WebURL(FakeOrigin.base + service.address)
        var session = try MonitorHarness(origin) { $0.mediaURL = url }
        session.start()
        session.run(untilEdge: 120_000)
        #expect(session.urls == ["i", "m"].map { "\(FakeOrigin.base)/b?e=\($0)" })
        let times = session.receipts.map { ($0.at.wall - FakeOrigin.start).inSeconds }
        #expect(zip(times, [80.0, 84.0]).allSatisfy { abs($0 - $1) < 0.5 }, "\(times)")
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L46" })
    }
}
