import Bidding
import Ports
import Screen
import Session

/// The auction beside the stream: its steps, all candidates for the slot with the reasons, and its notices.
struct AuctionPane: ListView {
    /// There is no playhead in it.
    var list = ListState<AuctionModel>(follows: false)
    /// Whether targeting keys are shown instead of candidates.
    var showsKeys = false

    var pane: Pane { .auction }
    var address: String? { list.model.address }
    var hints: [FooterHint] {
        [
            FooterHint([.auctionRun], "again", place: 1),
            // Two keys raise a price: the one shown is the counterpart of the key that lowers it.
            FooterHint([.zoom, .priceDown], "price", place: 1),
            FooterHint([.auctionKeys], "keywords", short: "keys", place: 1),
            FooterHint([.auctionNotices], "notices", place: 1),
        ]
    }
    var helpKeys: [HelpKey] {
        let (again, notices): (SafeText, SafeText) = ("run the auction again", "send the notices of the auction")
        return [
            HelpKey(.open, "detail of the row", ofRows: true), HelpKey(.auctionRun, again),
            HelpKey(.nextMatch, again + "; with a filter the next match"),
            HelpKey(.zoom, "raise the selected price by 0.01"), HelpKey(.priceDown, "lower the selected price by 0.01"),
            HelpKey(.auctionKeys), HelpKey(.auctionNotices, notices), HelpKey(.paneFindings, notices),
            HelpKey(.wrap, "store its creatives in the cache"), HelpKey(.copyURL), .copyCurl,
        ]
    }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        ListPane(
            pane: .auction, title: title(context), status: status(context), count: model.rows.count,
            selected: model.selectedRow, filter: filter, absence: absence(context)
        ).draw(context, shown: list.viewport(height:), in: rect, on: &grid) { index, _, place, grid in
            let line = AuctionRowLine.line(model.rows[index], of: model, context, width: place.width)
            grid.put(line, at: place.origin, maxColumns: place.width)
        }
    }

    /// One row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = list.model.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        grid.put(
            AuctionRowLine.line(selected, of: list.model, context, width: rect.width), at: rect.origin,
            maxColumns: rect.width)
    }

    private func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[8] Auction", .paneTitle)
        guard let view = list.model.view else { return line }
        line.append("  " + SafeText(outside: view.id, columns: 24), .paneTitle)
        line.append("  " + SafeText(outside: view.placement.id, columns: 24), .paneTitle)
        return line
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        guard let view = list.model.view else { return [] }
        let head = head(view)
        let size = view.placement.sizes.first.map { "\($0) " } ?? ""
        let price = view.rules.auctionType == 2 ? "second price" : "first price"
        var all = head
        if all.columns > 0 { all.space(2) }
        all.add("\(size)\(price)  tmax \(view.rules.deadline.inMilliseconds) ms", .paneCount)
        guard view.result != nil, let next = view.underWay else { return [all, head] }
        var start = head
        if start.columns > 0 { start.space(2) }
        var (long, short, tiny) = (start, start, start)
        long.add("next: waiting for \(next.waitingFor.joined(separator: ", "))", .stateBusy)
        short.add("next: \(next.answered) of \(next.asked) answered", .stateBusy)
        tiny.append("next", .stateBusy)
        return [long, short, tiny, head]
    }

    private func head(_ view: AuctionView) -> StyledLine {
        if view.isWhatIf { return StyledLine("WHAT IF", .stateRetry) }
        guard let result = view.result else {
            return .of("\(view.answered) of \(view.asked) answered", .stateBusy)
        }
        return result.failure == .noFill ? StyledLine("no fill", .stateFailed) : StyledLine()
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        guard let view = list.model.view else {
            return [
                StyledLine("no auction in this session", .text),
                StyledLine("--auction FILE adds one (docs/auction.md); adtop demo has one", .textMuted),
            ]
        }
        if view.result == nil {
            let asked = StyledLine.of("\(view.asked.counted("bidder")) asked, \(view.answered) answered", .textMuted)
            guard !view.waitingFor.isEmpty else { return [asked] }
            return [asked, .of("waiting for \(view.waitingFor.joined(separator: ", "))", .textMuted)]
        }
        if showsKeys, view.keys.isEmpty {
            return [StyledLine("no targeting keys from a Prebid Server", .text)]
        }
        return ListPane.nothing(matches: filter)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title(AuctionItemDetail.title(list.model.selected), pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        AuctionItemDetail.add(list.model, context, to: &fields)
    }
}
