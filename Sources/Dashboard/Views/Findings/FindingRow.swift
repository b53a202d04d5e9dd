import Ports
import Screen
import Session

/// A row of the findings view. The place of a rule drops first, then the time; what is cut has a sign.
enum FindingRow {
    static func row(
        _ item: FindingItem, _ model: FindingsModel, _ context: ViewContext, columns: Int
    ) -> FittedRow {
        guard let group = model.group(of: item), let found = model.occurrence(item) else { return FittedRow() }
        let count = StyledLine.of("\(found.count.grouped)\(context.glyphs.isASCII ? "x" : "×")", .text)
        let time = StyledLine.of(TimeText.clock(found.last.wall), .textMuted)
        let place = SafeText(outside: context.prose(model.place(item)), columns: 48)
        var row = FittedRow()
        if case .rule = item {
            var head = StyledLine(
                SafeText(model.isExpanded(group.rule) ? context.glyphs.expanded : context.glyphs.collapsed), .textMuted)
            head.space()
            head.append(context.badge(group.severity))
            head.space()
            var short = head
            head.append(SafeText(outside: group.rule, columns: 24), group.severity.role)
            short.append(SafeText(outside: group.title, columns: 64), .text)
            var long = head
            if group.title != group.rule {
                long.space(2)
                long.append(SafeText(outside: group.title, columns: 64), .text)
            }
            let cut = short.truncatedTail(to: columns - count.columns - row.middle, context.glyphs)
            row.left = [FittedRow.Item([long, short, cut], ranks: [5, 8])]
            row.right = [
                FittedRow.Item([StyledLine(place, .textMuted), StyledLine()], ranks: [3]), FittedRow.Item([count]),
                FittedRow.Item([time, StyledLine()], ranks: [6]),
            ]
        } else {
            var head = StyledLine("    ")
            head.append(place.columns == 0 ? "session" : place, .text)
            var long = head
            long.space(2)
            long.append(SafeText(outside: context.prose(found.message), columns: 200), .textMuted)
            row.right = [FittedRow.Item([count]), FittedRow.Item([time, StyledLine()], ranks: [6])]
            let room = columns - row.fitted(columns: columns).right.columns - row.middle
            row.left = [FittedRow.Item([long.truncatedTail(to: room, context.glyphs)])]
        }
        return row
    }
}

extension ViewContext {
    /// The sign of a severity; in ASCII bracketed as the signs of states are.
    func badge(_ severity: Severity) -> StyledLine {
        let sign: SafeText =
            switch severity {
            case .error: SafeText(glyphs.sign(.failed))
            case .warning: SafeText(glyphs.warning)
            case .info: "i"
            }
        return StyledLine(glyphs.isASCII ? "[" + sign + "]" : sign, severity.role)
    }
}
