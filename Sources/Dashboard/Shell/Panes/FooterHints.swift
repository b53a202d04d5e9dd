import Screen
import Session

/// Key hints of the footer, where a click runs them.
struct FooterHints {
    /// One hint and its cells in the row.
    struct Placed: Equatable {
        let action: Action
        let columns: Range<Int>
    }

    private static let hints: [FooterHint] = [
        FooterHint([.help], "help", place: 0), FooterHint([.back], "quit", place: 20),
        FooterHint([.command], "command", short: "cmd", place: 1),
        FooterHint([.nextPane], "pane", place: 4), FooterHint([.mute], "mute", place: 6),
        FooterHint([.pause], "pause", place: 7),
        FooterHint([.filter], "filter", place: 2), FooterHint([.follow], "follow", place: 8),
        FooterHint([.freeze], "freeze", place: 9),
        FooterHint(
            [.panePlaylist, .paneCreative, .paneAuction, .paneFormats, .paneCache], "views", from: .large, place: 16),
        FooterHint([.export], "export", place: 12), FooterHint([.nextFailure], "failure", from: .large, place: 10),
        FooterHint([.previousSession, .nextSession], "session", from: .large, place: 15),
        FooterHint([.zoom], "zoom", from: .large, place: 5), FooterHint([.sort], "sort", from: .huge, place: 11),
        FooterHint([.copyURL], "copy", from: .huge, place: 13), FooterHint([.theme], "theme", from: .huge, place: 14),
        FooterHint([.nextMatch, .previousMatch], "match", from: .huge, place: 3),
    ]

    private static let ofStream: Set<Action> = [.mute, .pause, .follow, .nextFailure, .zoom, .sort]

    /// The keys of the focused view alone: they come right after help, quit and the command line.
    private static func hints(of frame: FrameContext) -> [FooterHint] {
        // An ad over the panes shows its keys itself.
        frame.presentedAd == nil && frame.state.focus == frame.main.pane ? frame.main.hints : []
    }

    private(set) var line = StyledLine()
    private(set) var placed: [Placed] = []

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
        let own = FooterHints.hints(of: frame)
        // Where a view has keys of its own, the keys for the stream and its breaks are not shown.
        let others = FooterHints.hints.dropFirst(3).filter {
            own.isEmpty || FooterHints.ofStream.isDisjoint(with: $0.actions)
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
            if line.columns > 0 { line.space(gap) }
            let start = line.columns
            line.append(text)
            if let action = hint.actions.first { placed.append(Placed(action: action, columns: start..<line.columns)) }
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
            guard line.columns + text.columns + 2 <= width else { continue }
            if line.columns > 0 { line.space(2) }
            let start = line.columns
            line.append(text)
            if let action = hint.actions.first { placed.append(Placed(action: action, columns: start..<line.columns)) }
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
        case .previousSession: context.settings.sessions.count > 1
        default: true
        }
    }
}
