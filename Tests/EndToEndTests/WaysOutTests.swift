import Foundation
import Live
import Ports
import Session
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension OneAtATime {
    /// The terminal is given back on every way out of the real program, and nothing a terminal does ends it otherwise.
    @Suite struct WaysOutTests {
        /// The three seconds of every way out, and what ending a process takes.
        static let limit: Duration = .milliseconds(3_500)

        @Test(arguments: [SIGTERM, SIGINT, SIGSEGV, SIGABRT, SIGHUP])
        func aFatalSignalRestoresTheTerminal(signal: Int32) throws {
            let demo = try RunningDemo([])
            #expect(demo.terminal.modes != demo.modesBefore)
            kill(demo.terminal.process, signal)
            #expect(try demo.terminal.waitForExit(within: Self.limit) == .signal(signal))
            expectRestored(demo)
        }

        /// As after the key, the files are whole and the summary is in the shell.
        @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func aSignalEndsTheDashboardInOrder(signal: Int32) async throws {
            let origin = try await GuardedOrigin { _ in .pass(["Set-Cookie: sid=7; Path=/; Max-Age=600"]) }
            let folder = try TemporaryFolder()
            let (recording, jar) = (folder.file("session.adtop"), folder.file("jar.txt"))
            let text = try await PeerScreen.transcript(
                until: "ON AIR", of: [origin.url(), "--record", recording, "--cookie-jar", jar], endedBy: signal)
            try await origin.stop()
            let shell = text.split(separator: "\u{1B}[?1049l", omittingEmptySubsequences: false).last ?? ""
            #expect(shell.contains(" due"), "\(shell)")
            #expect(try String(contentsOfFile: jar, encoding: .utf8).contains("\tsid\t7"))
            #expect(try !RecordingFile.read(recording).isTruncated)
        }

        @Test func quittingRestoresTheTerminal() throws {
            let demo = try RunningDemo([])
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit(within: Self.limit) == .status(0))
            expectRestored(demo)
        }

        /// What became of the beacons of all sessions stays in the shell, as it does after the dashboard of one.
        @Test func quittingTheTableLeavesASummary() throws {
            let folder = try TemporaryFolder()
            try folder.write("bad http://127.0.0.1:1/live/master.m3u8 mode=observe\n", to: "list.txt")
            let user = try TerminalUser(
                BuiltProduct.path("adtop"), ["monitor", folder.file("list.txt"), "--no-journal"], columns: 120,
                rows: 40,
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/bin:/bin",
                ])
            // The row of the session: the header says `0 failing` before anything was tried.
            try user.see("✗ failing")
            user.type("Q")
            #expect(try user.terminal.waitForExit(within: Self.limit) == .status(0))
            let text = String(decoding: user.terminal.transcript, as: UTF8.self)
            #expect(text.contains("1 stream: 0 beacons due, 1 not opened (bad)\r\n"), "\(text.suffix(400))")
        }

        /// A reader of the events that stands still keeps neither the terminal nor the program.
        @Test func quittingDoesNotWaitForAReaderThatStandsStill() throws {
            let folder = try TemporaryFolder()
            let pipe = try FullPipe(in: folder)
            let demo = try RunningDemo(["--events", pipe.path])
            demo.terminal.type("Q")
            // The events that were asked for are not whole, if there were any yet.
            let exit = try demo.terminal.waitForExit(within: Self.limit)
            #expect(exit == .status(AdtopProcess.interrupted) || exit == .status(0))
            expectRestored(demo)
        }

        /// A window whose reader is stopped takes no output: the painter hangs in a write, the program ends in time.
        @Test(arguments: [nil, SIGTERM]) func aFullTerminalEndsInTime(signal: Int32?) throws {
            let demo = try RunningDemo([])
            try demo.terminal.fill(typing: "\u{0C}")
            if let signal { kill(demo.terminal.process, signal) } else { demo.terminal.type("Q") }
            let ending = try demo.terminal.waitForExit(within: Self.limit, reading: false)
            #expect(ending == signal.map { .signal($0) } ?? .status(0))
            #expect(demo.terminal.modes == demo.modesBefore)
        }

        @Test func aClosedTerminalEndsTheProgram() throws {
            let demo = try RunningDemo([])
            demo.terminal.hangUp()
            // The end that SIGHUP has by itself, after the program has put its journal in order.
            #expect(try demo.terminal.waitForExit(within: Self.limit) == .signal(SIGHUP))
        }

        @Test func aStormOfSizesAndKeysLeavesItWorking() throws {
            let seed: UInt64 = 11
            print("seed \(seed)")
            var random = SplitMix64(seed: seed)
            let demo = try RunningDemo([])
            let keys = Array("jkhlgG/x:?+_FZ!{}oOnNTwtL\u{1B}\t\r12345m")
            for _ in 0..<200 {
                demo.terminal.resize(
                    columns: Int.random(in: 1...200, using: &random), rows: Int.random(in: 1...60, using: &random))
                // Quitting keys are not among them; Esc closes whatever entry is open.
                demo.terminal.type(String(keys[Int.random(in: 0..<keys.count, using: &random)]))
            }
            demo.terminal.resize(columns: 120, rows: 40)
            demo.terminal.type("\u{1B}[27u\u{1B}[27u\u{1B}[27u")
            let mark = demo.terminal.transcript.count
            demo.terminal.type("\u{0C}")
            try demo.terminal.expect("quit", after: mark)
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit(within: Self.limit) == .status(0))
            expectRestored(demo)
        }

        private func expectRestored(_ demo: RunningDemo, sourceLocation: SourceLocation = #_sourceLocation) {
            let modes = ModeTracker(demo.terminal.transcript)
            #expect(modes.left.isEmpty, sourceLocation: sourceLocation)
            #expect(modes.isCursorShown, sourceLocation: sourceLocation)
            #expect(demo.terminal.modes == demo.modesBefore, sourceLocation: sourceLocation)
        }
    }
}
