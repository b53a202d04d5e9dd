import Bidding
import Ports
import Screen
import Session

extension AuctionPane {
    /// The rows of the shown auction; the cursor of a new one starts at its winner.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        if list.model.view?.number != turn.scene.shown.auction?.number {
            list.selection = nil
            list.offset = 0
        }
        fit(turn.scene.shown, breaks: breaks)
        list.lastRow = list.model.selectedRow
    }

    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        guard !list.model.fits(snapshot.auction, filter: filter, showsKeys: showsKeys) else { return }
        list.model = AuctionModel(snapshot.auction, list, showsKeys: showsKeys)
    }

    /// The effects of an action in the auction view; nil for actions with their usual meaning.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard turn.isFocused else { return nil }
        switch action {
        case .auctionRun: return hold(&turn)
        // With a filter the key moves between matches.
        case .nextMatch where filter.isEmpty: return hold(&turn)
        // Rows of this view never wrap, and w warms the cache in the cache view too.
        case .wrap: return [.auction(.warm)]
        case .auctionKeys:
            guard turn.scene.shown.auction != nil else { return lacksAuction(&turn) }
            showsKeys.toggle()
            // The other list starts at its first row.
            (list.selection, list.lastRow, list.offset) = (nil, 0, 0)
            return []
        // Elsewhere the key opens the findings.
        case .paneFindings where key != nil, .auctionNotices: return askForNotices(&turn)
        case .priceUp, .zoom: return changePrice(1, &turn)
        case .priceDown: return changePrice(-1, &turn)
        default: return nil
        }
    }

    private mutating func hold(_ turn: inout ViewTurn) -> [DashboardEffect] {
        guard let next = turn.scene.live.auction?.underWay else { return [.auction(.run)] }
        turn.toast("auction \(next.number) is still running", isGood: false)
        return []
    }

    private func lacksAuction(_ turn: inout ViewTurn) -> [DashboardEffect] {
        turn.toast("no auction in this session", isGood: false)
        return []
    }

    private mutating func changePrice(_ cents: Int, _ turn: inout ViewTurn) -> [DashboardEffect] {
        guard turn.scene.shown.auction != nil else { return lacksAuction(&turn) }
        guard let selected = list.model.selectedCandidate, selected.candidate.price != nil else {
            let isDecided = turn.scene.shown.auction?.result != nil
            let reason = isDecided ? "the selected row has no price" : "the auction is still running"
            turn.toast(reason, isGood: false)
            return []
        }
        guard turn.scene.shown.auction?.number == turn.scene.live.auction?.number else {
            turn.toast("a newer auction has been decided; old prices cannot be changed", isGood: false)
            return []
        }
        list.selection = .candidate(selected.index)
        return [.auction(.changePrice(candidate: selected.index, byCents: cents))]
    }

    private mutating func askForNotices(_ turn: inout ViewTurn) -> [DashboardEffect] {
        let open = turn.scene.live.auction?.notices.filter { $0.state == .observed } ?? []
        if !turn.scene.live.session.canArm {
            turn.toast("read-only: notices cannot be sent", isGood: false)
        } else if turn.scene.live.auction?.isWhatIf == true {
            turn.toast(
                "what-if prices: notices are never sent; press n to run the auction again", isGood: false)
        } else if open.isEmpty {
            turn.toast("no notices to send", isGood: true)
        } else {
            // An invalid address has no host to name.
            let hosts = Set(open.compactMap { try? WebURL($0.url).host }).sorted()
            turn.ask(
                .confirm(
                    .fireNotices(
                        auction: turn.scene.live.auction?.number ?? 0, count: open.count,
                        hosts: Array(hosts.prefix(Confirmation.namedHosts)))))
        }
        return []
    }
}
