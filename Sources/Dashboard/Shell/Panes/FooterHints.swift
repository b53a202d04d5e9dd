import Screen
import Session

/// Key hints of the footer, where a click runs them.
struct FooterHints {
    private static let hints: [FooterHint] = [
        FooterHint([.help], "help", place: 0), FooterHint([.back], "quit", place: 20),
        FooterHint([.command], "command", short: "cmd", place: 1),
        FooterHint([.retry], "try now", place: 3),
        FooterHint([.nextPane], "pane", place: 4), FooterHint([.mute], "mute", place: 6),
        FooterHint([.pause], "pause", place: 7),
        FooterHint([.filter], "filter", place: 2), FooterHint([.follow], "follow", place: 8),
        FooterHint([.freeze], "freeze", place: 9),
        FooterHint([.export], "export", place: 12), FooterHint([.nextFailure], "failure", from: .large, place: 10),
        FooterHint([.previousSession, .nextSession], "session", from: .large, place: 15),
        FooterHint([.zoom], "zoom", from: .large, place: 5),
        FooterHint([.unzoom], "restore", from: .large, place: 5), FooterHint([.sort], "sort", from: .huge, place: 11),
        FooterHint([.copyURL], "copy", from: .huge, place: 13), FooterHint([.theme], "theme", from: .huge, place: 14),
        FooterHint([.nextMatch, .previousMatch], "match", from: .huge, place: 3),
    ]

    /// The keys of a recording, in the place of those that act on a session.
    private static let ofReplay = [
        FooterHint(key: "Space", "play", place: 3), FooterHint([.stepBack, .stepOn], "step", place: 4),
        FooterHint([.previousSession, .nextSession], "break", place: 5),
        FooterHint(key: ":", "seek, rate", short: "seek", place: 6),
    ]

    /// Where the view has no keys of its own: what went wrong is what most recordings are opened for.
    private static let failureOfReplay = FooterHint([.nextFailure], "failure", short: "fail", place: 5)

    /// The keys of the help while it covers the panes.
    private static func ofHelp(_ frame: FrameContext) -> [FooterHint] {
        var hints: [FooterHint] = []
        switch frame.state.help {
        case .rule?: hints.append(FooterHint([.help], "keys", place: 0))
        case .keys? where !frame.state.showsTable: hints.append(FooterHint([.help], "all keys", place: 0))
        case .keys?, .all?, nil: break
        }
        hints.append(FooterHint([.filter], "search", place: 1))
        if !frame.state.filterText(of: .help).isEmpty {
            hints.append(FooterHint([.nextMatch, .previousMatch], "match", place: 2))
        }
        if HelpPane.isLonger(frame) { hints.append(FooterHint([.down, .up], "scroll", place: 3)) }
        return hints + [FooterHint([.back], "close", place: 4)]
    }

    private static let ofStream: Set<Action> = [.mute, .pause, .follow, .nextFailure, .zoom, .unzoom, .sort]

    /// The keys of the focused view alone: they come right after help, quit and the command line. Its detail has those that
    /// act on the selection.
    private static func hints(of frame: FrameContext) -> [FooterHint] {
        // An ad over the panes shows its keys itself.
        guard frame.presentedAd == nil, frame.main.hasKeys(frame.context), hasContent(frame) else { return [] }
        guard frame.context.focus == .detail else { return frame.main.hints }
        let keys = PaneHelp.keys(frame)
        return frame.main.hints.filter { hint in
            hint.actions.allSatisfy { action in keys.contains { $0.takes(action, frame.context) } }
                && (hint.key == nil || keys.contains { $0.keys(frame.context) == hint.key })
        }
    }

    /// Whether the session has what the keys of the view act on.
    private static func hasContent(_ frame: FrameContext) -> Bool {
        let snapshot = frame.context.snapshot
        switch frame.main.pane {
        case .auction: return snapshot.auction != nil
        case .formats: return snapshot.formats != nil
        case .cache: return snapshot.cache != nil || !snapshot.zones.isEmpty
        default: return true
        }
    }

    private(set) var row = HintRow()

    /// The footer's hints for that many columns.
    init(_ frame: FrameContext, columns width: Int) {
        if frame.state.isHelpOpen {
            add(alone: Self.ofHelp(frame), frame.context, columns: width)
        } else if frame.state.showsTable {
            add(frame.main.hints, frame, columns: width)
        } else {
            addHints(of: frame, columns: width)
        }
    }

    /// The hints of the shell and of the focused view, as many of the most important ones as fit.
    private mutating func addHints(of frame: FrameContext, columns width: Int) {
        let context = frame.context
        let isReplay = context.snapshot.replay != nil
        let ofView = FooterHints.hints(of: frame)
        let ofReplay = FooterHints.ofReplay + (ofView.isEmpty ? [FooterHints.failureOfReplay] : [])
        let own = (isReplay ? ofReplay : []) + ofView
        // Where a view has keys of its own, the keys for the stream and its breaks are not shown.
        let hasOwn = !own.isEmpty || frame.presentedAd != nil
        // A key that the view gives another meaning is shown once.
        let taken = Set(ofView.flatMap { FooterHints.keys($0, context) }).subtracting([""])
        func isFree(_ hint: FooterHint) -> Bool { taken.isDisjoint(with: FooterHints.keys(hint, context)) }
        let others = FooterHints.hints.dropFirst(3).filter {
            isFree($0) && (!hasOwn || FooterHints.ofStream.isDisjoint(with: $0.actions))
                && !(isReplay && $0.actions.first == .previousSession)
        }
        let shown = (FooterHints.hints.prefix(3).filter(isFree) + own + others).filter {
            $0.from <= context.sizeClass && FooterHints.applies($0, frame)
        }
        add(shown, frame, columns: width)
    }

    /// As many of the most important hints as fit, which are the first ones, each at its place in the row.
    private mutating func add(_ hints: [FooterHint], _ frame: FrameContext, columns width: Int) {
        let context = frame.context
        let gap = context.sizeClass == .huge ? 3 : context.sizeClass == .large ? 2 : 1
        var kept: [(hint: FooterHint, text: StyledLine)] = []
        var total = 0
        for hint in hints {
            let keys = FooterHints.keys(hint, context)
            let text = KeyHints.text(keys, FooterHints.label(hint, frame), context)
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
            let keys = FooterHints.keys(hint, context)
            guard keys.allSatisfy({ !$0.isEmpty }) else { continue }
            var text = StyledLine.of(keys.joined(separator: " "), .footerKey)
            text.space()
            text.append(hint.label, .footerLabel)
            guard row.columns + text.columns + 2 <= width else { continue }
            if row.columns > 0 { row.space(2) }
            place(hint, text, context)
        }
    }

    private static func keys(_ hint: FooterHint, _ context: ViewContext) -> [String] {
        hint.key.map { [$0] } ?? hint.actions.map(context.key)
    }

    private static func label(_ hint: FooterHint, _ frame: FrameContext) -> SafeText {
        let context = frame.context
        if hint.actions == [.back] {
            if frame.presentedAd != nil { return "panes" }
            if !frame.state.isAtRoot { return "back" }
            if context.settings.hasTable { return "table" }
        }
        return context.sizeClass > .medium ? hint.label : hint.short
    }

    /// Whether the action is available here.
    private static func applies(_ hint: FooterHint, _ frame: FrameContext) -> Bool {
        let context = frame.context
        if frame.presentedAd != nil, !FormatsPane.withoutEffectUnderAd.isDisjoint(with: hint.actions) { return false }
        let isJoined = context.playhead.state != .idle
        switch hint.actions.first {
        case .mute, .pause: return isJoined && hint.actions.allSatisfy(context.hasEffect)
        case .follow: return isJoined || context.focus == .log
        case .retry: return frame.state.main == .tree && context.canTryNow
        case .zoom: return !frame.state.isZoomed
        case .unzoom: return frame.state.isZoomed
        case .freeze: return hint.actions.allSatisfy(context.hasEffect)
        case .previousSession: return context.settings.sessions.count > 1 || context.snapshot.replay != nil
        // Without a filter there is no match.
        case .nextMatch: return !frame.state.filterText(of: context.focus).isEmpty
        default: return true
        }
    }
}
