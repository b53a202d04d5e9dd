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

    @Test func whatShowsMoreThanOneStreamHasNoLines() async throws {
        let run = try await AdtopChild(["replay", "x.adtop", "--plain"]).end()
        #expect(run.status == 2 && run.errors.contains("--plain: announces one live stream"), "\(run.errors)")
    }
}
