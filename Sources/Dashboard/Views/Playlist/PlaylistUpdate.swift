import HLS
import Monitoring
import Ports
import Screen

extension DashboardState {
    /// The rows of the shown playlist, with the cursor where it was or at the playhead.
    mutating func refreshPlaylist(_ scene: Scene) {
        let before = playlist.model.selectedRow
        // Segments removed at the top must not move the text that is being read.
        if fitPlaylist(scene.shown), !playlist.follows {
            playlist.offset = max(0, playlist.offset + playlist.model.selectedRow - before)
        }
        if playlist.follows, held == nil, let row = playlist.model.row(at: scene.position),
            row != playlist.model.selectedRow
        {
            moveCursor(to: row, in: .playlist)
        }
        playlist.lastRow = playlist.model.selectedRow
    }

    /// Makes the rows where they are out of date.
    /// - Returns: whether they were made.
    @discardableResult
    mutating func fitPlaylist(_ snapshot: Snapshot) -> Bool {
        guard !playlist.model.fits(snapshot, filter: playlist.filter) else { return false }
        playlist.model = PlaylistModel(snapshot, playlist)
        return true
    }

    /// Turns following the playhead on, off, or over (nil).
    mutating func followPlaylist(_ flag: Bool?) {
        playlist.offset = viewport(of: .playlist).offset
        playlist.follows = flag ?? !playlist.follows
    }

    /// The next ad marker or date range in that direction.
    mutating func selectMarker(_ step: Int) {
        var row = playlist.model.selectedRow + step
        while playlist.model.rows.indices.contains(row), !playlist.model.rows[row].isMarker { row += step }
        if playlist.model.rows.indices.contains(row) { select(row: row, in: .playlist) }
        focusPane(.playlist)
    }

    /// The next finding, or the next segment with a finding; after the last the first.
    mutating func selectNextFinding(_ scene: Scene) {
        let count = playlist.model.rows.count
        for distance in stride(from: 1, through: count, by: 1) {
            let row = (playlist.model.selectedRow + distance) % count
            guard playlist.model.hasFinding(row) else { continue }
            select(row: row, in: .playlist)
            return focusPane(.playlist)
        }
        toast("the playlist has no findings", isGood: true, now: scene.now)
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
