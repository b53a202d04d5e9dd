import Bidding
import Monitoring
import Ports

extension DashboardState {
    /// The rows of the shown auction; the cursor of a new one starts at its winner.
    mutating func refreshAuction(_ scene: Scene) {
        let view = scene.shown.auction
        if auction.model.view?.number != view?.number {
            auction.selection = nil
            auction.offset = 0
        }
        fitAuction(view)
        auction.lastRow = auction.model.selectedRow
    }

    /// Makes the rows where they are out of date.
    mutating func fitAuction(_ view: AuctionView?) {
        guard !auction.model.fits(view, filter: auction.filter, showsKeys: showsAuctionKeys) else { return }
        auction.model = AuctionModel(view, auction, showsKeys: showsAuctionKeys)
    }

    /// The effects of an action in the auction view; nil for actions with their usual meaning.
    mutating func performInAuction(_ action: Action, _ scene: Scene) -> [DashboardEffect]? {
        switch action {
        case .auctionRun: return hold(scene)
        // With a filter the key moves between matches.
        case .nextMatch where auction.filter.isEmpty: return hold(scene)
        // Rows of this view never wrap, and w warms the cache in the cache view too.
        case .wrap: return [.auction(.warm)]
        case .auctionKeys:
            showsAuctionKeys.toggle()
            // The other list starts at its first row.
            (auction.selection, auction.lastRow, auction.offset) = (nil, 0, 0)
            return []
        case .auctionNotices: return askForNotices(scene)
        case .priceUp, .zoom: return changePrice(1, scene)
        case .priceDown: return changePrice(-1, scene)
        default: return nil
        }
    }

    private mutating func hold(_ scene: Scene) -> [DashboardEffect] {
        guard let next = scene.live.auction?.underWay else { return [.auction(.run)] }
        toast("auction \(next.number) is still running", isGood: false, now: scene.now)
        return []
    }

    private mutating func changePrice(_ cents: Int, _ scene: Scene) -> [DashboardEffect] {
        guard let selected = auction.model.selectedCandidate, selected.candidate.price != nil else {
            let isDecided = scene.shown.auction?.result != nil
            let reason = isDecided ? "the selected row has no price" : "the auction is still running"
            toast(reason, isGood: false, now: scene.now)
            return []
        }
        guard scene.shown.auction?.number == scene.live.auction?.number else {
            toast("a newer auction has been decided; old prices cannot be changed", isGood: false, now: scene.now)
            return []
        }
        auction.selection = .candidate(selected.index)
        return [.auction(.changePrice(candidate: selected.index, byCents: cents))]
    }

    /// The user has confirmed the notices of that auction; those of a newer one have other receivers.
    mutating func sendNotices(ofAuction number: Int, _ scene: Scene) -> [DashboardEffect] {
        guard scene.live.auction?.number == number else {
            toast("a newer auction has been decided: nothing was sent; press f again", isGood: false, now: scene.now)
            return []
        }
        return [.auction(.fireNotices)]
    }

    private mutating func askForNotices(_ scene: Scene) -> [DashboardEffect] {
        let open = scene.live.auction?.notices.filter { $0.state == .observed } ?? []
        if !scene.live.session.canArm {
            toast("read-only: notices cannot be sent", isGood: false, now: scene.now)
        } else if scene.live.auction?.isWhatIf == true {
            toast(
                "what-if prices: notices are never sent; press n to run the auction again", isGood: false,
                now: scene.now)
        } else if open.isEmpty {
            toast("no notices to send", isGood: true, now: scene.now)
        } else {
            // An invalid address has no host to name.
            let hosts = Set(open.compactMap { try? WebURL($0.url).host }).sorted()
            confirmation = .fireNotices(
                auction: scene.live.auction?.number ?? 0, count: open.count,
                hosts: Array(hosts.prefix(Confirmation.namedHosts)))
        }
        return []
    }
}
