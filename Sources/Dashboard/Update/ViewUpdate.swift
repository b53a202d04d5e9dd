import HLS
import Monitoring
import Ports
import Screen

extension DashboardState {
    /// Rebuilds the rows of the open view where they are out of date, and moves its cursor with the playhead.
    mutating func refreshLists(_ scene: Scene) {
        switch main {
        case .playlist: refreshPlaylist(scene)
        case .creative: refreshCreative()
        case .auction: refreshAuction(scene)
        case .formats: refreshFormats(scene)
        case .cache: refreshCache(scene)
        default: break
        }
    }

    /// Turns following the playhead on, off, or over (nil), in the view that is open.
    mutating func setFollowing(_ flag: Bool?) {
        if main == .playlist {
            playlist.offset = viewport(of: .playlist).offset
            playlist.follows = flag ?? !playlist.follows
        } else {
            keepOffset()
            tree.follows = flag ?? !tree.follows
        }
    }

    /// Copies the address of the selected row of a list.
    mutating func copySelected(_ kind: CopyKind, _ scene: Scene) -> [DashboardEffect] {
        guard kind != .json else {
            toast("only breaks, ads and events can be copied as JSON", isGood: false, now: scene.now)
            return []
        }
        guard let url = selectedAddress else {
            toast("the selected row has no URL", isGood: false, now: scene.now)
            return []
        }
        return [.copy(kind == .curl ? CopyText.curl(url) : CopyText.url(url), kind)]
    }

    /// The URL of the selected row of the list that is open.
    private var selectedAddress: String? {
        switch main {
        case .playlist: playlistModel.address
        case .auction: auctionModel.address
        case .cache: cacheModel.address
        case .formats: nil
        default: creativeModel.address
        }
    }
}
