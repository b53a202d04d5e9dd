import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Sessions of Google DAI whose metadata is a page from the first answer on: each is replaced after three of them (TRK-32), and the media of
/// its successor carries the ids that were verified before.
@Suite struct RenewedVerificationTests {
    /// Each session has its own address of verifications.
    private static func opening(_ number: Int) -> String {
        #"{"stream_id":"S\#(number):ATL","stream_manifest":"/s/index.m3u8?sessid=S\#(number)","#
            + #""media_verification_url":"/verify/\#(number)/","metadata_url":"/ids","polling_frequency":4}"#
    }

    /// A segment of packed audio with an id at its start.
    private static func segment(_ number: Int64) -> [UInt8] {
        let content: [UInt8] = [3, 0] + Array("google_\(number)x".utf8)
        let frame = Array("TXXX".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame + [0xFF, 0xF1]
    }

    private static func origin(hasDates: Bool) -> FakeOrigin {
        var origin = FakeOrigin(hasDates: hasDates)
        origin.override = { request, _, count in
            let path = request.url.path
            if path.hasSuffix("/stream") {
                return FakeOrigin.text(opening(count + 1), type: "application/json", of: request, status: 201)
            }
            if path.hasSuffix("/ids") {
                return FakeOrigin.text("<html><body>Sign in</body></html>", type: "text/html", of: request)
            }
            if path.hasPrefix("/verify/") { return FakeOrigin.status(204, request) }
            guard let name = path.split(separator: "/").last, name.hasPrefix("seg"),
                let number = Int64(name.drop { !$0.isNumber }.prefix { $0.isNumber })
            else { return nil }
            let hop = HTTPExchange.Hop(
                url: request.url.text, status: 206, fields: [HTTPField("Content-Type", "video/mp2t")])
            return FakeOrigin.Reply(
                exchange: HTTPExchange(hops: [hop], body: segment(number), timings: .init(total: 20_000)))
        }
        return origin
    }

    /// Without dates the successor counts the same media from elsewhere, so that only the id shows that it is the same.
    @Test(arguments: [true, false]) func eachIDIsVerifiedAtMostOnce(hasDates: Bool) throws {
        let url = try WebURL("\(FakeOrigin.base)/linear/v1/hls/event/K/stream")
        var session = try MonitorHarness(Self.origin(hasDates: hasDates)) { configuration in
            configuration.mediaURL = url
            configuration.mode = .fire
        }
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.requested.count { $0.hasSuffix("/stream") } > 1)
        let names = session.requested.map { $0.split(separator: "/").last ?? "" }
        let again = names.indices.filter { index in
            names[index].hasPrefix("google_") && names[index...].contains("seg\(names[index].filter(\.isNumber)).ts")
        }
        #expect(!again.isEmpty, "a successor reads segments again whose ids were verified before")
        let ids = session.urls.compactMap { $0.split(separator: "/").last }
        #expect(ids.count > 5 && Set(ids).count == ids.count, "\(session.urls)")
    }
}
