import AdTracking
import Ports
import Screen
import Session

/// The detail of a break, ad or event.
enum BreaksDetail {
    /// Adds everything known about the selected node.
    static func add(_ model: TreeModel, _ context: ViewContext, to fields: inout FieldLines) {
        guard let row = model.selected else {
            return fields.add(StyledLine("nothing selected", .textMuted))
        }
        if let group = row.group {
            GroupRow.addDetail(group, row, model, context, to: &fields)
        } else if let event = model.event(row) {
            EventDetail.add(event, row, model, context, to: &fields)
        } else if let ad = model.ad(row) {
            NodeDetail.add(ad, row, model, context, to: &fields)
        } else {
            NodeDetail.add(model.summaries[row.breakIndex], context, to: &fields)
        }
    }

    /// In three rows an event has its compact form.
    static func compact(
        _ model: TreeModel, _ context: ViewContext, in content: Size, withKeys hasKeys: Bool
    ) -> [HintRow]? {
        guard content.rows <= CompactDetail.rowCount, let event = model.selected.flatMap(model.event)
        else { return nil }
        return CompactDetail.rows(event, context, columns: content.columns, withKeys: hasKeys)
    }

    static func title(_ model: TreeModel, _ context: ViewContext) -> StyledLine {
        guard let row = model.selected else { return ScrollLines.title("[2] Event", pane: .detail, context) }
        let name: SafeText = row.depth == 0 ? "[2] Break" : row.depth == 1 ? "[2] Ad" : "[2] Event"
        if let group = row.group {
            return ScrollLines.title(
                group == .viewerActions ? "[2] Viewer actions" : "[2] Earlier breaks", pane: .detail, context)
        }
        var line = ScrollLines.title(name, pane: .detail, context)
        let isStacked = !context.isBoxed
        guard isStacked || context.sizeClass == .huge else { return line }
        line.space(2)
        if isStacked, let event = model.event(row) {
            line.append(SafeText(outside: event.event, columns: 24), .paneTitle)
            return line
        }
        line.append(SafeText(outside: model.breakView(row).label, columns: 12), .paneTitle)
        if let ad = model.ad(row) { line.append(" / " + SafeText(outside: ad.label, columns: 12), .paneTitle) }
        if let event = model.event(row) { line.append(" / " + SafeText(outside: event.event, columns: 24), .paneTitle) }
        return line
    }

    static func status(_ model: TreeModel, _ context: ViewContext) -> [StyledLine] {
        guard let row = model.selected, row.group == nil else { return [] }
        let summary = model.summaries[row.breakIndex]
        if let event = model.event(row) {
            let sign = StateSign(event)
            return [context.badge(sign), context.badge(sign, withWord: false)]
        }
        var node = NodeSign(summary.view, summary.tally)
        if let ad = model.ad(row), let index = row.adIndex { node = NodeSign(ad, summary.ads[index]) }
        return [context.badge(node), context.badge(node, withWord: false)]
    }

    static func hints(_ model: TreeModel, _ context: ViewContext) -> HintRow? {
        guard let event = model.selected.flatMap(model.event) else { return nil }
        return KeyHints.row(
            (event.hasLoss && context.actsOnSession ? [(.retry, "retry")] : [])
                + [(.copyURL, "copy url"), (.copyCurl, "copy curl"), (.copyReport, "bug report")], context,
            gap: 2)
    }
}
