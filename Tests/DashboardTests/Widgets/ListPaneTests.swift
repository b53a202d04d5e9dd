import Screen
import Testing

@testable import Dashboard

/// What all lists have in common.
@Suite struct ListPaneTests {
    @Test("why a list or a table has no rows is marked as cut where it is longer than the screen")
    func absence() throws {
        let typed = "a word that is longer than forty columns are wide"
        var table = SessionTableSample(SessionTableSamples.some, 40, 8)
        try table.press("/")
        table.type(typed)
        try table.press("Enter")
        var list = DashboardSample(SnapshotSamples.midBreak, 40, 8)
        try list.press("/")
        list.type(typed)
        try list.press("Enter")
        for grid in [table.frame.grid, list.frame.grid] {
            let row = TextWriter.rows(of: grid).first { $0.contains("nothing matches") }
            #expect(row?.contains("…") == true, "\(row ?? "")")
        }
    }
}
