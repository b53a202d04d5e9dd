import Screen

/// The question before real beacons or notices are sent.
enum ConfirmDialog {
    /// Draws the question in a box over the panes.
    static func draw(_ question: Confirmation, _ context: ViewContext, on grid: inout Grid) {
        let lines = lines(question)
        let rect = rect(question, context)
        grid.fill(rect)
        PaneFrame(title: StyledLine(title(question), .headerArmed), isFocused: true)
            .draw(in: rect, isBoxed: true, context.glyphs, on: &grid)
        let content = rect.inset(columns: 3, rows: 2)
        for (index, line) in lines.prefix(content.height).enumerated() {
            grid.put(
                line.truncatedTail(to: content.width, context.glyphs), at: Point(x: content.x, y: content.y + index),
                maxColumns: content.width)
        }
    }

    private static func rect(_ question: Confirmation, _ context: ViewContext) -> Rect {
        let lines = lines(question)
        let wanted = lines.map(\.columns).max() ?? 0
        let area = Rect(context.size)
        return area.centered(columns: min(wanted + 6, area.width - 4), rows: lines.count + 4)
    }

    private static let answers = StyledLine(" y yes  n no", .footerKey)

    /// The answer under a point; nil beside the answers, so that no stray click gives one.
    static func answer(at point: Point, to question: Confirmation, _ frame: FrameContext) -> KeyPress? {
        let isInFooter = frame.context.sizeClass <= .small
        let box = isInFooter ? frame.layout.footer : rect(question, frame.context)
        let content = isInFooter ? box : box.inset(columns: 3, rows: 2)
        let end = self.question(question, isShort: isInFooter).columns
        guard box.contains(point), point.y == content.y else { return nil }
        // `y yes  n no`
        return switch point.x - content.x - (end - answers.columns) {
        case 1...5: KeyPress(.char("y"))
        case 8...11: KeyPress(.char("n"))
        default: nil
        }
    }

    /// The question and what it is about.
    static func lines(_ question: Confirmation) -> [StyledLine] {
        [self.question(question, isShort: false)] + details(question)
    }

    private static func title(_ question: Confirmation) -> SafeText {
        switch question {
        case .arm: "Send real beacons"
        case .fireNotices: "Send notices"
        case .run: "Run a command"
        case .quit: "Quit"
        }
    }

    /// The question alone, for where there is no room for a box.
    static func question(_ question: Confirmation, isShort: Bool) -> StyledLine {
        switch question {
        case .arm(let count, _):
            let hosts = count == 0 ? "the hosts of coming ads" : plural(count, "host")
            let short = count == 0 ? "send beacons?" : "send beacons to \(hosts)?"
            var line = StyledLine.of(isShort ? short : "Send real beacons to \(hosts)?", .headerArmed)
            line.append(answers)
            return line
        case .fireNotices(_, let count, _):
            var line = StyledLine.of("\(isShort ? "send" : "Send") \(plural(count, "notice"))?", .headerArmed)
            line.append(answers)
            return line
        case .run(let command):
            var line = StyledLine(
                (isShort ? "run " : "Run ") + SafeText(outside: command.summary, columns: isShort ? 20 : 50) + "?",
                .headerArmed)
            line.append(answers)
            return line
        case .quit(let firing):
            var line = StyledLine.of(
                isShort ? "quit? \(firing) sending" : "Quit? \(plural(firing, "session")) will stop sending beacons.",
                .headerArmed)
            line.append(answers)
            return line
        }
    }

    private static func details(_ question: Confirmation) -> [StyledLine] {
        switch question {
        case .arm(let count, let hosts):
            var lines = [StyledLine()]
            for host in hosts { lines.append(StyledLine(SafeText(outside: host, columns: 60), .textURLHost)) }
            if count > hosts.count { lines.append(.of("and \(count - hosts.count) more", .textMuted)) }
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
                + command.arguments.flatMap { StyledLine(SafeText(outside: $0), .text).wrapped(columns: 70) }
        case .quit: return []
        }
    }
}
