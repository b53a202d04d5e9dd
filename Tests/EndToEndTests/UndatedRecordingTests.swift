import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// A recorded programme whose playlist has no dates, and metadata that counts from its start (HLS-15): every beacon reaches the
/// collector once.
@Suite struct UndatedRecordingTests {
    private static let events: [(name: String, ms: Int)] = [
        ("impression", 1_000), ("start", 1_000), ("firstQuartile", 1_500), ("midpoint", 2_000),
        ("thirdQuartile", 2_500),
        ("complete", 3_000),
    ]
    private static let playlist =
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + (0..<5).map { "#EXTINF:1,\ns\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
    private static let account = "0123456789abcdef0123456789abcdef01234567"

    /// A service, and how it lists the one ad.
    enum Service: String, Sendable, CaseIterable {
        case harmonic, mediatailor

        var path: String {
            self == .harmonic ? "/vod.m3u8" : "/v1/session/\(UndatedRecordingTests.account)/cfg/vod.m3u8"
        }

        func metadata(_ host: String) -> String {
            let events = UndatedRecordingTests.events.map { event in
                let url = "http://\(host)/beacon?e=\(event.name)"
                return self == .harmonic
                    ? #"{"event":"\#(event.name)","startTime":\#(event.ms),"duration":0,"signalingUrls":["\#(url)"]}"#
                    : #"{"eventType":"\#(event.name)","startTimeInSeconds":\#(Double(event.ms) / 1_000),"beaconUrls":["\#(url)"]}"#
            }.joined(separator: ",")
            return self == .harmonic
                ? #"{"dataRange":{"start":0,"end":5000},"adBreaks":[{"id":"b","startTime":1000,"duration":2000,"#
                    + #""ads":[{"id":"a","startTime":1000,"duration":2000,"trackingEvents":[\#(events)]}]}]}"#
                : #"{"avails":[{"availId":"b","startTimeInSeconds":1,"durationInSeconds":2,"#
                    + #""ads":[{"adId":"a","startTimeInSeconds":1,"durationInSeconds":2,"trackingEvents":[\#(events)]}]}]}"#
        }
    }

    /// Names of the events whose beacons arrived.
    private static func beacons(_ requests: [ScriptedServer.Request]) -> [String] {
        requests.compactMap { $0.line.contains("/beacon") ? $0.line.split(separator: "=").last.map(String.init) : nil }
    }

    @Test(arguments: Service.allCases) func everyBeaconArrivesOnce(_ service: Service) async throws {
        let server = try await ScriptedServer { request in
            let target = request.line.split(separator: " ").last.map(String.init) ?? ""
            let host =
                request.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
            if target.hasPrefix("/beacon") { return [.answer("204 No Content")] }
            if target.contains("initSession") || target.contains("/v1/session/") {
                let body = #"{"manifestUrl":"/media.m3u8?sessid=1","trackingUrl":"/metadata?sessid=1"}"#
                return [.answer("200 OK", ["Content-Type: application/json"], body: body)]
            }
            if target.hasPrefix("/metadata") {
                return [.answer("200 OK", ["Content-Type: application/json"], body: service.metadata(String(host)))]
            }
            return [.answer("200 OK", ["Content-Type: application/vnd.apple.mpegurl"], body: Self.playlist)]
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild(
            [server.url(service.path), "--provider", service.rawValue, "--poll", "500ms", "--dump", "--format", "json"]
                + ["--for", "150s"], state: state.path)
        try await server.wait(for: "the end of the ad") { Self.beacons($0).contains("complete") }
        let run = try await program.interrupt()
        let document = DumpedSession(json: try run.json())
        try await server.stop()
        #expect(Self.beacons(server.requests).sorted() == Self.events.map(\.name).sorted(), "\(document.log)")
        #expect(!document.findings.contains("L46"))
    }
}
