import AdTracking
import Ports
import Screen
import Session

/// A row that folds others: the breaks before the join, or the events of an ad that playback does not send.
enum GroupRow {
    /// Adds its text behind the arrow.
    static func add(
        _ group: TreeModel.Group, _ row: TreeModel.Row, of model: TreeModel, _ context: ViewContext,
        to line: inout StyledLine
    ) {
        switch group {
        case .earlier(let count):
            line.add("\(count.grouped) earlier breaks (\(ReasonWord.beforeJoin.short))", .textMuted)
        case .viewerActions:
            line.append(context.badge(.idle, withWord: false))
            line.space()
            line.add(actions(model.folded(row), context), .textMuted)
        }
    }

    /// `8 viewer actions (m p), 1 click, 1 without a moment`.
    private static func actions(_ events: [EventView], _ context: ViewContext) -> String {
        let clicks = events.count { $0.reason == .clickClass }
        let others = events.count { $0.reason == .verificationClass }
        let timeless = events.count { $0.reason == .userClass && !$0.isUserTriggered }
        let actions = events.count - clicks - others - timeless
        var parts: [String] = []
        if actions > 0 {
            let keys = [Action.mute, .pause].map(context.key).filter { !$0.isEmpty }
            let canAct = context.actsOnSession && !keys.isEmpty
            parts.append(actions.counted("viewer action") + (canAct ? " (\(keys.joined(separator: " ")))" : ""))
        }
        if clicks > 0 { parts.append(clicks.counted("click")) }
        if others > 0 { parts.append(others.counted("verification")) }
        if timeless > 0 { parts.append("\(timeless.grouped) without a moment") }
        return parts.joined(separator: ", ")
    }

    /// Adds the detail of the row.
    static func addDetail(
        _ group: TreeModel.Group, _ row: TreeModel.Row, _ model: TreeModel, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        switch group {
        case .earlier(let count):
            fields.field("breaks", "\(count.grouped) \(ReasonWord.beforeJoin.short)")
            let sum = model.summaries[model.earlier].reduce(into: Tally()) { $0.add($1.tally) }
            let reason = sum.reason ?? .beforeJoin
            let why = reason == .beforeJoin ? "this session joined after them" : reason.sentence
            fields.field("reason", "\(why): none of their beacons is sent")
            fields.blank()
            for summary in model.summaries[model.earlier] {
                var line = StyledLine(SafeText(outside: summary.view.label, columns: 12), .text)
                line.pad(to: 8)
                line.add(TimeText.clock(summary.view.start), .textMuted)
                let length = summary.view.isEmpty ? BreakOutcome.noAds.string : TimeText.span(summary.view.duration)
                line.add("  " + length, .textMuted)
                line.append("  " + SafeText(outside: summary.view.name, columns: 48), .textMuted)
                fields.add(line)
            }
        case .viewerActions:
            guard let ad = model.ad(row) else { return }
            fields.field("ad", "\(model.breakView(row).label)/\(ad.label) \(ad.name)")
            let reasons = model.folded(row).compactMap(\.reasonWords)
            let common = reasons.first.flatMap { first in reasons.allSatisfy { $0 == first } ? first.sentence : nil }
            fields.field("reason", common ?? "playback alone sends none of them")
            fields.blank()
            for event in model.folded(row) { fields.add(NodeDetail.line(event, context)) }
        }
    }
}

extension TreeModel {
    /// The events that a row of viewer actions folds.
    func folded(_ row: Row) -> [EventView] { ad(row)?.events.filter { !$0.isCounted } ?? [] }
}
