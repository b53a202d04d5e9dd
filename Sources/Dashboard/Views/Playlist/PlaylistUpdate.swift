import HLS
import Ports
import Screen
import Session

extension PlaylistPane {
    /// The rows of the shown playlist, with the cursor where it was or at the playhead.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        let before = list.model.selectedRow
        // Segments removed at the top must not move the text that is being read.
        if make(turn.scene.shown), !list.follows {
            list.offset = max(0, list.offset + list.model.selectedRow - before)
        }
        if list.follows, !turn.isHeld, let row = list.model.row(at: turn.scene.position), row != list.model.selectedRow
        {
            moveCursor(to: row, &turn)
        }
        list.lastRow = list.model.selectedRow
    }

    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) { make(snapshot) }

    /// Makes the rows where they are out of date.
    /// - Returns: whether they were made.
    @discardableResult
    private mutating func make(_ snapshot: Snapshot) -> Bool {
        guard !list.model.fits(snapshot, filter: filter) else { return false }
        list.model = PlaylistModel(snapshot, list)
        return true
    }

    /// Turns following the playhead on, off, or over (nil).
    mutating func follow(_ flag: Bool?, _ turn: inout ViewTurn) {
        list.offset = list.viewport(height: turn.rows.height).offset
        list.follows = flag ?? !list.follows
        turn.toast(list.follows ? "following the playhead" : "not following the playhead", isGood: true)
    }

    /// The next ad marker or date range in that direction.
    mutating func selectBreak(_ step: Int, _ turn: inout ViewTurn) {
        var row = list.model.selectedRow + step
        while list.model.rows.indices.contains(row), !list.model.rows[row].isMarker { row += step }
        if list.model.rows.indices.contains(row) {
            select(row: row, &turn)
        } else {
            turn.toast("no marker \(step > 0 ? "after" : "before") this row", isGood: false)
        }
        turn.ask(.focus(.playlist))
    }

    /// The next finding, or the next segment with a finding; after the last the first.
    mutating func selectFailure(_ turn: inout ViewTurn) -> Bool {
        let count = list.model.rows.count
        for distance in stride(from: 1, through: count, by: 1) {
            let row = (list.model.selectedRow + distance) % count
            guard list.model.hasFinding(row) else { continue }
            select(row: row, &turn)
            turn.ask(.focus(.playlist))
            return true
        }
        turn.toast("the playlist has no findings", isGood: true)
        return true
    }
}

extension PlaylistModel.Row {
    /// A tag about ads or dates.
    var isMarker: Bool {
        switch self {
        case .cue, .dateRange: true
        default: false
        }
    }
}

extension PlaylistModel {
    /// Whether a finding concerns the row.
    func hasFinding(_ row: Int) -> Bool {
        switch rows[row] {
        case .finding: true
        case .segment(let index): flags[index] != nil
        default: false
        }
    }

    /// The URL of the selected row, nil where it has none.
    var address: String? {
        guard let selected, let playlist else { return nil }
        switch selected {
        case .head: return detail?.text.url
        case .segment(let index): return playlist.segments[index].uri
        case .part(let index, let part):
            return (index.map { playlist.segments[$0].parts } ?? playlist.trailingParts)[part].uri
        case .hint(let index): return playlist.preloadHints[index].uri
        case .report(let index): return playlist.renditionReports[index].uri
        case .dateRange(let index):
            let item = playlist.interstitials.first { $0.id == playlist.dateRanges[index].id }
            return item?.assetList ?? item?.assetURI
        case .finding, .cue: return nil
        }
    }
}

extension PlaylistModel {
    /// The finding of the selected row, or the first of its segment, marker or date range.
    var selectedFinding: Finding? {
        guard let selected, let playlist else { return nil }
        switch selected {
        case .finding(let index): return findings[index].finding
        case .segment(let index): return flags[index]?.first
        case .part(let index, _): return index.flatMap { flags[$0]?.first }
        case .cue(let index): return finding(atLine: playlist.cuePoints[index].line)
        case .dateRange(let index): return finding(atLine: playlist.dateRanges[index].line)
        case .head, .hint, .report: return nil
        }
    }

    private func finding(atLine line: Int) -> Finding? {
        detail?.text.findings.first { $0.line == line }
    }
}
