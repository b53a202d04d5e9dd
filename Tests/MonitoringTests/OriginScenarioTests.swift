import AdTracking
import DemoOrigin
import HLS
import Monitoring
import Ports
import Synchronization
import Testing

/// The real monitor on the scenarios of the embedded origin, in process and on a virtual clock.
@Suite struct OriginScenarioTests {
    /// The origin as something that answers the harness.
    private final class Answering: Sendable {
        private struct Served {
            let responder: OriginResponder
            var state = OriginState()
        }

        private let served: Mutex<Served>
        let stream: LiveStream

        init(_ name: String) throws {
            let scenario = try #require(try BuiltinScenarios.load(name)).scenario
            let responder = OriginResponder(
                scenario: scenario, seed: 1, startMs: Int(FakeOrigin.start.milliseconds), authority: "127.0.0.1:8080")
            stream = responder.stream
            served = Mutex(Served(responder: responder))
        }

        var receipts: [Receipt] { served.withLock { $0.state.receipts.receipts } }

        func answer(_ target: String, method: String = "GET", atMs: Int) -> OriginResponse {
            served.withLock {
                $0.responder.respond(
                    to: OriginRequest(method: method, target: target, headers: [("Host", "127.0.0.1:8080")]), at: atMs,
                    state: &$0.state)
            }
        }

        func reply(to request: HTTPRequest, at now: Moment) -> FakeOrigin.Reply {
            let target = request.url.path + (request.url.query.map { "?\($0)" } ?? "")
            let method = request.method == .post ? "POST" : "GET"
            let response = answer(target, method: method, atMs: Int(now.wall.milliseconds))
            let fields = response.headers.map { HTTPField($0.name.rawValue, $0.value) }
            let delay = Duration.milliseconds(20 + response.delayMs)
            return FakeOrigin.Reply(
                exchange: HTTPExchange(
                    hops: [.init(url: request.url.text, status: response.status, fields: fields)], body: response.body,
                    timings: .init(total: delay.inMicroseconds)),
                delay: delay)
        }
    }

    private func session(_ name: String, for span: Duration) throws -> (Answering, MonitorHarness) {
        let origin = try Answering(name)
        var fake = FakeOrigin()
        fake.override = { request, now, _ in origin.reply(to: request, at: now) }
        let url = try WebURL(FakeOrigin.base + OriginResponder.masterPath)
        var session = try MonitorHarness(fake, joinAt: 0) { $0.mediaURL = url }
        session.start()
        session.run(for: span)
        return (origin, session)
    }

    /// Receipts are the plan of what was played, each once.
    @Test(arguments: ["vod", "dateranges-scte35", "stale-playlist", "pdt-jumps", "low-latency"])
    func receiptsEqualThePlan(name: String) throws {
        var (origin, session) = try session(name, for: .seconds(200))
        let receipts = origin.receipts
        let sessid = try #require(receipts.first).session
        #expect(receipts.allSatisfy { !$0.isDuplicate && $0.status.map { $0 < 300 } == true })
        let reached = Int(try #require(session.snapshot().playhead.date).milliseconds)
        let planned = origin.stream.plan(
            session: sessid, fromMs: Int(FakeOrigin.start.milliseconds) - 400_000, toMs: reached - 500, joins: false)
        // What the viewer played begins with the first beacon it sent.
        let first = try #require(planned.firstIndex { $0.target == receipts[0].target })
        let due = Set(planned[first...].map(\.target))
        #expect(due.count > 20)
        #expect(due.subtracting(receipts.map(\.target)) == [])
        let later = origin.stream.plan(session: sessid, fromMs: reached - 500, toMs: reached + 500, joins: false)
        #expect(Set(receipts.map(\.target)).subtracting(due).isSubset(of: Set(later.map(\.target))))
    }

    @Test func markersAloneAreBreaksWithoutBeacons() throws {
        var (origin, session) = try session("plain-cues", for: .seconds(230))
        let snapshot = session.snapshot()
        #expect(origin.receipts.isEmpty)
        #expect(snapshot.breaks.count >= 7)
        #expect(snapshot.breaks.allSatisfy { $0.source == "marker" })
        #expect(snapshot.errors.isEmpty)
    }

    /// True of a window that begins inside a break, and of a dialect that has no tag for the end.
    private static let expectedRules: Set<String> = ["cue-in-without-out", "cue-out-nested"]

    /// Our reader finds nothing wrong with what the origin writes by hand, at any moment.
    @Test(arguments: BuiltinScenarios.names) func everyPlaylistReadsClean(name: String) throws {
        let origin = try Answering(name)
        let start = Int(FakeOrigin.start.milliseconds)
        for step in 0..<80 {
            for target in ["index.m3u8", "01.m3u8"] {
                let path = "/variant/v1/hls/\(target)"
                var answer = origin.answer(path, atMs: start + step * 3_700)
                if let location = answer.headers.first(where: { $0.name == .location })?.value {
                    answer = origin.answer(location, atMs: start + step * 3_700)
                }
                let parsed = PlaylistParser.parse(answer.body, uri: FakeOrigin.base + path)
                let bad = parsed.findings.filter { $0.severity != .info && !Self.expectedRules.contains($0.rule) }
                #expect(bad.isEmpty, "\(name) \(target) at \(step): \(bad.map { "\($0.rule) \($0.message)" })")
            }
        }
    }
}
