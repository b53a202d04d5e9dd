import Ports
import Screen
import Session

extension SessionTablePane {
    var shownRows: Int { model.rows.count }
    var selectedRow: Int { model.selectedRow }
    func needsAttention(_ row: Int) -> Bool {
        model.rows.indices.contains(row) && model.rows[row].verdict.needsAttention
    }
    static var nothingWrong: String { "no session has a problem" }
    static var foreignKey: String { "session key: press Enter to open the selected session" }
    func places(tableWidth: Int) -> [TablePlace<SessionColumn>] {
        SessionColumns(tableWidth: tableWidth, model).places
    }

    func openSelected(_ turn: inout ViewTurn) -> [DashboardEffect] {
        model.selected.map { [.selectSession($0.index)] } ?? []
    }

    /// Ending sessions that send takes a second key.
    func quit(_ turn: inout ViewTurn) -> [DashboardEffect] {
        guard model.firing > 0 else { return [.quit] }
        turn.ask(.confirm(.quit(firing: model.firing)))
        return []
    }
}
