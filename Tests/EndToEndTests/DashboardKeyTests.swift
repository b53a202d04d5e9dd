import Foundation
import Ports
import TestSupport
import Testing

extension OneAtATime {
    /// The dashboard in a real terminal beside plugins, saved zones and many sessions.
    @Suite struct DashboardKeyTests {
        @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
        func aBidderThatHangsIsGoneBeforeTheSessionEnds() throws {
            let folder = try PythonPlugin.folder()
            try folder.write(PluginBidderTests.auction("hang", id: "beside", tmax: 300, every: 1), to: "one.auction")
            let demo = try RunningDemo([
                "--view", "auction", "--auction", folder.file("one.auction"), "--plugins", folder.path,
            ])
            try demo.terminal.read(waitingFor: "the reason of the candidate") {
                String(decoding: demo.terminal.transcript, as: UTF8.self).contains("3 requests in a row")
            }
            // The next auction has another process, and the first one is gone.
            try demo.terminal.read(waitingFor: "another process") { PythonPlugin.hung(in: folder).count > 1 }
            #expect(PythonPlugin.hung(in: folder).first?.isGone == true)
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit(within: WaysOutTests.limit) == .status(0))
            #expect(PythonPlugin.hung(in: folder).allSatisfy { $0.isGone })
        }

        @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
        func pluginsThatFailAreShownAndTheDashboardStaysAlive() throws {
            let folder = try SessionPluginTests.folder()
            let demo = try RunningDemo(["--view", "formats"] + SessionPluginTests.flags(folder))
            try demo.terminal.read(waitingFor: "the banner of the plugin and what went wrong") {
                let text = String(decoding: demo.terminal.transcript, as: UTF8.self)
                return text.contains("the plugin ended with status 3") && text.contains("none today")
                    && text.contains("longer than 1 MiB")
            }
            // It still takes keys: help opens, Q ends it in order although one plugin hangs.
            demo.terminal.type("?")
            try demo.terminal.read(waitingFor: "help") {
                String(decoding: demo.terminal.transcript, as: UTF8.self).contains("all keys and commands")
            }
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit(within: WaysOutTests.limit) == .status(0))
        }

        @Test func theThemeFollowsTheTerminalsBackgroundAndNoKeyIsLost() throws {
            let demo = try RunningDemo([])
            func transcript() -> String { String(decoding: demo.terminal.transcript, as: UTF8.self) }
            try demo.terminal.read(waitingFor: "the question") { transcript().contains("\u{1B}]11;?\u{7}") }
            // Between two keys, as a fast typist would have it.
            demo.terminal.type("j\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\?")
            try demo.terminal.read(waitingFor: "the light theme") { transcript().contains("48;5;230") }
            try demo.terminal.read(waitingFor: "help") { transcript().contains("all keys and commands") }
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit(within: WaysOutTests.limit) == .status(0))
        }

        @Test func aKeyDeletesAZonesFilesAndTheReplayKnows() async throws {
            let folder = try TemporaryFolder()
            let (zones, recording) = (folder.file("zones"), folder.file("session.adtop"))
            func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: zones)) ?? [] }
            let demo = try RunningDemo([
                "--seed", "1", "--view", "cache", "--slot", "o=rewarded:rewarded-1", "--zones", zones, "--record",
                recording,
            ])
            try demo.terminal.read(waitingFor: "the zone's row") {
                guard files().count == 2 else { return false }
                // The last row; drawn anew, or a letter that stood there before would be left out of it.
                demo.terminal.type("G\u{0C}")
                return String(decoding: demo.terminal.transcript, as: UTF8.self).contains("rewarded-1")
            }
            // The log of the demo leaves out the ad spaces at first.
            demo.terminal.type(":log all\rGd")
            try demo.terminal.read(waitingFor: "the end of its files") { files().isEmpty }
            try demo.terminal.read(waitingFor: "the line of the log") {
                String(decoding: demo.terminal.transcript, as: UTF8.self).contains(
                    "answer and video deleted")
            }
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit() == .status(0))
            let replay = try await AdtopProcess.run(["replay", recording, "--at", "60s", "--dump", "--format", "json"])
            let json = try replay.json()
            #expect(json["zones"] == [])
            #expect(json["formats"]?["slots"]?.arrayValue?.first?["state"] == "loaded", "\(replay.errors)")
        }

        @Test func theTableOfSessionsOpensOneAndComesBack() async throws {
            let origin = try await WatchedOrigin()
            let folder = try TemporaryFolder()
            try folder.write("ch \(origin.streamURL) count=3 mode=observe\n", to: "list.txt")
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // On a thread of its own: a blocked thread of the shared pool could be the one that the server needs.
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try Self.walk(list: folder.file("list.txt"), home: folder.path) })
                }
            }
            await origin.stop()
        }

        private static func walk(list: String, home: String) throws {
            let terminal = try PseudoTerminal(columns: 120, rows: 40)
            try terminal.run(
                BuiltProduct.path("adtop"), ["monitor", list, "--no-journal", "--spread", "0s"],
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home, "PATH": "/usr/bin:/bin",
                    "SWIFT_BACKTRACE": "enable=no",
                ])
            try terminal.expect("worst first")
            terminal.type("j\r")
            try expect("[1] Breaks", on: terminal)
            // The list's name of the second session, not that of its URL.
            try expect("ch-2", on: terminal)
            // The next session is shown in the view that was open, and followed: its segments come.
            terminal.type("6]")
            try expect("ch-3", on: terminal)
            try expect("[6] Playlist", on: terminal)
            try expect("seg-", on: terminal)
            try expect("seg-\(try newestSegment(on: terminal) + 3).ts", on: terminal)
            // From the view to the breaks, from there to the table: the session that was shown last is selected.
            terminal.type("qq")
            try expect("worst first", on: terminal)
            terminal.type("\r")
            try expect("ch-3", on: terminal)
            terminal.type("q")
            try expect("worst first", on: terminal)
            terminal.type("Q")
            #expect(try terminal.waitForExit() == .status(0))
        }

        /// Asks for the whole picture until it holds the text: what two pictures have in common is not written again.
        private static func expect(_ text: String, on terminal: PseudoTerminal) throws {
            for _ in 0..<40 {
                let mark = terminal.transcript.count
                terminal.type("\u{0C}")
                // Not there yet: it is asked for again.
                if (try? terminal.expect(text, after: mark, within: .milliseconds(500))) != nil { return }
            }
            throw MissingText(text: text)
        }

        /// The highest number of a segment in the playlist view.
        private static func newestSegment(on terminal: PseudoTerminal) throws -> Int {
            for _ in 0..<40 {
                let mark = terminal.transcript.count
                terminal.type("\u{0C}")
                // The footer is written last, perhaps that of the picture before.
                _ = try terminal.expect("back", after: mark)
                let text = String(decoding: terminal.transcript[mark...], as: UTF8.self)
                let numbers = text.matches(of: /seg-([0-9]+)\.ts/).compactMap { Int($0.output.1) }
                if let newest = numbers.max() { return newest }
            }
            throw MissingText(text: "seg-")
        }

        private struct MissingText: Error {
            let text: String
        }
    }
}
