import CreativeCache
import CreativeServer
import Ports
import Session
import TestSupport
import Testing

@testable import adtop

/// The contract of `ZoneKeeper`, with the zone store of the program.
@Suite struct SessionZonesTests {
    private struct Answers: HTTPTransport {
        var body: [UInt8]
        var type: String
        var status = 200

        func send(_ request: HTTPRequest) async -> HTTPExchange {
            HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: [HTTPField("Content-Type", type)])],
                body: body, timings: .init(total: 1_500_000))
        }
    }

    private struct Clock: TimeSource {
        var wall: UnixTime

        func now() -> Moment { Moment(wall: wall, uptime: .seconds(1)) }
        func sleep(untilUptime uptime: Duration) async throws(CancellationError) {}
    }

    private let folder: TemporaryFolder
    private static let start = UnixTime(milliseconds: 1_800_000_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func zones(_ answers: Answers, at wall: UnixTime = start) throws -> SessionZones {
        SessionZones(
            store: ZoneStore(folder: try PlainFolder(making: folder.file("zones"))), transport: answers,
            time: Clock(wall: wall))
    }

    private func order(_ url: String = "http://127.0.0.1/mid.mp4") -> ZoneOrder {
        ZoneOrder(
            number: 1, unit: "zone-1", sourceURL: "http://127.0.0.1/zone", response: Array("<VAST/>".utf8),
            rendition: Rendition(url: url, type: "video/mp4", delivery: "progressive"), quality: .mid)
    }

    @Test func whatWasLoadedIsFoundForItsHour() async throws {
        let video = Answers(body: Array("0123".utf8), type: "video/mp4")
        #expect(try await zones(video).look(up: "zone-1").kept == nil)
        let delivery = try await zones(video).load(order())
        guard case .loaded(let kept, problem: nil) = delivery.outcome else {
            Issue.record("\(delivery)")
            return
        }
        #expect(kept.beginning == Array("0123".utf8) && kept.record.measurement.seconds == 1.5)
        #expect(delivery.rows.map(\.zone) == ["zone-1"])
        let found = try await zones(video, at: Self.start + .seconds(3_599)).look(up: "zone-1")
        #expect(found.kept == kept && found.history == kept.record.measurement && found.rows.count == 1)
        let over = try await zones(video, at: Self.start + .seconds(3_600)).look(up: "zone-1")
        #expect(over.kept == nil && over.rows.isEmpty)
    }

    @Test(arguments: [
        (200, "text/html", 405, "not a video"), (404, "video/mp4", 401, "answered 404"),
    ])
    func whatIsNoVideoSaysWhy(status: Int, type: String, code: Int, words: String) async throws {
        let delivery = try await zones(Answers(body: [1], type: type, status: status)).load(order())
        guard case .failed(code, let why) = delivery.outcome else {
            Issue.record("\(delivery)")
            return
        }
        #expect(why.contains(words))
        #expect(try await zones(Answers(body: [], type: "")).look(up: "zone-1").kept == nil)
    }
}
