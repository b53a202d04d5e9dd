import Ports
import Screen

/// The question before real beacons or notices are sent.
enum ConfirmDialog {
    /// Draws the question in a box over the panes.
    static func draw(_ question: Confirmation, _ context: ViewContext, on grid: inout Grid) {
        let lines = lines(question, context)
        let rect = rect(lines, context)
        grid.fill(rect)
        PaneFrame(title: StyledLine(title(question), .headerArmed), isFocused: true)
            .draw(in: rect, isBoxed: true, context.glyphs, on: &grid)
        let content = content(rect)
        for (index, line) in Self.shown(lines, in: content.height).enumerated() {
            grid.put(
                line.truncatedTail(to: content.width, context.glyphs), at: Point(x: content.x, y: content.y + index),
                maxColumns: content.width)
        }
    }

    /// As many lines as there are rows. What a person agrees to unseen is counted in the last one.
    private static func shown(_ lines: [StyledLine], in rows: Int) -> [StyledLine] {
        guard lines.count > rows, rows > 1 else { return Array(lines.prefix(rows)) }
        let kept = Array(lines.prefix(rows - 1))
        return kept + [StyledLine.of("\((lines.count - kept.count).counted("more line")) have no room", .stateRetry)]
    }

    private static func rect(_ lines: [StyledLine], _ context: ViewContext) -> Rect {
        let wanted = lines.map(\.columns).max() ?? 0
        let area = Rect(context.size)
        return area.centered(columns: min(wanted + 6, area.width - 4), rows: lines.count + 4)
    }

    private static func content(_ rect: Rect) -> Rect { rect.inset(columns: 3, rows: 2) }

    /// The answer under a point of the box; nil beside the answers, so that no stray click gives one.
    static func press(at point: Point, on question: Confirmation, _ context: ViewContext) -> HintPress? {
        let content = content(rect(lines(question, context), context))
        return row(question, context).press(at: point, in: content)
    }

    /// The question and what it is about.
    static func lines(_ question: Confirmation) -> [StyledLine] {
        [self.question(question, isShort: false).line] + details(question, columns: widest)
    }

    private static func lines(_ question: Confirmation, _ context: ViewContext) -> [StyledLine] {
        [row(question, context).line] + details(question, columns: min(widest, columns(context)))
    }

    /// The question in the box, short where its answers would be cut otherwise.
    private static func row(_ question: Confirmation, _ context: ViewContext) -> HintRow {
        let whole = self.question(question, isShort: false)
        return whole.columns <= columns(context) ? whole : self.question(question, isShort: true)
    }

    /// The most columns of a line.
    private static func columns(_ context: ViewContext) -> Int { max(2, context.size.columns - 10) }
    private static let widest = 70

    private static func title(_ question: Confirmation) -> SafeText {
        switch question {
        case .arm: "Send real beacons"
        case .fireNotices: "Send notices"
        case .run: "Run a command"
        case .quit: "Quit"
        }
    }

    /// The question with its answers; short for where there is no room for a box.
    static func question(_ question: Confirmation, isShort: Bool) -> HintRow {
        var row = HintRow(StyledLine(text(question, isShort: isShort), .headerArmed))
        row.space()
        row.append(StyledLine("y yes", .footerKey), .key(KeyPress(.char("y"))))
        row.space(2)
        row.append(StyledLine("n no", .footerKey), .key(KeyPress(.char("n"))))
        return row
    }

    private static func text(_ question: Confirmation, isShort: Bool) -> SafeText {
        switch question {
        case .arm(let count, _):
            let hosts = count == 0 ? "the hosts of coming ads" : count.counted("host")
            let short = count == 0 ? "send beacons?" : "send beacons to \(hosts)?"
            return SafeText(outside: isShort ? short : "Send real beacons to \(hosts)?")
        case .fireNotices(_, let count, _):
            return SafeText(outside: "\(isShort ? "send" : "Send") \(count.counted("notice"))?")
        case .run(let command):
            return (isShort ? "run " : "Run ") + SafeText(outside: command.summary, columns: isShort ? 20 : 50) + "?"
        case .quit(let firing):
            return SafeText(
                outside: isShort
                    ? "quit? \(firing.grouped) sending"
                    : "Quit? \(firing.counted("session")) will stop sending beacons.")
        }
    }

    private static func details(_ question: Confirmation, columns: Int) -> [StyledLine] {
        switch question {
        case .arm(let count, let hosts):
            var lines = [StyledLine()]
            for host in hosts { lines.append(StyledLine(SafeText(outside: host, columns: 60), .textURLHost)) }
            if count > hosts.count { lines.append(.of("and \((count - hosts.count).grouped) more", .textMuted)) }
            if count > 0 { lines.append(StyledLine()) }
            lines.append(StyledLine("Every beacon counts as an ad view that someone pays for.", .text))
            return lines
        case .fireNotices(_, _, let hosts):
            var lines = [StyledLine()]
            for host in hosts { lines.append(StyledLine(SafeText(outside: host, columns: 60), .textURLHost)) }
            lines.append(StyledLine())
            lines.append(StyledLine("Notices report wins and losses to bidders; billing notices cost money.", .text))
            return lines
        // Each argument by itself, so that it is seen what the program gets.
        case .run(let command):
            return [StyledLine()]
                + command.arguments.flatMap { StyledLine(SafeText(outside: $0), .text).wrapped(columns: columns) }
        case .quit: return []
        }
    }
}
