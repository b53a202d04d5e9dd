package import Monitoring
package import Ports
package import Screen

extension SessionTableState {
    /// Applies an event and returns the effects for the caller. Pure: the time is `now`.
    package mutating func update(
        _ event: SessionTableEvent, _ view: SessionsView, now: Moment
    ) -> [SessionTableEffect] {
        let sessions = view.sessions
        if model.count != sessions.count { refresh(sessions, now: now) }
        let before = (sort, isReversed, filter)
        var effects: [SessionTableEffect] = []
        switch event {
        case .input(let input): effects = take(input, view, now: now)
        case .refreshed: refresh(sessions, now: now)
        case .noticed(let text, let isGood): toast(text, isGood: isGood, now: now)
        case .themeChanged(let name): settings.theme = name
        }
        toasts.removeAll { $0.expires <= now.uptime }
        if before != (sort, isReversed, filter) { refresh(sessions, now: now) }
        return effects
    }

    /// Presses keys until one opens a session; returns its index and the remaining keys.
    package mutating func press(
        _ keys: [InputEvent], _ view: SessionsView, now: Moment
    ) -> (opened: Int?, rest: [InputEvent]) {
        _ = update(.refreshed, view, now: now)
        for (number, key) in keys.enumerated() {
            for case .open(let index) in update(.input(key), view, now: now) {
                return (index, Array(keys[(number + 1)...]))
            }
        }
        return (nil, [])
    }

    private mutating func toast(_ text: String, isGood: Bool, now: Moment) {
        toasts.append(Toast(text, isGood: isGood, now: now))
        if toasts.count > Toast.limit { toasts.removeFirst(toasts.count - Toast.limit) }
    }

    private mutating func take(_ input: InputEvent, _ view: SessionsView, now: Moment) -> [SessionTableEffect] {
        switch input {
        case .key(let key): return take(key, view, now: now)
        case .mouse(let event): return take(event, view, now: now)
        case .paste(let text):
            entry?.insert(pasted: text)
            if let entry { setFilter(entry.line.text) }
            return []
        case .resize(let size):
            self.size = size
            return []
        // Nothing in the table depends on the terminal's focus.
        case .focus, .stopping, .continued: return []
        }
    }

    private mutating func take(_ key: KeyPress, _ view: SessionsView, now: Moment) -> [SessionTableEffect] {
        let action = settings.keymap.action(for: key)
        switch action {
        case .quit where entry == nil || !key.isText: return [.quit]
        case .redraw where entry == nil || !key.isText: return [.redraw]
        case .suspend where entry == nil || !key.isText: return [.suspend]
        default: break
        }
        if entry != nil {
            edit(key)
            return []
        }
        if isHelpOpen {
            if action == .help || action == .back || action == .open { isHelpOpen = false }
            return []
        }
        if let own = SessionTableKey(key) {
            perform(own)
            return []
        }
        return action.map { perform($0, key, view, now: now) } ?? []
    }

    private mutating func perform(_ key: SessionTableKey) {
        switch key {
        case .sort: sort = sort.next
        case .reverse: isReversed.toggle()
        }
    }

    private mutating func perform(
        _ action: Action, _ key: KeyPress, _ view: SessionsView, now: Moment
    ) -> [SessionTableEffect] {
        if changeLog(action, view.log) || move(action, view.log) { return [] }
        switch action {
        case .open, .right: return model.selected.map { [.open($0.index)] } ?? []
        case .back: return goBack(key)
        case .filter: entry = TextEntry(focus == .log ? .filter(.log) : .sessions, text: focusedFilter)
        case .nextFailure: selectNextProblem(now: now)
        case .sort: perform(.sort)
        case .reverseSort: perform(.reverse)
        case .help: isHelpOpen = true
        case .nextPane, .previousPane: focus = focus == .log ? .sessions : .log
        case .paneTree: focusOrZoom(.sessions)
        case .paneLog: focusOrZoom(.log)
        case .zoom: isZoomed = true
        case .unzoom: isZoomed = false
        case .theme:
            guard !settings.themes.isEmpty else { break }
            let index = settings.themes.firstIndex(of: settings.theme) ?? -1
            return [.setTheme(settings.themes[(index + 1) % settings.themes.count])]
        case .up, .down, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch, .previousMatch,
            .left, .redraw, .suspend, .quit:
            break
        default:
            toast("session key: press Enter to open the selected session", isGood: false, now: now)
        }
        return []
    }

    /// Moves in the focused pane; false where the action does not move.
    private mutating func move(_ action: Action, _ view: LogView) -> Bool {
        let layout = SessionTableLayout(self)
        guard focus == .log else {
            let row = ListMove.row(
                action, from: model.selectedRow, count: model.rows.count, page: layout.rows.height,
                isFiltered: !filter.isEmpty)
            if let row { select(row: row) }
            return row != nil
        }
        switch action {
        case .up, .down, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch, .previousMatch,
            .left, .right:
            log.move(action, in: view, height: layout.logHeight)
            return true
        default: return false
        }
    }

    /// Actions on the log, whichever pane is focused: only the log has a tail, levels and times.
    private mutating func changeLog(_ action: Action, _ view: LogView) -> Bool {
        switch action {
        case .follow: log.toggleFollowing(view)
        case .timestamps: log.showsTime.toggle()
        case .wrap: log.wraps.toggle()
        case .logLevel: log.level = log.level.next
        default: return false
        }
        return true
    }

    /// A digit focuses a pane, and zooms the one that has the focus.
    private mutating func focusOrZoom(_ pane: SessionTablePane) {
        if focus == pane { isZoomed.toggle() } else { focus = pane }
    }

    /// The filter of the focused pane.
    private var focusedFilter: String { focus == .log ? log.filter : filter }

    private mutating func setFilter(_ text: String) {
        if focus == .log { log.filter = text } else { filter = text }
    }

    /// Esc clears the filter; then both keys close what is open, and in the table `q` quits.
    private mutating func goBack(_ key: KeyPress) -> [SessionTableEffect] {
        if key.key == .escape, !focusedFilter.isEmpty {
            setFilter("")
        } else if isZoomed {
            isZoomed = false
        } else if focus != .sessions {
            focus = .sessions
        } else if key.key != .escape {
            return [.quit]
        }
        return []
    }

    private mutating func edit(_ key: KeyPress) {
        switch key.key {
        case .enter: entry = nil
        case .escape:
            entry = nil
            setFilter("")
        default:
            if entry?.edit(key) == false { entry = nil }
            setFilter(entry?.line.text ?? focusedFilter)
        }
    }

    private mutating func selectNextProblem(now: Moment) {
        let (rows, start) = (model.rows, model.selectedRow)
        let next = (1...max(1, rows.count)).map { (start + $0) % max(1, rows.count) }
            .first { rows.indices.contains($0) && rows[$0].needsAttention }
        guard let next else { return toast("no session has a problem", isGood: true, now: now) }
        select(row: next)
    }
}

/// Keys with a meaning of their own in the table: the usual letters for sorting.
enum SessionTableKey: String, CaseIterable {
    case sort = "s"
    case reverse = "S"

    /// The table key of a key press, nil for other keys.
    init?(_ key: KeyPress) {
        guard case .char(let character) = key.key, key.modifiers.isEmpty,
            let found = SessionTableKey(rawValue: "\(character)")
        else { return nil }
        self = found
    }
}

extension SessionTableModel.Row {
    /// Whether the session needs a person's attention.
    var needsAttention: Bool { health.isFailing || beacons.failed > 0 || (health.findings[.error] ?? 0) > 0 }
}

extension KeyPress {
    /// Whether the key could be text.
    fileprivate var isText: Bool {
        guard case .char = key else { return false }
        return modifiers.isEmpty
    }
}
