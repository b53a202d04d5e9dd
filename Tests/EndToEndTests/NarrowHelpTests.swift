import Foundation
import TestSupport
import Testing

/// Help where there is little room for it.
@Suite struct NarrowHelpTests {
    @Test(
        arguments: ["0", "1", "20", "26", "40"],
        [["vast", "lint", "--help"], ["--help", "all"], ["help", "cache", "put"]])
    func isPrintedAtAnyNumberOfColumns(columns: String, arguments: [String]) async throws {
        let run = try await AdtopChild(arguments, environment: ["COLUMNS": columns]).end()
        #expect(run.status == 0 && run.output.contains("USAGE:"), "\(run.errors)")
    }

    @Test func aUsageErrorIsPrintedAtAnyNumberOfColumns() async throws {
        let run = try await AdtopChild(["vast", "lint"], environment: ["COLUMNS": "1"]).end()
        #expect(run.status == 2 && run.errors.contains("missing; give it"), "\(run.errors)")
    }

    @Test func isPrintedOnANarrowTerminal() throws {
        let terminal = try PseudoTerminal(columns: 20, rows: 10)
        try terminal.run(
            BuiltProduct.path("adtop"), ["vast", "lint", "--help"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"])
        try terminal.expect("USAGE:")
        #expect(try terminal.waitForExit() == .status(0))
    }
}
