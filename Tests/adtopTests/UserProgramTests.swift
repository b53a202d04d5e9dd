import Locks
import Testing

@testable import Dashboard
@testable import adtop

/// The user's own commands as processes.
@Suite(.serialized) struct UserProgramTests {
    @Test func itsOutputAndItsEndAreReported() async {
        let lines = Locked<[String]>([])
        let end = await UserProgram.run(
            CommandRun(summary: "greets", arguments: ["/bin/sh", "-c", "echo one; echo two >&2; exit 3"])
        ) { line in lines.withLock { $0.append(line) } }
        #expect(end.text == "greets: ended with status 3" && !end.isGood)
        #expect(lines.withLock { $0 }.sorted() == ["greets: one", "greets: two"])
    }

    /// As when adtop ends.
    @Test func aProgramThatRunsDoesNotOutliveAdtop() async {
        let end = await UserProgram.run(
            CommandRun(summary: "waits", arguments: ["/bin/sh", "-c", "echo begun; sleep 50; echo over"])
        ) { line in if line == "waits: begun" { UserProgram.endAll() } }
        #expect(end.text == "waits: ended by signal 9" && !end.isGood)
    }
}
