import Foundation
import Ports
import TestSupport
import Testing

extension OneAtATime {
    /// What a new user does, at 80x24, by the keyboard alone and by the mouse alone: each step is on the screen.
    @Suite struct NewUserTests {
        private static let columns = 80
        private static let rows = 24

        private static func start(_ arguments: [String], home: TemporaryFolder) throws -> TerminalUser {
            try TerminalUser(
                BuiltProduct.path("adtop"), arguments, columns: columns, rows: rows,
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home.path, "PATH": "/usr/bin:/bin",
                    "SWIFT_BACKTRACE": "enable=no",
                ])
        }

        /// On a thread of its own: a blocked thread of the shared pool could be the one that a server needs.
        private static func onThread(_ act: @escaping @Sendable () throws -> Void) async throws {
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread { done.resume(with: Result { try act() }) }
            }
        }

        private static func copies(_ user: TerminalUser) -> Int {
            String(decoding: user.terminal.transcript, as: UTF8.self).matches(of: /\x1B\]52;c;/).count
        }

        // MARK: First run: find the failing tracker, find out why, copy the report, look up the rule, change the theme, leave

        @Test func theFirstRunByKeyboard() throws {
            let home = try TemporaryFolder()
            let user = try Self.start(["demo"], home: home)
            try user.see("ON AIR")
            try user.see("! show it")
            try user.see("✗ 1 ")
            user.type("!")
            try user.see("Enter full detail")
            user.type("\r")
            try user.see("503 Service Unavailable")
            try user.see("q back")
            try user.see("B bug report")
            user.type("B")
            try user.see("report: copied")
            #expect(Self.copies(user) == 1)
            user.type("q")
            try user.see("[1] Breaks")
            user.type("f")
            try user.see("Beacon rejected")
            try user.see("?rule")
            user.type("?")
            try user.see("Findings: tracking")
            user.type("q")
            try user.seeNot("Findings: tracking")
            user.type("q")
            try user.see("[1] Breaks")
            user.type(":")
            try user.see("Tab complete")
            user.type("theme midn\t\r")
            try user.see("theme: midnight")
            user.type("q")
            try Self.expectSummary(user)
        }

        @Test func theFirstRunByMouse() throws {
            let home = try TemporaryFolder()
            let user = try Self.start(["demo"], home: home)
            try user.see("ON AIR")
            // Its row moves the panes.
            try user.see("! show it")
            try user.click("✗ 1 ")
            // The detail of what was selected before has this hint in another row.
            try user.see("503 Service Unavailable")
            try user.click("Enter full detail")
            try user.click("B bug report")
            try user.see("report: copied")
            #expect(Self.copies(user) == 1)
            try user.click("q back")
            try user.see("[1] Breaks")
            try user.click("f Findings")
            try user.click("Beacon rejected")
            try user.click("?rule")
            try user.see("Findings: tracking")
            try user.click("q close")
            try user.seeNot("Findings: tracking")
            try user.click("1 Breaks")
            try user.see("[1] Breaks")
            try user.click("/filter")
            try user.see("Filter breaks")
            try user.click("┃ failed", offset: 2)
            try user.see("[1] Breaks  /failed")
            try user.click("/filter")
            try user.click("! invert")
            try user.see("[1] Breaks  /!failed")
            try user.click("Esc clear")
            try user.seeNot("/!failed")
            try user.click("?help")
            try user.click("Z        freeze the display")
            try user.see("FROZEN")
            try user.click("Z freeze")
            try user.seeNot("FROZEN")
            try user.click(":cmd")
            try user.see("Commands")
            // Each turn selects a row three further down; the list is at its end then, and moves no more.
            for _ in 0..<8 { try user.wheelDown(over: "Commands") }
            try user.see("┃ quit")
            try user.click("theme NAME")
            try user.click("midnight")
            try user.see("theme: midnight")
            try user.click("q quit")
            try Self.expectSummary(user)
        }

        private static func expectSummary(_ user: TerminalUser) throws {
            #expect(try user.terminal.waitForExit() == .status(0))
            let end = String(decoding: user.terminal.transcript.suffix(400), as: UTF8.self)
            #expect(end.contains(" done, 1 failed (127.0.0.1 503)"), "\(end)")
        }

        // MARK: Twelve channels: the worst is on top, open it, return, leave

        @Test(arguments: [false, true])
        func theWorstOfTwelveChannels(byMouse: Bool) async throws {
            let origin = try await WatchedOrigin()
            let home = try TemporaryFolder()
            try home.write(
                "ch \(origin.streamURL) count=11 mode=observe\nbad http://127.0.0.1:1/live.m3u8 mode=observe\n",
                to: "list.txt")
            try await Self.onThread {
                let user = try Self.start(
                    [
                        "monitor", home.file("list.txt"), "--no-journal", "--spread", "0s", "--record",
                        home.file("tonight"),
                    ], home: home)
                try user.see("11 running")
                try user.see("1 failing")
                try user.see(">bad ")
                try user.see("connection refused")
                if byMouse { try user.click("bad ", times: 2) } else { user.type("\r") }
                try user.see("Cannot open this stream")
                try user.see("Nothing accepts connections there.")
                if byMouse { try user.click("q table") } else { user.type("q") }
                try user.see("worst first")
                if byMouse { try user.click("Q quit") } else { user.type("Q") }
                #expect(try user.terminal.waitForExit() == .status(0))
                let end = String(decoding: user.terminal.transcript.suffix(1_000), as: UTF8.self)
                let replay =
                    "adtop replay '\(home.file("tonight"))/ch-01.adtop'   (the same screens; 11 more recordings there)"
                #expect(end.contains(replay), "\(end)")
            }
            await origin.stop()
        }

        // MARK: A recording: pause, step, go to a break, leave

        @Test(arguments: [false, true])
        func whatHappened(byMouse: Bool) async throws {
            let origin = try await WatchedOrigin()
            let home = try TemporaryFolder()
            let file = home.file("session.adtop")
            _ = try await origin.dump(["--record", file, "--until", "1-beacons"], state: home.path)
            await origin.stop()
            try await Self.onThread {
                let user = try Self.start(["replay", file], home: home)
                try user.see("REPLAY ▶")
                try user.see("Space play")
                if byMouse { try user.click("Space play") } else { user.type(" ") }
                try user.see("REPLAY ■")
                if byMouse { try user.click(", . step") } else { user.type(",") }
                try user.see("paused at 0:")
                if byMouse {
                    // The last cell of the scrubber is the end of the recording.
                    try user.click("─ 0:")
                    try user.see("● 0:")
                }
                if byMouse { try user.click("] break") } else { user.type("]") }
                try user.see("REPLAY ■")
                if byMouse { try user.click("q quit") } else { user.type("q") }
                #expect(try user.terminal.waitForExit() == .status(0))
            }
        }

        // MARK: Another key: it is in the footer, in the help, and acts

        @Test func aKeyOfOnesOwnByMouse() throws {
            let home = try TemporaryFolder()
            let user = try Self.start(["demo"], home: home)
            // The footer gets keys as the stream opens, so that those behind them move.
            try user.see("m mute p pause F follow Z freeze")
            try user.click(":cmd")
            try user.see("Commands")
            for _ in 0..<8 { try user.wheelDown(over: "Commands") }
            try user.see("┃ quit")
            try user.click("bind ACTION KEY")
            try user.see("┏ bind ")
            for _ in 0..<14 { try user.wheelDown(over: "┏ bind ") }
            // What still moves cannot be clicked: this row comes with the last turn.
            try user.see("┃ theme")
            try user.click("┃ freeze", offset: 2)
            try user.see(":bind freeze ")
            try user.click("┃ c ", offset: 2)
            try user.see("to keep it: freeze: [c]")
            try user.click("c freeze")
            try user.see("FROZEN")
            try user.click("c freeze")
            try user.seeNot("FROZEN")
            try user.click("q quit")
            #expect(try user.terminal.waitForExit() == .status(0))
        }

        @Test func aKeyOfOnesOwn() throws {
            let home = try TemporaryFolder()
            try home.write("keys:\n  freeze: [x]\n  format-close: []\n", to: "config.yaml")
            let user = try Self.start(["demo", "--config", home.file("config.yaml")], home: home)
            try user.see("x freeze")
            user.type("x")
            try user.see("FROZEN")
            try user.see("x resumes")
            user.type("x")
            try user.seeNot("FROZEN")
            // The keys before it come and go while the stream is followed.
            try user.see("m mute p pause F follow x freeze")
            try user.click("x freeze")
            try user.see("FROZEN")
            user.type("Q")
            #expect(try user.terminal.waitForExit() == .status(0))
        }
    }
}
