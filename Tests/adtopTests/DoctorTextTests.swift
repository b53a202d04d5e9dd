import Ports
import Session
import Testing

@testable import adtop

@Suite struct DoctorTextTests {
    @Test func theTableIsAligned() throws {
        var report = DoctorReport()
        var course = ConnectionCourse()
        course.stages = [
            .init(.name, "192.0.2.1", took: .milliseconds(12)),
            .init(
                .connect, took: .milliseconds(5_000), failure: HTTPFailure(.connectTimeout, "no connection within 5 s")),
        ]
        report.note(course, to: try WebURL("https://s.example/live.m3u8"))
        report.conclude(isOpen: false, metadata: nil, problem: nil)
        #expect(
            DoctorText.lines(of: report).map(\.plain) == [
                "✓ name     s.example:443    12.00 ms  192.0.2.1",
                "✗ connect  s.example:443  5000.00 ms  no connection within 5 s",
                "  → \(OpeningProblem.noConnection.advice)", "",
                "The stream cannot be opened: connect: no connection within 5 s.",
            ])
    }

    @Test(arguments: DoctorReport.Verdict.allCases) func eachVerdictHasItsCode(_ verdict: DoctorReport.Verdict) {
        let codes: [DoctorReport.Verdict: Int32] = [.reachable: 0, .limited: 1, .unreachable: 3]
        #expect(verdict.status.rawValue == codes[verdict])
    }
}
