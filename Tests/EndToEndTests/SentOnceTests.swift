import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// Promises about beacons that sessions in simulated time keep, here kept by the real program and counted at a collector.
@Suite struct SentOnceTests {
    private static let fixed = ["--poll", "500ms", "--dump", "--format", "json", "--unredacted", "--for", "150s"]

    /// Three ads for a break of one, and a fourth that no player supports: every break ends before the second ad.
    private static func cutPods() throws -> Scenario {
        var scenario = try #require(try BuiltinScenarios.load("client-sprint")).scenario
        scenario.ads["flash"] = scenario.ads["hurdles"]
        scenario.ads["flash"]?.media = .flash
        scenario.vastTag = "/ads/vast?sessid=viewer&ads=hurdles,relay,flash,dash&id=[TRANSACTIONID]"
        scenario.breaks?.pods.removeLast(2)
        scenario.breaks?.pods[0].ads = ["hurdles"]
        scenario.breaks?.pods[0].markerError.longerMs = 3_000
        return scenario
    }

    /// What is not played is reported to its error URL once (TRK-27).
    @Test func aPodThatIsCutIsReportedOnce() async throws {
        let scenario = try Self.cutPods()
        let origin = try await WatchedOrigin { $0 = scenario }
        let state = try TemporaryFolder()
        let tag = "http://127.0.0.1:\(origin.port)" + (scenario.vastTag ?? "")
        let program = try AdtopChild([origin.streamURL, "--vast", tag] + Self.fixed, state: state.path)
        try await origin.wait(for: "three breaks") { $0.count { $0.event == "complete" } >= 3 }
        let run = try await program.interrupt()
        await origin.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        let errors = origin.receipts.filter { $0.event == "error" }
        #expect(errors.contains { $0.adId.hasPrefix("flash") } && errors.contains { $0.adId.hasPrefix("dash") })
        #expect(Set(origin.targets).count == origin.targets.count)
    }

    /// A token in the stream's URL is not part of its identity: the next run knows what the first one sent.
    @Test func anotherTokenIsTheSameViewer() async throws {
        let origin = try await WatchedOrigin(WatchedOrigin.keepMetadata)
        let state = try TemporaryFolder()
        func watch(_ token: String) throws -> AdtopChild {
            try AdtopChild(
                ["\(origin.url)&hdnts=exp=1790000000~hmac=\(token)", "--no-init-request"] + Self.fixed,
                state: state.path)
        }
        let first = try watch("0a1b2c")
        try await origin.waitForNewBreaks(2)
        try await first.kill()
        let second = try watch("d3e4f5")
        try await origin.waitForNewBreaks(2)
        let document = DumpedSession(json: try await second.interrupt().json())
        await origin.stop()
        #expect(
            document.log.contains { $0.hasPrefix("journal: ") && $0.contains("from earlier runs") }, "\(document.log)")
        #expect(origin.duplicates.isEmpty)
    }

    /// The answer that opens the session names an address of metadata that does not work: another session is opened.
    @Test func aDamagedMetadataAddressIsReplaced() async throws {
        let origin = try await GuardedOrigin { visit in
            guard visit.number == 0 else { return .pass() }
            let body = #"{"manifestUrl":"./index.m3u8?sessid=0123456789abcdef","trackingUrl":"./nothing-here"}"#
            return .answer(.answer("200 OK", ["Content-Type: application/json"], body: body))
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild([origin.url()] + Self.fixed, state: state.path)
        try await origin.waitForBeacons(6)
        let document = DumpedSession(json: try await program.interrupt().json())
        try await origin.stop()
        #expect(document.phase == "running")
        #expect(document["session"]?["renewals"]?.integerValue ?? 0 > 0)
        #expect(Set(origin.beacons.map(\.line)).count == origin.beacons.count)
    }

    /// What a public stream names on this computer gets no beacon, unless a person allows it (docs/security.md).
    @Test(arguments: [[], ["--allow-private"], ["--allow-host", "127.0.0.1"]])
    func privateTrackersOfAPublicStream(_ allowed: [String]) async throws {
        let origin = try await GuardedOrigin(at: "127.0.0.1") { _ in .pass() }
        let state = try TemporaryFolder()
        let url = origin.url().replacing("127.0.0.1", with: "stream.example")
        let way = ["--resolve", "stream.example:\(origin.port):127.0.0.1", "--fire"] + allowed
        let program = try AdtopChild(
            [url] + way + (allowed.isEmpty ? Self.fixed.dropLast() + ["14s"] : Self.fixed), state: state.path)
        if !allowed.isEmpty { try await origin.waitForBeacons(3) }
        let run = try await allowed.isEmpty ? program.end() : program.interrupt()
        try await origin.stop()
        let document = DumpedSession(json: try run.json())
        #expect(document.mode == "fire" && document.phase == "running", "\(run.errors)")
        #expect(origin.beacons.isEmpty == allowed.isEmpty)
        #expect(Set(origin.beacons.map(\.line)).count == origin.beacons.count)
        #expect(!allowed.isEmpty || document.findings.contains("L31"))
    }

    /// Every hop of a beacon has to lead to an allowed host, not just the first and the last one.
    @Test(arguments: [[], ["--allow-host", "127.0.0.1"]]) func everyHopIsAllowed(_ allowed: [String]) async throws {
        let foreign = try await ScriptedServer { request in
            let parts = request.line.split(separator: "?", maxSplits: 1)
            let back = "http://127.0.0.1:\(parts[1])&hop=3".replacing("&back=", with: "/beacon/sprint?")
            return [.answer("302 Found", ["Location: \(back)"])]
        }
        let origin = try await GuardedOrigin { visit in
            guard visit.isBeacon, !visit.target.hasSuffix("&hop=3") else { return .pass() }
            let port = visit.field("Host")?.split(separator: ":").last ?? ""
            let query = visit.target.drop { $0 != "?" }.dropFirst()
            return .answer(
                .answer("302 Found", ["Location: http://localhost:\(foreign.port)/hop?\(port)&back=\(query)"]))
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild([origin.url(), "--fire"] + allowed + Self.fixed, state: state.path)
        try await origin.waitForBeacons(12)
        let document = DumpedSession(json: try await program.interrupt().json())
        try await origin.stop()
        try await foreign.stop()
        #expect(foreign.requests.isEmpty != allowed.isEmpty)
        #expect(origin.beacons.contains { $0.line.hasSuffix("&hop=3") } == allowed.isEmpty)
        #expect(Set(origin.beacons.map(\.line)).count == origin.beacons.count)
        #expect(document.states.values.contains("failed") != allowed.isEmpty)
    }
}
