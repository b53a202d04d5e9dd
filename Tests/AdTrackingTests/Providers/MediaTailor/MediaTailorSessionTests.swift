import Ports
import TestSupport
import Testing

@testable import AdTracking

/// Addresses, opening and reporting modes (PRV-14 to PRV-16).
@Suite struct MediaTailorSessionTests {
    private static let place = "0123456789abcdef/channel"

    private func opening(_ target: String) throws -> MediaTailorOpening {
        MediaTailorOpening(mediaURL: try WebURL("https://v.example\(target)"))
    }

    @Test(arguments: [
        ("/v1/session/\(place)/a.m3u8", "init"), ("/v1/master/\(place)/a.m3u8", "multivariant"),
        ("/x/v1/manifest/\(place)/s/0.m3u8", "media"), ("/v1/tracking/\(place)/s", "tracking"),
        ("/v1/segment/\(place)/s/0/1", "segment"), ("/a.m3u8?aws.logMode=DEBUG", "unknown"),
        ("/v1/session/\(place)", nil), ("/v1/session/0123/channel/a.m3u8", nil), ("/v1/master/nothexadecimal/c/a", nil),
        ("/v2/session/\(place)/a.m3u8", nil), ("/v1/live/\(place)/a.m3u8", nil), ("/", nil), ("/v1", nil),
    ])
    func rolesOfAddresses(target: String, role: String?) throws {
        #expect(MediaTailorAddress(try WebURL("https://v.example\(target)"))?.role.rawValue == role)
    }

    @Test func theHostAloneIsEnough() throws {
        let url = try WebURL("https://a1.mediatailor.eu-west-1.amazonaws.com/x.m3u8")
        #expect(MediaTailorAddress(url)?.role == .unknown)
        #expect(MediaTailorAddress(try WebURL("https://mediatailor.example/x.m3u8")) == nil)
    }

    @Test func anExplicitSessionIsAskedForByPostThenByGet() throws {
        var opening = try opening("/v1/session/\(Self.place)/a.m3u8")
        guard case .request(let first) = opening.open() else { return #expect(Bool(false), "no request") }
        #expect(first.method == .post && String(decoding: first.body, as: UTF8.self) == #"{"reportingMode":"client"}"#)
        guard case .request(let second) = opening.answered(.answer(405)) else {
            return #expect(Bool(false), "no second request")
        }
        #expect(second.method == .get)
        let step = opening.answered(
            .answer(
                200,
                #"{"manifest":"/v1/master/\#(Self.place)/a.m3u8?aws.sessionId=s","tracking":"/v1/tracking/\#(Self.place)/s"}"#,
                url: second.url.text))
        guard case .opened(let addresses) = step else { return #expect(Bool(false), "\(step)") }
        #expect(addresses.path == .get && addresses.sessionID == "s" && addresses.isRecognised)
        #expect(addresses.metadataURL?.text == "https://v.example/v1/tracking/\(Self.place)/s")
    }

    /// The service reads parameters of a GET in the address, those of a POST in the body.
    @Test func parametersOfTheAddressAreInTheBody() throws {
        let query = "ads.genre=a%20b&manifestParams.t=1&ads.n&token=9&aws.reportingMode=server"
        var opening = try opening("/v1/session/\(Self.place)/a.m3u8?\(query)")
        guard case .request(let first) = opening.open() else { return #expect(Bool(false), "no request") }
        #expect(
            String(decoding: first.body, as: UTF8.self)
                == #"{"reportingMode":"server","adsParams":{"genre":"a b","n":""},"manifestParams":{"t":"1"}}"#)
        #expect(first.url.query == query)
    }

    /// It selects prefetch schedules; the mode of prefetching stays in the address, where the service reads it.
    @Test func theStreamIsInTheBodyAndPrefetchingInTheAddress() throws {
        let query = "aws.streamId=news%201&aws.insertionMode=GUIDED&aws.guidedPrefetchMode=MANIFEST"
        var opening = try opening("/v1/session/\(Self.place)/a.m3u8?\(query)")
        guard case .request(let first) = opening.open() else { return #expect(Bool(false), "no request") }
        #expect(
            String(decoding: first.body, as: UTF8.self)
                == #"{"reportingMode":"client","insertionMode":"GUIDED","streamId":"news 1"}"#)
        #expect(first.url.query == query)
        #expect(opening.prefetch == ProviderStatus.Prefetch(stream: "news 1", mode: "MANIFEST"))
        var empty = try self.opening("/v1/session/\(Self.place)/a.m3u8?aws.streamId=")
        guard case .request(let bare) = empty.open() else { return #expect(Bool(false), "no request") }
        #expect(String(decoding: bare.body, as: UTF8.self) == #"{"reportingMode":"client"}"#)
        #expect(empty.prefetch == nil)
    }

    @Test func eachFailedStepIsNamed() throws {
        var opening = try opening("/v1/session/\(Self.place)/a.m3u8")
        _ = opening.open()
        _ = opening.answered(.answer(200, "<html>"))
        guard case .failed(let failure) = opening.answered(.answer(200, "{}")) else { return #expect(Bool(false)) }
        #expect(failure.steps.map(\.name) == ["POST session", "GET session"])
        #expect(failure.steps.map(\.problem) == ["is HTML instead of JSON", "has no manifestUrl"])
    }

    /// Another request of the manifest without the session would start another one.
    @Test func anImplicitSessionIsKeptInTheManifest() throws {
        var opening = try opening("/v1/master/\(Self.place)/a.m3u8?aws.reportingMode=CLIENT")
        guard case .request(let request) = opening.open() else { return #expect(Bool(false)) }
        let playlist = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../../../manifest/\(Self.place)/s-7/0.m3u8\n"
        guard case .opened(let addresses) = opening.answered(.answer(200, playlist, url: request.url.text)) else {
            return #expect(Bool(false))
        }
        #expect(addresses.manifestURL.text.hasSuffix("/a.m3u8?aws.reportingMode=CLIENT&aws.sessionId=s-7"))
        #expect(addresses.metadataURL?.text == "https://v.example/v1/tracking/\(Self.place)/s-7")
        #expect(opening.session?.mode == .client)
    }

    @Test func withoutTheClientModeTheServiceReports() throws {
        var opening = try opening("/v1/master/\(Self.place)/a.m3u8")
        guard case .request(let request) = opening.open() else { return #expect(Bool(false)) }
        let playlist = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../../../manifest/\(Self.place)/s-7/0.m3u8\n"
        guard case .opened(let addresses) = opening.answered(.answer(200, playlist, url: request.url.text)) else {
            return #expect(Bool(false))
        }
        #expect(addresses.metadataURL == nil && opening.session?.mode == .server)
    }

    /// The asset lists have the tracking data, whether or not the answer names an address for it (PRV-26).
    @Test(arguments: ["GUIDED", "guided"]) func aGuidedSessionHasNoAddressOfTrackingData(word: String) throws {
        var explicit = try opening("/v1/session/\(Self.place)/a.m3u8?aws.insertionMode=\(word)")
        guard case .request(let first) = explicit.open() else { return #expect(Bool(false)) }
        #expect(String(decoding: first.body, as: UTF8.self) == #"{"reportingMode":"client","insertionMode":"GUIDED"}"#)
        let answer =
            #"{"manifestUrl":"/v1/master/\#(Self.place)/a.m3u8","trackingUrl":"/v1/tracking/\#(Self.place)/s"}"#
        guard case .opened(let addresses) = explicit.answered(.answer(200, answer, url: first.url.text)) else {
            return #expect(Bool(false))
        }
        #expect(addresses.metadataURL == nil && addresses.sessionID == "s" && explicit.session?.mode == .client)

        var implicit = try opening(
            "/v1/master/\(Self.place)/a.m3u8?aws.reportingMode=client&aws.insertionMode=\(word)")
        guard case .request(let request) = implicit.open() else { return #expect(Bool(false)) }
        let playlist = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../../../manifest/\(Self.place)/s-7/0.m3u8\n"
        guard case .opened(let master) = implicit.answered(.answer(200, playlist, url: request.url.text)) else {
            return #expect(Bool(false))
        }
        #expect(master.metadataURL == nil && master.sessionID == "s-7" && implicit.session?.mode == .client)
    }

    @Test func anotherInsertionModeIsPolled() throws {
        var opening = try opening("/v1/manifest/\(Self.place)/s/0.m3u8?aws.insertionMode=STITCHED")
        guard case .opened(let addresses) = opening.open() else { return #expect(Bool(false)) }
        #expect(addresses.metadataURL != nil)
    }

    /// The request of an ad segment is its report.
    @Test(arguments: ["segment", "tracking"]) func whatIsNoStreamIsNotRequested(role: String) throws {
        var opening = try opening("/v1/\(role)/\(Self.place)/s/0/1")
        guard case .failed(let failure) = opening.open() else { return #expect(Bool(false)) }
        #expect(failure.explanation.contains("give that of the playlist"))
    }

    @Test func aRunningSessionNeedsNoRequest() throws {
        var opening = try opening("/v1/manifest/\(Self.place)/s/0.m3u8")
        guard case .opened(let addresses) = opening.open() else { return #expect(Bool(false)) }
        #expect(addresses.metadataURL?.text == "https://v.example/v1/tracking/\(Self.place)/s")
    }

    @Test func inAHybridSessionTheServiceReportsEightTypes() {
        let own = EventType.allCases.filter { MediaTailorMode.hybrid.isReportedByService($0) }
        #expect(
            Set(own) == [
                .impression, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .breakStart, .breakEnd,
            ])
        #expect(!MediaTailorMode.hybrid.isReportedByService(.start, ofLinearAd: false))
        #expect(MediaTailorMode.hybrid.isReportedByService(.start, ofLinearAd: true))
        #expect(MediaTailorMode.server.isReportedByService(.mute, ofLinearAd: false))
    }
}
