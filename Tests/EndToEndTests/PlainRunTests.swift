import DemoOrigin
import Foundation
import TestSupport
import Testing

/// `--plain`: a session as lines, with keys from a pipe.
@Suite struct PlainRunTests {
    private static let demo = ["demo", "--scenario", "sprint", "--poll", "500ms", "--plain"]

    /// Nobody can read what it would say: a session that goes on would send beacons that nobody watches.
    @Test func itEndsWithItsReader() async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            Self.demo, state: state.path, through: ["/bin/sh", "-c", "\"$@\" | head -n 1", "sh"])
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 1, "\(run.output) \(run.errors)")
    }

    @Test func changesAreLinesAndKeysComeFromAPipe() async throws {
        let state = try TemporaryFolder()
        try state.write("commands:\n  X: {run: [echo, \"at {stream}\"], ask: no}\n", to: "config.yaml")
        let child = try AdtopChild(
            Self.demo + ["--for", "60s", "--until", "ad-start", "--config", state.file("config.yaml")],
            input: "\n:nope\nX\n", state: state.path)
        let run = try await child.end()
        #expect(run.status == 0, "\(run.errors)")
        for text in [
            "Z status: ", "\"nope\": no such command", "at {stream}: at http://127.0.0.1:", "Z mode: FIRE",
            "Z on air: B",
            "Z verdict: ",
        ] {
            #expect(run.output.contains(text), "\(text) in \(run.output)")
        }
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func aKeyEndsIt() async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopChild(Self.demo, input: "Q\n", state: state.path).end()
        #expect(run.status == 0 && run.output.contains("breaks"), "\(run.output) \(run.errors)")
    }

    /// A line that ends with a carriage return and a line feed is the same line.
    @Test func aCarriageReturnIsNoKey() async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopChild(Self.demo, input: "\r\nQ\r\n", state: state.path).end()
        #expect(run.status == 0 && run.output.contains("Z status: "), "\(run.output) \(run.errors)")
    }

    // MARK: Exit status

    /// The end of `--for` is what was asked for, unless a condition was to be met before.
    @Test(arguments: [(["--for", "2s"], 0), (["--for", "2s", "--until", "9999-beacons"], 5)] as [([String], Int32)])
    func theEndOfTheTimeHasItsStatus(options: [String], status: Int32) async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(Self.demo + options, state: state.path)
        #expect(run.status == status, "\(run.errors)")
        let reason = "--until: not reached in time; --for sets the time limit"
        #expect(run.errors.contains(reason) == (status == 5), "\(run.errors)")
        #expect(run.output.contains("Z mode: "), "\(run.output)")
    }

    @Test func anInterruptHasItsStatus() async throws {
        let state = try TemporaryFolder()
        let child = try AdtopChild(Self.demo, state: state.path)
        try await child.expect("Z mode: ")
        let run = try await child.interrupt()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
    }

    /// `nohup` is there to outlive the terminal, whose end is SIGHUP.
    @Test func anIgnoredHangUpStaysIgnored() async throws {
        let state = try TemporaryFolder()
        let child = try AdtopChild(
            Self.demo + ["--until", "5-beacons"], state: state.path,
            through: ["/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh"])
        try await child.expect("Z mode: ")
        child.signal(SIGHUP)
        let run = try await child.end()
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func aStreamThatCannotBeOpenedHasItsStatus() async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            ["http://127.0.0.1:1/live.m3u8", "--plain", "--for", "2s"], state: state.path)
        #expect(run.status == 3, "\(run.output)")
        #expect(run.errors.contains("cannot open http://127.0.0.1:1/live.m3u8: "), "\(run.errors)")
    }

    @Test func aSessionThatTheServerEndedHasItsStatus() async throws {
        var session = SessionShape()
        (session.expiresMs, session.refuses, session.refusalStatus) = (3_000, [.playlist], 403)
        let origin = try await WatchedOrigin(session: session)
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            [origin.streamURL, "--poll", "500ms", "--plain", "--no-renew", "--for", "150s"], state: state.path)
        await origin.stop()
        #expect(run.status == 4, "\(run.output)")
        #expect(run.errors.contains("session over: ") && run.errors.contains("answered 403"), "\(run.errors)")
    }

    @Test func whatShowsMoreThanOneStreamHasNoLines() async throws {
        let run = try await AdtopChild(["replay", "x.adtop", "--plain"]).end()
        #expect(run.status == 2 && run.errors.contains("--plain: announces one live stream"), "\(run.errors)")
    }
}
