import HLS
import Monitoring
import Ports
import Screen

/// Moving in lists, the same in every view that has one.
enum ListMove {
    /// The row that an action leads to from `row`, within `count` rows of which `page` are visible; nil when the action
    /// does not move.
    static func row(_ action: Action, from row: Int, count: Int, page: Int, isFiltered: Bool) -> Int? {
        guard count > 0 else { return nil }
        let page = max(1, page - 1)
        let target: Int
        switch action {
        case .up: target = row - 1
        case .down: target = row + 1
        case .first: target = 0
        case .last: target = count - 1
        case .pageUp: target = row - page
        case .pageDown: target = row + page
        case .halfPageUp: target = row - max(1, page / 2)
        case .halfPageDown: target = row + max(1, page / 2)
        // A filter leaves only what matches: the next match is the next row, round and round.
        case .nextMatch where isFiltered: target = (row + 1) % count
        case .previousMatch where isFiltered: target = (row + count - 1) % count
        default: return nil
        }
        return min(max(target, 0), count - 1)
    }
}

extension DashboardState {
    /// Makes the rows of the open view anew where they no longer fit, and lets its cursor follow the playhead.
    mutating func refreshLists(_ scene: Scene) {
        switch main {
        case .playlist: refreshPlaylist(scene)
        case .creative: refreshCreative()
        default: break
        }
    }

    /// Turns following the playhead on, off, or over (nil), in the view that is open.
    mutating func setFollowing(_ flag: Bool?) {
        if main == .playlist {
            keepPlaylistOffset()
            playlist.follows = flag ?? !playlist.follows
        } else {
            keepOffset()
            tree.follows = flag ?? !tree.follows
        }
    }

    /// Copies the address of what is selected in a list.
    func selectedAddress() -> String? {
        switch main {
        case .playlist: playlistModel.address
        case .creative: creativeModel.address
        default: nil
        }
    }

    /// Copies the address of the selected row.
    mutating func copySelected(_ kind: CopyKind, _ scene: Scene) -> [DashboardEffect] {
        guard kind != .json else {
            toast("only breaks, ads and events are copied as JSON", isGood: false, now: scene.now)
            return []
        }
        guard let url = selectedAddress() else {
            toast("the selected row has no URL", isGood: false, now: scene.now)
            return []
        }
        return [.copy(kind == .curl ? CopyText.curl(url) : CopyText.url(url), kind)]
    }

    /// A click on a row selects it, a double one opens its detail.
    mutating func clickList(_ pane: Pane, _ point: Point, _ context: ViewContext, isDouble: Bool) {
        let content = context.layout.content(of: pane)
        guard content.contains(point) else { return }
        let line = point.y - content.y
        if pane == .playlist {
            let index = PlaylistPane.viewport(context, height: content.height).offset + line
            guard playlistModel.rows.indices.contains(index) else { return }
            select(playlistRow: index)
        } else {
            let index = CreativePane.viewport(context, height: content.height).offset + line
            guard creativeModel.rows.indices.contains(index) else { return }
            select(creativeRow: index)
        }
        if isDouble { focusPane(.detail) }
    }
}
