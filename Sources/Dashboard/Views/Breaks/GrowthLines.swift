import Ports
import Screen
import Session

/// Which poll brought a break, and what each later one changed.
enum GrowthLines {
    static func add(_ growth: BreakGrowth, to fields: inout FieldLines) {
        for (index, step) in growth.steps.enumerated() {
            let followsGap = index == 1 && growth.omitted > 0
            if followsGap {
                fields.field("", "\(growth.omitted.grouped) more changed it", .textMuted)
            }
            fields.field(index == 0 ? "growth" : "", line(step, isFirst: index == 0, followsGap: followsGap))
        }
    }

    private static func line(_ step: GrowthStep, isFirst: Bool, followsGap: Bool) -> StyledLine {
        var line = StyledLine.of(TimeText.tenths(step.at.wall), .textMuted)
        line.add("  " + source(of: step), .text)
        line.pad(to: 20)
        for part in parts(step, isFirst: isFirst, followsGap: followsGap) { line.add("  \(part)", .text) }
        if let late = step.late { line.add("  \(text(late)) late", .stateRetry) }
        return line
    }

    private static func source(of step: GrowthStep) -> String {
        if let poll = step.poll { return "poll \(poll)" }
        return step.ping.map { "ping \($0)" } ?? "without a poll"
    }

    /// In milliseconds below a second, as in findings.
    private static func text(_ late: Duration) -> String {
        late < .seconds(1) ? TimeText.latency(late) : TimeText.span(late)
    }

    private static func parts(_ step: GrowthStep, isFirst: Bool, followsGap: Bool) -> [String] {
        var parts: [String] = []
        func add(_ count: Int, _ noun: String, _ sign: String) {
            if count > 0 { parts.append(sign + count.counted(noun)) }
        }
        add(step.newAdCount, "ad", isFirst ? "" : "+")
        add(step.newEventCount, "event", "+")
        add(step.vanishedCount, "node", "-")
        if step.returnedCount > 0 { parts.append("\(step.returnedCount.grouped) returned") }
        add(step.changedURLCount, "URL", "~")
        if let moved = step.moved {
            parts.append("moved \(moved > .zero ? "+" : "-")\(TimeText.span(moved.magnitude))")
        }
        if let length = step.length {
            let to = TimeText.span(length.to)
            // The length before is that of the line above, unless lines are left out between them.
            let from = followsGap ? length.from.map { "\(TimeText.span($0)) to " } : nil
            parts.append("length \(from ?? "")\(to)")
        }
        return parts
    }
}
