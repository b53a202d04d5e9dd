import Ports
import Screen
import Session

/// The ad under the cursor: its wrapper chain, its media, its companions and icons, its findings.
struct CreativePane: ListView {
    var list = ListState<CreativeModel>()
    /// Whether the breaks follow the playhead: the ad of this view is the one under their cursor.
    private var followsBreaks = false

    var pane: Pane { .creative }
    /// An answer is read in its detail.
    var stackedRows: Int { list.model.count == 0 ? 0 : max(list.model.count, 2) }
    var hints: [FooterHint] {
        [FooterHint([.left, .right], "ad", place: 5), FooterHint([.copyURL], "copy", place: 13)]
    }
    var helpKeys: [HelpKey] {
        [
            HelpKey(.open, "detail of the row", ofRows: true), HelpKey(.left, "previous ad", ofRows: true),
            HelpKey(.right, "next ad", ofRows: true),
            HelpKey(.nextBreak, "next break"), HelpKey(.previousBreak, "previous break"), HelpKey(.copyURL),
            .copyCurl,
        ]
    }
    var address: String? { list.model.address }
    var finding: Finding? { list.model.selectedFinding }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        ListPane(
            pane: .creative, title: title(context), status: status(context), count: model.rows.count,
            selected: model.selectedRow, filter: filter, absence: absence(context)
        ).draw(context, shown: list.viewport(height:), in: rect, on: &grid) { index, shown, place, grid in
            // The name of a list is at its first row, and at its first visible row.
            let isFirst = index == shown.offset || !model.rows[index].isSameList(as: model.rows[index - 1])
            let text = CreativeRowLine.line(
                model.rows[index], of: model, withLabel: isFirst, context, width: place.width)
            grid.put(text, at: place.origin, maxColumns: place.width)
        }
    }

    /// One row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = list.model.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        let line = CreativeRowLine.line(selected, of: list.model, withLabel: true, context, width: rect.width)
        grid.put(line, at: rect.origin, maxColumns: rect.width)
    }

    private func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[7] Creative", .paneTitle)
        if let subject = list.model.subject {
            line.append("  " + SafeText(outside: subject.breakLabel, columns: 12), .paneTitle)
            line.append(" / " + SafeText(outside: subject.ad.label, columns: 12), .paneTitle)
        }
        return line
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        var head = StyledLine()
        if followsBreaks { head.append("FOLLOW", .paneTitle) }
        guard list.model.subject != nil else { return [head] }
        let creative = list.model.creative
        var counts = head
        let numbers = [
            (creative.hops.count, "hop"), (creative.media.count, "file"), (creative.findings.count, "VAST finding"),
        ]
        for (count, noun) in numbers where count > 0 {
            if counts.columns > 0 { counts.space(2) }
            counts.add(count.counted(noun), .paneCount)
        }
        return [counts, head]
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        list.model.subject == nil
            ? [StyledLine("no ad under the cursor in the breaks view", .text)]
            : ListPane.nothing(matches: filter)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title(CreativeItemDetail.title(list.model.selected), pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        CreativeItemDetail.add(list.model, context, to: &fields)
    }

    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        followsBreaks = breaks.tree.follows
        let ad = breaks.model.adUnderCursor
        if !list.model.fits(ad, filter: filter) { list.model = CreativeModel(ad, list) }
    }
}
