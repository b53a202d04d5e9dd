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
        when.add("   last \(TimeText.clock(found.last.wall))Z", .textMuted)
        if case .rule = item { when.add("   first \(TimeText.clock(group.first.wall))Z", .textMuted) }
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
}
