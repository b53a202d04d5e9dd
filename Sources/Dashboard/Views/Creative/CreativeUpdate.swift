import Ports
import Session

extension CreativePane {
    /// The rows of the ad under the cursor; the cursor of another ad starts at its first row.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        if list.model.adPath != breaks.model.adUnderCursor?.path {
            list.selection = nil
            list.lastRow = 0
            list.offset = 0
            turn.ask(.restartDetail)
        }
        fit(turn.scene.shown, breaks: breaks)
        list.lastRow = list.model.selectedRow
    }

    /// Moves in the creative; left and right go to the previous and the next ad.
    mutating func move(_ action: Action, _ turn: inout ViewTurn) {
        switch action {
        case .left: turn.ask(.selectAd(-1))
        case .right: turn.ask(.selectAd(1))
        default: moveRows(action, &turn)
        }
    }

    /// Another break is another creative.
    mutating func selectBreak(_ step: Int, _ turn: inout ViewTurn) { turn.ask(.selectBreak(step)) }
}

extension CreativeModel {
    /// The finding of the selected row, or the first of its hop; nil for rows of other kinds.
    var selectedFinding: Finding? {
        switch selected {
        case .finding(let index): findings[index].finding
        case .hop(let index): creative.hops[index].findings.first
        default: nil
        }
    }
}
