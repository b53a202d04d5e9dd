import Ports
import Rules
import Screen
import Session

/// A finding explained: what was found, where and when, what it means, and what to do about it.
enum FindingDetail {
    /// Adds the lines of the row under the cursor.
    static func add(_ model: FindingsModel, _ context: ViewContext, to fields: inout FieldLines) {
        guard let item = model.selected, let group = model.group(of: item), let found = model.occurrence(item) else {
            return fields.add(StyledLine("nothing selected", .textMuted))
        }
        var head = context.badge(group.severity)
        head.space()
        head.append(SafeText(outside: group.rule, columns: 40), group.severity.role)
        if group.title != group.rule { head.append("  " + SafeText(outside: group.title), .paneTitle) }
        for line in head.wrapped(columns: fields.width) { fields.add(line) }
        fields.blank()
        fields.field("what", context.prose(found.message))
        let place = context.prose(model.place(item))
        if !place.isEmpty { fields.field("where", place) }
        var when = StyledLine.of(FindingReport.times(found.count), .text)
        when.add("   " + times(item, group, count: found.count, last: found.last), .textMuted)
        fields.field("seen", when)
        guard let entry = RuleLibrary.builtIn[group.rule] else {
            if let section = group.newest?.finding.section { fields.field("source", section, .textMuted) }
            return
        }
        fields.blank()
        for (index, paragraph) in entry.text.enumerated() { fields.field(index == 0 ? "means" : "", paragraph) }
        if let reason = entry.reason { fields.field("effect", reason) }
        if let remedy = entry.remedy { fields.field("to do", remedy) }
        fields.field("source", entry.source, .textMuted)
    }

    /// When it was seen last, and first where that is another time on the screen.
    private static func times(_ item: FindingItem, _ group: FindingGroup, count: Int, last moment: Moment) -> String {
        let last = TimeText.clock(moment.wall) + "Z"
        guard count > 1 else { return last }
        guard case .rule = item else { return "last \(last)" }
        let first = TimeText.clock(group.first.wall) + "Z"
        return first == last ? last : "last \(last)   first \(first)"
    }
}
