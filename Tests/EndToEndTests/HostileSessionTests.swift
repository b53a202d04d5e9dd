import Dashboard
import Foundation
import Live
import Ports
import Screen
import ScriptedServers
import Session
import TestSupport
import Testing

@testable import adtop

/// What a session prints and leaves behind when all that it reads is hostile: screens in every format, streams and files.
@Suite struct HostileSessionTests {
    /// Frames of the recorded session, as `replay --dump` prints them: each view, and each pane alone.
    @Test(arguments: FrameOptions.Format.allCases) func everyFrameIsClean(_ format: FrameOptions.Format) async throws {
        let outputs = try await HostileSession.outputs.value
        let replay = Replay(try RecordingFile.read(outputs.folder.file("recording")))
        let end = try #require(replay.span).upperBound
        var player = ReplayPlayer(replay, from: end, real: .zero)
        let snapshot = player.snapshot(real: .zero)
        let views = DashboardView.allCases.map { (view: $0, pane: Pane?.none) }
        for place in views + Pane.ofSession.map({ (view: .breaks, pane: $0) }) {
            var settings = ScreenSettings()
            settings.view = place.view
            settings.color = .truecolor
            for isRedacted in [true, false] {
                let frame = HeadlessFrame(
                    settings: settings, size: Size(columns: 200, rows: 120), pane: place.pane, keys: [],
                    isRedacted: isRedacted)
                let text = try frame.text(of: snapshot, as: format)
                let offender = HostileText.firstOffender(in: text, isANSI: format == .ansi)
                #expect(offender == nil, "\(place): \(text)")
                // Each whole screen shows where it got its text from.
                #expect(text.contains(HostileText.mark) || place.pane != nil, "\(place): \(text)")
            }
        }
    }

    @Test(arguments: ["output", "events", "log"]) func noControlIsInWhatItLeaves(_ name: String) async throws {
        let text = try #require(try await HostileSession.outputs.value.texts[name])
        #expect(text.contains(HostileText.mark), "\(text)")
        #expect(HostileText.firstOffender(in: text) == nil, "\(text)")
    }

    /// Beacons were accepted, rejected and redirected: the answers' fields were read.
    @Test func theSessionSawTheAnswers() async throws {
        let events = try #require(try await HostileSession.outputs.value.texts["events"])
        for state in ["acknowledged", "rejected", "failed"] {
            #expect(events.contains(#""state":"\#(state)""#), "\(events)")
        }
    }

    /// `--events -` and `--metrics-port` while a session runs.
    @Test func noControlIsStreamed() async throws {
        let server = try await HostileStream.start()
        let url = server.url("/live.m3u8?sessid=\(HostileText.mark)")
        let program = try AdtopChild(
            [url, "--dump", "--for", "60s", "--no-journal", "--events", "-", "--metrics-port", "0"],
            through: ["/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"])
        let greeting = try await program.expect("/metrics")
        let port = try #require(greeting.firstMatch(of: /127\.0\.0\.1:([0-9]+)\/metrics/).flatMap { Int($0.output.1) })
        try await program.expect("\"kind\":\"break\"")
        let metrics = await LoopbackClient(port: port).get("/metrics").body
        let run = try await program.interrupt()
        try await server.stop()
        #expect(metrics.contains("adtop_build_info"))
        #expect(HostileText.firstOffender(in: metrics) == nil, "\(metrics)")
        #expect(run.output.contains(HostileText.mark))
        #expect(HostileText.firstOffender(in: run.output) == nil, "\(run.output)")
    }

    /// Ads that the program requests itself.
    @Test(arguments: [("--vast", "/ad.xml", ["--until", "ad-start"]), ("--vmap", "/vmap.xml", [])])
    func noControlOfADecisionIsPrinted(_ flag: String, _ path: String, _ condition: [String]) async throws {
        let server = try await HostileStream.start()
        let run = try await AdtopProcess.run(
            [server.url("/plain.m3u8"), flag, server.url(path), "--dump", "--no-journal", "--size", "200x120"]
                + condition + ["--for", condition.isEmpty ? "2s" : "20s"])
        let isRequested = server.requests.contains { $0.line.hasPrefix("GET \(path)") }
        try await server.stop()
        #expect(isRequested, "\(run.output)\(run.errors)")
        #expect(run.output.contains(HostileText.mark), "\(run.output)\(run.errors)")
        #expect(HostileText.firstOffender(in: run.output + run.errors) == nil, "\(run.output)\(run.errors)")
    }
}
