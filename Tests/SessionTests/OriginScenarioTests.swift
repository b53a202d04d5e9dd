import AdTracking
import DemoOrigin
import HLS
import Ports
import Session
import Simulation
import TestSupport
import Testing

/// The real monitor on the scenarios of the embedded origin, in process and on a virtual clock.
@Suite struct OriginScenarioTests {
    /// A session that ran for some time, and the network with the origin's collector.
    private struct Run {
        var viewer: VirtualViewer
        var network: SimulatedNetwork
        var now = Moment(wall: FakeOrigin.start, uptime: .seconds(1_000))

        init(_ name: String, for span: Duration) throws {
            let scenario = try #require(try BuiltinScenarios.load(name)).scenario
            network = SimulatedNetwork(scenario, seed: 1, start: now, receiptCapacity: 10_000)
            viewer = VirtualViewer(
                MonitorConfiguration(mediaURL: try WebURL(SimulatedNetwork.base + OriginResponder.masterPath)))
            viewer.submit(.started, at: now, to: &network)
            let end = now.uptime + span
            while let next = viewer.next, next <= end {
                now = now.advanced(by: max(.zero, next - now.uptime))
                _ = viewer.step(at: now, on: &network)
            }
            now = now.advanced(by: max(.zero, end - now.uptime))
        }

        var stream: LiveStream { network.responder.stream }
        var receipts: [Receipt] { network.receipts }
        mutating func snapshot() -> Snapshot { viewer.snapshot(at: now) }
    }

    /// The receipts equal the plan of what was played, each beacon once.
    @Test(arguments: ["vod", "dateranges-scte35", "stale-playlist", "pdt-jumps", "low-latency"])
    func receiptsEqualThePlan(name: String) throws {
        var run = try Run(name, for: .seconds(200))
        let receipts = run.receipts
        let sessid = try #require(receipts.first).session
        #expect(receipts.allSatisfy { !$0.isDuplicate && $0.status.map { $0 < 300 } == true })
        let reached = Int(try #require(run.snapshot().playhead.date).milliseconds)
        let planned = run.stream.plan(
            session: sessid, fromMs: Int(FakeOrigin.start.milliseconds) - 400_000, toMs: reached - 500, joins: false)
        // The viewer's playback starts with the first beacon it sent.
        let first = try #require(planned.firstIndex { $0.target == receipts[0].target })
        let due = Set(planned[first...].map(\.target))
        #expect(due.count > 20)
        #expect(due.subtracting(receipts.map(\.target)) == [])
        let later = run.stream.plan(session: sessid, fromMs: reached - 500, toMs: reached + 500, joins: false)
        #expect(Set(receipts.map(\.target)).subtracting(due).isSubset(of: Set(later.map(\.target))))
    }

    /// Breaks known from the start and those that come later are numbered in the order of the stream.
    @Test(arguments: ["interstitials", "rush"]) func labelsFollowTheStream(name: String) throws {
        var run = try Run(name, for: .seconds(120))
        let breaks = run.snapshot().breaks.sorted { $0.start < $1.start }
        let numbers = breaks.compactMap { Int($0.label.dropFirst()) }
        #expect(numbers.count == breaks.count && numbers.count >= 4, "\(breaks.map(\.label))")
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(breaks.map(\.label))")
    }

    @Test func markersAloneAreBreaksWithoutBeacons() throws {
        var run = try Run("plain-cues", for: .seconds(230))
        let snapshot = run.snapshot()
        #expect(run.receipts.isEmpty)
        #expect(snapshot.breaks.count >= 7)
        #expect(snapshot.breaks.allSatisfy { $0.source == "marker" })
        #expect(snapshot.errors.latest == nil)
    }

    /// Breaks that end before the length they announce are what this scenario is about.
    private static let rulesBrokenOnPurpose: [String: Set<String>] = ["cut-pods": ["cue-out-duration-mismatch"]]

    /// Our reader finds no fault in the origin's hand-written playlists at any moment.
    @Test(arguments: BuiltinScenarios.names) func everyPlaylistReadsClean(name: String) throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        let start = Int(FakeOrigin.start.milliseconds)
        let origin = OriginResponder(scenario: scenario, seed: 1, startMs: start, authority: "127.0.0.1:8080")
        var state = OriginState()
        for step in 0..<80 {
            for target in ["index.m3u8", "01.m3u8"] {
                let path = "/variant/v1/hls/\(target)"
                let atMs = start + step * 3_700
                var answer = origin.respond(to: OriginRequest(target: path), at: atMs, state: &state)
                if let location = answer.headers.first(where: { $0.name == .location })?.value {
                    answer = origin.respond(to: OriginRequest(target: location), at: atMs, state: &state)
                }
                let parsed = PlaylistParser.parse(answer.body, uri: FakeOrigin.base + path)
                let expected = Self.rulesBrokenOnPurpose[name] ?? []
                let bad = parsed.findings.filter { $0.severity != .info && !expected.contains($0.rule) }
                #expect(bad.isEmpty, "\(name) \(target) at \(step): \(bad.map { "\($0.rule) \($0.message)" })")
            }
        }
    }
}
