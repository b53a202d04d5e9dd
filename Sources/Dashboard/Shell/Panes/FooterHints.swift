import Monitoring
import Screen

/// A hint of the footer, most important first: hints that do not fit are dropped from the end.
struct FooterHint: Sendable {
    let actions: [Action]
    /// The key of a view that has letters of its own; nil for actions of the key map.
    let key: String?
    let label: SafeText
    /// The label where there is little room.
    let short: SafeText
    /// The smallest size class that shows it.
    let from: SizeClass
    /// Its place in the row, which is independent of its importance.
    let place: Int

    init(
        _ actions: [Action] = [], key: String? = nil, _ label: SafeText, short: SafeText? = nil,
        from: SizeClass = .small, place: Int
    ) {
        self.actions = actions
        self.key = key
        self.label = label
        self.short = short ?? label
        self.from = from
        self.place = place
    }
}

/// Key hints from the active key map: in the footer, where a click runs them, and inside panes.
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
    private static func hints(of context: ViewContext) -> [FooterHint] {
        // An ad over the panes shows its keys itself.
        context.presentedAd == nil ? context.state.focus.view?.hints ?? [] : []
    }

    private(set) var line = StyledLine()
    private(set) var placed: [Placed] = []

    /// The footer's hints for that many columns.
    init(_ context: ViewContext, columns width: Int) {
        let sizeClass = context.layout.sizeClass
        let gap = sizeClass == .huge ? 3 : sizeClass == .large ? 2 : 1
        let own = FooterHints.hints(of: context)
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
            let text = FooterHints.text(keys, FooterHints.label(hint, context), context)
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

    /// Hints inside a pane.
    static func line(_ hints: [(Action, SafeText)], _ context: ViewContext, gap: Int) -> StyledLine {
        var line = StyledLine()
        for (action, label) in hints {
            let part = text([context.key(action)], label, context)
            guard part.columns > 0 else { continue }
            if line.columns > 0 { line.space(gap) }
            line.append(part)
        }
        return line
    }

    private static func label(_ hint: FooterHint, _ context: ViewContext) -> SafeText {
        if hint.actions == [.back], context.state.settings.hasTable { return "table" }
        return context.layout.sizeClass > .medium ? hint.label : hint.short
    }

    /// Whether the action is available here.
    private static func applies(_ hint: FooterHint, _ context: ViewContext) -> Bool {
        switch hint.actions.first {
        case .mute, .pause, .retry: context.snapshot.session.canArm
        case .previousSession: context.state.settings.sessions.count > 1
        default: true
        }
    }

    /// `m mute`; punctuation keys join their word: `?help`.
    private static func text(_ keys: [String], _ label: SafeText, _ context: ViewContext) -> StyledLine {
        guard keys.allSatisfy({ !$0.isEmpty }) else { return StyledLine() }
        let names = keys.joined(separator: " ")
        var line = StyledLine.of(names, .footerKey)
        let isSign =
            names.unicodeScalars.count == 1
            && names.unicodeScalars.first.map { "?:/".unicodeScalars.contains($0) } == true
        if !isSign || context.layout.sizeClass == .huge { line.space() }
        line.append(label, .footerLabel)
        return line
    }
}
