import Bidding
import Ports
import Screen
import Session

/// The rows of the auction view for one auction and one filter.
package struct AuctionModel: ListRows {
    /// The auction, nil where none is configured.
    private(set) var view: AuctionView?
    private var filter: String?
    private var showsKeys = false
    /// All rows, also those scrolled away.
    private(set) var rows: [AuctionItem] = []
    /// The columns of all candidates, so that scrolling does not move them.
    private(set) var columns = AuctionColumns()
    /// The row under the cursor.
    package private(set) var selectedRow = 0

    /// No rows.
    package init() {}

    /// The rows of an auction; the cursor starts at the winner.
    init(_ view: AuctionView?, _ state: ListState<AuctionModel>, showsKeys: Bool) {
        self.view = view
        filter = state.filter
        self.showsKeys = showsKeys
        if let view {
            columns = AuctionColumns(view)
            rows = showsKeys ? Self.keys(view, TextFilter(state.filter)) : Self.rows(view, TextFilter(state.filter))
        }
        let winner = view?.result?.winner.map(AuctionItem.candidate)
        let wanted = state.selection.flatMap { rows.firstIndex(of: $0) } ?? winner.flatMap { rows.firstIndex(of: $0) }
        select(wanted ?? state.lastRow)
    }

    /// Whether the rows are those of that auction under that filter.
    func fits(_ view: AuctionView?, filter: String, showsKeys: Bool) -> Bool {
        self.filter == filter && self.showsKeys == showsKeys && self.view == view
    }

    package var count: Int { rows.count }

    /// Moves the cursor, clamped to the rows.
    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    /// The row under the cursor, nil while there are none.
    var selected: AuctionItem? { item(at: selectedRow) }

    /// The item of a row, nil outside.
    package func item(at row: Int) -> AuctionItem? { rows.indices.contains(row) ? rows[row] : nil }

    /// The URL of the selected row, nil where it has none.
    var address: String? {
        guard case .notice(let index)? = selected, let notices = view?.notices, notices.indices.contains(index) else {
            return nil
        }
        return notices[index].url
    }

    /// The candidate under the cursor.
    var selectedCandidate: (index: Int, candidate: Candidate)? {
        guard case .candidate(let index)? = selected, let candidates = view?.result?.candidates,
            candidates.indices.contains(index)
        else { return nil }
        return (index, candidates[index])
    }

    /// The winner first, then the losers, then line items that were not eligible.
    private static func rows(_ view: AuctionView, _ filter: TextFilter) -> [AuctionItem] {
        guard let result = view.result else { return [] }
        var rows: [AuctionItem] = [.stepNames, .stepTimes, .columns]
        func rank(_ state: Candidate.State) -> Int {
            switch state {
            case .won: 0
            case .lost: 1
            case .proxy: 2
            case .notEligible: 3
            }
        }
        let order = result.candidates.indices.sorted { left, right in
            let (first, second) = (result.candidates[left], result.candidates[right])
            let (firstRank, secondRank) = (rank(first.state), rank(second.state))
            if firstRank != secondRank { return firstRank < secondRank }
            if first.cpm != second.cpm { return first.cpm ?? .zero > second.cpm ?? .zero }
            return left < right
        }
        rows += order.filter { index in
            let candidate = result.candidates[index]
            return filter.passes(anyOf: [
                candidate.source.rawValue, candidate.id, candidate.who, candidate.bidder ?? "",
                candidate.lostReason?.words ?? "", candidate.lostReason?.rawValue ?? "",
            ])
        }.map(AuctionItem.candidate)
        rows += result.nonBids.indices.filter { index in
            filter.passes(anyOf: [result.nonBids[index].seat, result.nonBids[index].reason])
        }.map(AuctionItem.nonBid)
        if result.forwarded != nil { rows.append(.forwarded) }
        if !result.callbacks.isEmpty { rows.append(.callbacks) }
        rows += view.notices.indices.filter { filter.passes(anyOf: [view.notices[$0].url, view.notices[$0].who]) }
            .map(AuctionItem.notice)
        rows += view.warm.indices.filter { filter.passes(anyOf: [view.warm[$0].id, view.warm[$0].bidder]) }
            .map(AuctionItem.warm)
        if result.pod != nil { rows.append(.pod) }
        return rows + result.warnings.indices.map(AuctionItem.warning)
    }

    private static func keys(_ view: AuctionView, _ filter: TextFilter) -> [AuctionItem] {
        view.keys.indices.filter { filter.passes(anyOf: [view.keys[$0].name, view.keys[$0].value]) }
            .map(AuctionItem.key)
    }
}
