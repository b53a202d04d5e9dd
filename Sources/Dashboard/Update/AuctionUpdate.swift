import Bidding
import Monitoring
import Ports

extension DashboardState {
    /// The rows of the auction that is shown; another auction begins at its winner.
    mutating func refreshAuction(_ scene: Scene) {
        let view = scene.shown.auction
        if !auctionModel.fits(view, filter: auction.filter, showsKeys: showsAuctionKeys) {
            if auctionModel.view?.number != view?.number {
                auction.selection = nil
                auction.offset = 0
            }
            auctionModel = AuctionModel(view, auction, showsKeys: showsAuctionKeys)
        }
        auction.lastRow = auctionModel.selectedRow
    }

    /// What an action does in the auction; nil where it does there what it does everywhere.
    mutating func performInAuction(_ action: Action, _ scene: Scene) -> [DashboardEffect]? {
        switch action {
        case .auctionRun: return [.auction(.run)]
        // A filter leaves the key to its matches.
        case .nextMatch where auction.filter.isEmpty: return [.auction(.run)]
        // Rows of this view never wrap; w is the key that warms in the cache view, too.
        case .wrap: return [.auction(.warm)]
        case .auctionKeys:
            showsAuctionKeys.toggle()
            // The other list begins at its own beginning.
            (auction.selection, auction.lastRow, auction.offset) = (nil, 0, 0)
            return []
        case .auctionNotices: return askForNotices(scene)
        case .priceUp, .zoom: return changePrice(1, scene)
        case .priceDown: return changePrice(-1, scene)
        default: return nil
        }
    }

    private mutating func changePrice(_ cents: Int, _ scene: Scene) -> [DashboardEffect] {
        guard let selected = auctionModel.selectedCandidate, selected.candidate.price != nil else {
            let isHeld = scene.shown.auction?.result != nil
            let reason = isHeld ? "the selected row has no price" : "the auction is still being held"
            toast(reason, isGood: false, now: scene.now)
            return []
        }
        auction.selection = .candidate(selected.index)
        return [.auction(.changePrice(candidate: selected.index, byCents: cents))]
    }

    private mutating func askForNotices(_ scene: Scene) -> [DashboardEffect] {
        let open = scene.live.auction?.notices.filter { $0.state == .observed } ?? []
        if !scene.live.session.canArm {
            toast("nothing may be sent in this session", isGood: false, now: scene.now)
        } else if scene.live.auction?.isWhatIf == true {
            toast("notices of what-if prices are never sent: n holds the auction again", isGood: false, now: scene.now)
        } else if open.isEmpty {
            toast("there are no notices to send", isGood: true, now: scene.now)
        } else {
            // An address that cannot be read has no host to name.
            let hosts = Set(open.compactMap { try? WebURL($0.url).host }).sorted()
            confirmation = .fireNotices(count: open.count, hosts: Array(hosts.prefix(Confirmation.namedHosts)))
        }
        return []
    }
}
