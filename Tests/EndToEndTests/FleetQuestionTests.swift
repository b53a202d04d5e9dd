import Fleet
import Foundation
import Live
import ScriptedServers
import TestSupport
import Testing

extension OneAtATime {
    /// The verbs of a fleet that ask the person at the terminal before they change anything.
    @Suite(
        .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"),
        .timeLimit(.minutes(3)))
    struct FleetQuestionTests {
        /// A verb, and what is there before it.
        struct Case: Sendable, CustomTestStringConvertible {
            var verb: [String]
            var before = "SELECT 1"

            var testDescription: String { verb.joined(separator: " ") }
        }

        private static let cases = [
            Case(verb: ["mode", "fire"]), Case(verb: ["durability", "trusted"]),
            Case(
                verb: ["accept-server"],
                before: "SELECT agent FROM fleet.agent_start('a1', '1', 1, '', 1, 'p', 1)"),
            Case(
                verb: ["upgrade", "--finish"], before: "UPDATE fleet.store SET protocol_min = 0, state_version = 0"),
        ]

        /// What the verbs change; an accepted server has fenced its agents.
        private static let query = """
            SELECT concat_ws(' ', mode, durability, protocol_min, (SELECT count(fenced_at) FROM fleet.agent)) AS state
            FROM fleet.store
            """

        @Test(arguments: cases) func onlyYesChangesAnything(_ fleet: Case) async throws {
            let database = try await TestDatabase()
            _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
            let owner = try await database.connection()
            _ = try await owner.call(fleet.before)
            func state() async throws -> String { try await owner.call(Self.query).row.text("state") }
            let before = try await state()
            let arguments = ["fleet"] + fleet.verb + ["--store", database.address()]
            for answer in ["no", "y", ""] {
                let (exit, text) = try Self.run(arguments, answer: answer)
                #expect(exit == .status(AdtopProcess.interrupted) && text.contains("nothing was changed"), "\(text)")
                #expect(try await state() == before, "'\(answer)'")
            }
            let (exit, text) = try Self.run(arguments, answer: "yes")
            #expect(exit == .status(0), "\(text)")
            #expect(try await state() != before)
        }

        /// Answers the question of a verb; how it ended, and what the terminal showed.
        private static func run(_ arguments: [String], answer: String) throws -> (ChildExit, String) {
            let terminal = try PseudoTerminal(columns: 200, rows: 24)
            try terminal.run(
                BuiltProduct.path("adtop"), arguments,
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "PATH": "/usr/bin:/bin",
                    "SWIFT_BACKTRACE": "enable=no",
                ])
            try terminal.expect("Type yes to continue:")
            terminal.type("\(answer)\r")
            let exit = try terminal.waitForExit()
            return (exit, String(decoding: terminal.transcript, as: UTF8.self))
        }
    }
}
