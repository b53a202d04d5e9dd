import Screen
import Session

/// Key hints of the footer, where a click runs them.
struct FooterHints {
    private static let hints: [FooterHint] = [
        FooterHint([.help], "help", place: 0), FooterHint([.back], "quit", place: 20),
        FooterHint([.command], "command", short: "cmd", place: 1),
        FooterHint([.nextPane], "pane", place: 4), FooterHint([.mute], "mute", place: 6),
        FooterHint([.pause], "pause", place: 7),
        FooterHint([.filter], "filter", place: 2), FooterHint([.follow], "follow", place: 8),
        FooterHint([.freeze], "freeze", place: 9),
        FooterHint([.export], "export", place: 12), FooterHint([.nextFailure], "failure", from: .large, place: 10),
        FooterHint([.previousSession, .nextSession], "session", from: .large, place: 15),
        FooterHint([.zoom], "zoom", from: .large, place: 5), FooterHint([.sort], "sort", from: .huge, place: 11),
        FooterHint([.copyURL], "copy", from: .huge, place: 13), FooterHint([.theme], "theme", from: .huge, place: 14),
        FooterHint([.nextMatch, .previousMatch], "match", from: .huge, place: 3),
    ]

    /// The keys of a recording, in the place of those that act on a session.
    private static let ofReplay = [
        FooterHint(key: "Space", "play", place: 3), FooterHint([.stepBack, .stepOn], "step", place: 4),
        FooterHint([.previousSession, .nextSession], "break", place: 5),
        FooterHint(key: ":", "seek, rate", short: "seek", place: 6),
    ]

    private static let ofStream: Set<Action> = [.mute, .pause, .follow, .nextFailure, .zoom, .sort]

    /// The keys of the focused view alone: they come right after help, quit and the command line.
    private static func hints(of frame: FrameContext) -> [FooterHint] {
        // An ad over the panes shows its keys itself.
        frame.presentedAd == nil && frame.state.focus == frame.main.pane ? frame.main.hints : []
    }

    private(set) var row = HintRow()

    /// The footer's hints for that many columns.
    init(_ frame: FrameContext, columns width: Int) {
        if frame.state.showsTable {
            add(alone: frame.main.hints, frame.context, columns: width)
        } else {
            addHints(of: frame, columns: width)
        }
    }

    /// The hints of the shell and of the focused view, as many of the most important ones as fit.
    private mutating func addHints(of frame: FrameContext, columns width: Int) {
        let context = frame.context
        let sizeClass = context.sizeClass
        let gap = sizeClass == .huge ? 3 : sizeClass == .large ? 2 : 1
        let isReplay = context.snapshot.replay != nil
        let own = (isReplay ? FooterHints.ofReplay : []) + FooterHints.hints(of: frame)
        // Where a view has keys of its own, the keys for the stream and its breaks are not shown.
        let others = FooterHints.hints.dropFirst(3).filter {
            (own.isEmpty || FooterHints.ofStream.isDisjoint(with: $0.actions))
                && !(isReplay && $0.actions.first == .previousSession)
        }
        let shown = (FooterHints.hints.prefix(3) + own + others).filter {
            $0.from <= sizeClass && FooterHints.applies($0, context)
        }
        var kept: [(hint: FooterHint, text: StyledLine)] = []
        var total = 0
        for hint in shown {
            let keys = hint.key.map { [$0] } ?? hint.actions.map(context.key)
            let text = KeyHints.text(keys, FooterHints.label(hint, context), context)
            guard text.columns > 0 else { continue }
            let wanted = text.columns + (kept.isEmpty ? 0 : gap)
            guard total + wanted <= width else { break }
            total += wanted
            kept.append((hint, text))
        }
        let inOrder = kept.enumerated().sorted {
            ($0.element.hint.place, $0.offset) < ($1.element.hint.place, $1.offset)
        }
        for (hint, text) in inOrder.map(\.element) {
            if row.columns > 0 { row.space(gap) }
            place(hint, text, context)
        }
    }

    /// Adds a hint. A click on one that is no action of the key map is as its key.
    private mutating func place(_ hint: FooterHint, _ text: StyledLine, _ context: ViewContext) {
        if hint.actions.isEmpty {
            row.append(text, hint.key.flatMap { KeyPress(parsing: $0) }.map(HintPress.key))
        } else {
            row.append(text, hint.actions.map(HintPress.action), keys: hint.actions.map(context.key))
        }
    }

    /// The hints of a view that has the footer alone, in their order; those that do not fit are dropped.
    private mutating func add(alone hints: [FooterHint], _ context: ViewContext, columns width: Int) {
        for hint in hints {
            let keys = hint.key ?? hint.actions.first.map(context.key) ?? ""
            guard !keys.isEmpty else { continue }
            var text = StyledLine.of(keys, .footerKey)
            text.space()
            text.append(hint.label, .footerLabel)
            guard row.columns + text.columns + 2 <= width else { continue }
            if row.columns > 0 { row.space(2) }
            place(hint, text, context)
        }
    }

    private static func label(_ hint: FooterHint, _ context: ViewContext) -> SafeText {
        if hint.actions == [.back], context.settings.hasTable { return "table" }
        return context.sizeClass > .medium ? hint.label : hint.short
    }

    /// Whether the action is available here.
    private static func applies(_ hint: FooterHint, _ context: ViewContext) -> Bool {
        switch hint.actions.first {
        case .mute, .pause, .retry: context.snapshot.session.canArm
        case .previousSession: context.settings.sessions.count > 1 || context.snapshot.replay != nil
        default: true
        }
    }
}
