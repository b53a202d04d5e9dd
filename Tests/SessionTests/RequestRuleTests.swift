import Ports
import Session
import TestSupport
import Testing

/// What every request of a session carries to the edge: where it may go, how long its answer may be, and how long it may take.
@Suite struct RequestRuleTests {
    private static let feeds: [FetchPurpose] = [
        .sessionInit, .multivariant, .mediaPlaylist, .metadata, .steering, .assetList, .asset,
    ]

    /// A stream with a session, content steering, an interstitial with a list and one with a lone asset.
    private static var origin: FakeOrigin {
        var origin = FakeOrigin.playing([InterstitialTests.pod]) { request, _, _ in
            if request.url.path == "/steer" {
                let manifest = #"{"VERSION":1,"TTL":10,"PATHWAY-PRIORITY":["A"]}"#
                return FakeOrigin.text(manifest, type: "application/json", of: request)
            }
            guard request.url.path == "/s/index.m3u8" else { return nil }
            return FakeOrigin.text(
                "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"http://127.0.0.1/steer\",PATHWAY-ID=\"A\"\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=2400000,PATHWAY-ID=\"A\"\nhigh.m3u8\n",
                type: "application/vnd.apple.mpegurl", of: request)
        }
        origin.tags.append(
            "#EXT-X-DATERANGE:ID=\"one\",CLASS=\"com.apple.hls.interstitial\","
                + "START-DATE=\"\((FakeOrigin.start + .seconds(110)).iso8601)\","
                + "X-ASSET-URI=\"http://10.0.0.9/asset/one.m3u8\"")
        return origin
    }

    private static func session(_ configuration: MonitorConfiguration) throws -> MonitorHarness {
        var session = try MonitorHarness(origin) { $0 = configuration }
        session.start()
        session.run(untilEdge: 150_000)
        return session
    }

    /// Whatever a public stream names is judged at the edge; only the host that was typed may have any address.
    @Test(arguments: [false, true]) func everyFeedOfAPublicStreamCarriesTheAddressRule(allowsPrivate: Bool) throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live/index.m3u8"))
        configuration.sending.allowsPrivate = allowsPrivate
        let session = try Self.session(configuration)
        for purpose in Self.feeds {
            let requests = session.requests(for: purpose)
            #expect(!requests.isEmpty, "\(purpose)")
            for request in requests {
                #expect(request.addressRule == (allowsPrivate ? .anywhere : .publicOnly), "\(purpose)")
                #expect(request.trustedHost == "cdn.example", "\(purpose)")
            }
        }
    }

    /// The figures of docs/security.md.
    /// Whatever is asked for: a redirect of it does not report an ad.
    @Test func noFeedIsRedirectedToAReport() throws {
        let session = try Self.session(MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8")))
        let segment = try WebURL("https://tv.example/v1/segment/9f8e7d6c5b4a3928/cfg/s/0/1")
        let ping = try WebURL("https://content.uplynk.com/session/ping/a.json")
        let playlist = try WebURL("https://tv.example/v1/manifest/9f8e7d6c5b4a3928/cfg/s/0.m3u8")
        for purpose in Self.feeds {
            let requests = session.requests(for: purpose)
            #expect(!requests.isEmpty, "\(purpose)")
            for request in requests {
                let rule = request.redirectRule
                #expect(rule.failure(from: request.url, to: segment)?.kind == .redirectToReport, "\(purpose)")
                #expect(rule.failure(from: request.url, to: ping)?.kind == .redirectToReport, "\(purpose)")
                #expect(rule.failure(from: request.url, to: playlist) == nil, "\(purpose)")
            }
        }
    }

    @Test func everyRequestHasItsLimits() throws {
        let session = try Self.session(MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8")))
        for purpose in Self.feeds {
            let bytes =
                switch purpose {
                case .metadata: 16 << 20
                case .assetList, .steering: 1 << 20
                default: 8 << 20
                }
            let isOfInterstitial = [.assetList, .asset].contains(purpose)
            let requests = session.requests(for: purpose)
            #expect(!requests.isEmpty, "\(purpose)")
            for request in requests {
                #expect(request.maximumBodyBytes == bytes && !request.cutsLongBody, "\(purpose)")
                #expect(request.totalTimeout <= (isOfInterstitial ? .seconds(30) : .seconds(10)), "\(purpose)")
                #expect(request.connectTimeout == .seconds(5), "\(purpose)")
            }
        }
        #expect(!session.beaconRequests.isEmpty)
        for request in session.beaconRequests {
            #expect(request.maximumBodyBytes == 64 << 10 && request.cutsLongBody)
            #expect(request.totalTimeout == .seconds(5) && request.connectTimeout == .seconds(5))
        }
    }

    @Test func everyAdRequestHasItsLimits() throws {
        var session = try MonitorHarness(DecisionTests.server(DecisionTests.pod))
        session.start()
        session.run(for: .seconds(30))
        let requests = session.requests(for: .adDecision)
        #expect(!requests.isEmpty)
        for request in requests {
            #expect(request.maximumBodyBytes == 8 << 20 && !request.cutsLongBody)
            #expect(request.totalTimeout <= .seconds(5) && request.connectTimeout <= .seconds(5))
        }
    }
}
