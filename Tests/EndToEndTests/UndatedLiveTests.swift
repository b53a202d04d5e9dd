import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// A live stream of MediaTailor without dates, whose tracking data is on one page only: its seconds have a place in the playlists
/// (HLS-15), and every beacon reaches the collector once, that of the end of the break too (PRV-25).
@Suite struct UndatedLiveTests {
    private static let account = "0123456789abcdef0123456789abcdef01234567"
    private static let events = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// Segments of a second, of which the first playlist has thirty.
    private static func playlist(at seconds: Int) -> String {
        let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(seconds)\n"
        return head + (seconds..<seconds + 30).map { "#EXTINF:1,\ns\($0).ts\n" }.joined()
    }

    /// An ad of two seconds, five seconds behind the first edge.
    private static func avails(_ host: String) -> String {
        func url(_ name: String) -> String { "http://\(host)/beacon?e=\(name)" }
        let events = Self.events.enumerated().map { number, name in
            let at = 35 + 0.5 * Double(max(0, number - 1))
            return #"{"eventType":"\#(name)","startTimeInSeconds":\#(at),"beaconUrls":["\#(url(name))"]}"#
        }.joined(separator: ",")
        let ends = #"[{"eventType":"breakEnd","beaconUrls":["\#(url("breakEnd"))"]}]"#
        return #"{"nextToken":"t","avails":[{"availId":"b","startTimeInSeconds":35,"durationInSeconds":2,"#
            + #""adBreakTrackingEvents":\#(ends),"ads":[{"adId":"a","startTimeInSeconds":35,"durationInSeconds":2,"#
            + #""trackingEvents":[\#(events)]}]}]}"#
    }

    private static func beacons(_ requests: [ScriptedServer.Request]) -> [String] {
        requests.compactMap { $0.line.contains("/beacon") ? $0.line.split(separator: "=").last.map(String.init) : nil }
    }

    @Test func everyBeaconArrivesOnce() async throws {
        let start = Date()
        let server = try await ScriptedServer { request in
            let target = request.line.split(separator: " ").last.map(String.init) ?? ""
            let host =
                request.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
            func json(_ body: String) -> [ScriptedServer.Step] {
                [.answer("200 OK", ["Content-Type: application/json"], body: body)]
            }
            if target.hasPrefix("/beacon") { return [.answer("204 No Content")] }
            if target.contains("/v1/session/") {
                return json(#"{"manifestUrl":"/media.m3u8?s=1","trackingUrl":"/tracking?s=1"}"#)
            }
            if target.hasPrefix("/tracking") {
                let isNext = request.body.contains("NextToken")
                return json(isNext ? #"{"avails":[],"nextToken":"t"}"# : Self.avails(String(host)))
            }
            let body = Self.playlist(at: Int(Date().timeIntervalSince(start)))
            return [.answer("200 OK", ["Content-Type: application/vnd.apple.mpegurl"], body: body)]
        }
        let state = try TemporaryFolder()
        let url = server.url("/v1/session/\(Self.account)/cfg/live.m3u8")
        let program = try AdtopChild(
            [url, "--provider", "mediatailor", "--dump", "--format", "json", "--for", "150s"], state: state.path)
        try await server.wait(for: "the end of the break") { Self.beacons($0).contains("breakEnd") }
        let run = try await program.interrupt()
        let document = DumpedSession(json: try run.json())
        try await server.stop()
        let expected = (Self.events + ["breakEnd"]).sorted()
        #expect(Self.beacons(server.requests).sorted() == expected, "\(document.log)")
        #expect(!document.findings.contains("L46") && !document.findings.contains("L36"))
    }
}
