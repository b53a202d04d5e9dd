package import Monitoring
package import Ports
package import Screen

extension SessionTableState {
    /// Rows that one turn of the wheel moves.
    private static let wheelRows = 3

    /// Takes in what happened and says what the caller must do. Pure: the time is `now`.
    package mutating func update(
        _ event: SessionTableEvent, _ sessions: [SessionHealth], now: Moment
    ) -> [SessionTableEffect] {
        if model.count != sessions.count { refresh(sessions, now: now) }
        let before = (sort, isReversed, filter)
        var effects: [SessionTableEffect] = []
        switch event {
        case .input(let input): effects = take(input, now: now)
        case .refreshed: refresh(sessions, now: now)
        case .noticed(let text, let isGood): toast(text, isGood: isGood, now: now)
        case .themeChanged(let name): settings.theme = name
        }
        toasts.removeAll { $0.expires <= now.uptime }
        if before != (sort, isReversed, filter) { refresh(sessions, now: now) }
        return effects
    }

    /// Presses keys until one opens a session: which, and the keys that are left for it.
    package mutating func press(
        _ keys: [InputEvent], _ sessions: [SessionHealth], now: Moment
    ) -> (opened: Int?, rest: [InputEvent]) {
        _ = update(.refreshed, sessions, now: now)
        for (number, key) in keys.enumerated() {
            for case .open(let index) in update(.input(key), sessions, now: now) {
                return (index, Array(keys[(number + 1)...]))
            }
        }
        return (nil, [])
    }

    private mutating func toast(_ text: String, isGood: Bool, now: Moment) {
        toasts.append(Toast(text, isGood: isGood, now: now))
        if toasts.count > Toast.limit { toasts.removeFirst(toasts.count - Toast.limit) }
    }

    private mutating func take(_ input: InputEvent, now: Moment) -> [SessionTableEffect] {
        switch input {
        case .key(let key): return take(key, now: now)
        case .mouse(let event): return take(event, now: now)
        case .paste(let text):
            entry?.insert(pasted: text)
            if let entry { filter = entry.line.text }
            return []
        case .resize(let size):
            self.size = size
            return []
        // Nothing in the table depends on who looks.
        case .focus, .stopping, .continued: return []
        }
    }

    private mutating func take(_ key: KeyPress, now: Moment) -> [SessionTableEffect] {
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
        return action.map { perform($0, key, now: now) } ?? []
    }

    private mutating func perform(_ key: SessionTableKey) {
        switch key {
        case .sort: sort = sort.next
        case .reverse: isReversed.toggle()
        }
    }

    private mutating func perform(_ action: Action, _ key: KeyPress, now: Moment) -> [SessionTableEffect] {
        let row = ListMove.row(
            action, from: model.selectedRow, count: model.rows.count, page: SessionTableLayout(self).rows.height,
            isFiltered: !filter.isEmpty)
        if let row {
            select(row: row)
            return []
        }
        switch action {
        case .open, .right: return model.selected.map { [.open($0.index)] } ?? []
        case .back: return goBack(key)
        case .filter: entry = TextEntry(.sessions, text: filter)
        case .nextFailure: selectNextProblem(now: now)
        case .sort: perform(.sort)
        case .reverseSort: perform(.reverse)
        case .help: isHelpOpen = true
        case .theme:
            guard !settings.themes.isEmpty else { break }
            let index = settings.themes.firstIndex(of: settings.theme) ?? -1
            return [.setTheme(settings.themes[(index + 1) % settings.themes.count])]
        case .up, .down, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch, .previousMatch,
            .left, .nextPane, .previousPane, .zoom, .unzoom, .redraw, .suspend, .quit:
            break
        default:
            toast("that is for one session: Enter opens the selected one", isGood: false, now: now)
        }
        return []
    }

    /// Esc clears the filter; `q` where nothing is open quits.
    private mutating func goBack(_ key: KeyPress) -> [SessionTableEffect] {
        guard key.key == .escape else { return [.quit] }
        filter = ""
        return []
    }

    private mutating func edit(_ key: KeyPress) {
        switch key.key {
        case .enter: entry = nil
        case .escape:
            entry = nil
            filter = ""
        default:
            if entry?.edit(key) == false { entry = nil }
            filter = entry?.line.text ?? filter
        }
    }

    private mutating func selectNextProblem(now: Moment) {
        let (rows, start) = (model.rows, model.selectedRow)
        let next = (1...max(1, rows.count)).map { (start + $0) % max(1, rows.count) }
            .first { rows.indices.contains($0) && rows[$0].needsAttention }
        guard let next else { return toast("no session has a problem", isGood: true, now: now) }
        select(row: next)
    }

    // MARK: Mouse

    private mutating func take(_ event: MouseEvent, now: Moment) -> [SessionTableEffect] {
        guard !isHelpOpen, entry == nil else { return [] }
        switch event.kind {
        case .wheelUp: select(row: model.selectedRow - Self.wheelRows)
        case .wheelDown: select(row: model.selectedRow + Self.wheelRows)
        case .press where event.button == .left: return click(event.point, now: now)
        case .press, .release, .drag: break
        }
        return []
    }

    private mutating func click(_ point: Point, now: Moment) -> [SessionTableEffect] {
        let layout = SessionTableLayout(self)
        let isDouble =
            lastClick.map { $0.point == point && now.uptime - $0.at <= Click.doubleInterval } ?? false
        lastClick = isDouble ? nil : Click(point: point, at: now.uptime)
        if layout.heading.contains(point) {
            let columns = SessionColumns(width: layout.rowWidth, sessions: model.count)
            guard let column = columns.column(at: point.x - layout.rows.x - 1), column != .problem else { return [] }
            isReversed = column == sort ? !isReversed : false
            sort = column
            return []
        }
        let row = viewport.offset + point.y - layout.rows.y
        guard layout.rows.contains(point), row < model.rows.count else { return [] }
        select(row: row)
        return isDouble ? model.selected.map { [.open($0.index)] } ?? [] : []
    }
}

/// Keys that mean something of their own in the table: the letters that tables are sorted by everywhere.
enum SessionTableKey: String, CaseIterable {
    case sort = "s"
    case reverse = "S"

    /// The key press that stands for it.
    init?(_ key: KeyPress) {
        guard case .char(let character) = key.key, key.modifiers.isEmpty,
            let found = SessionTableKey(rawValue: "\(character)")
        else { return nil }
        self = found
    }
}

extension SessionTableModel.Row {
    /// Whether somebody should look.
    var needsAttention: Bool { health.isFailing || beacons.failed > 0 || (health.findings[.error] ?? 0) > 0 }
}

extension KeyPress {
    /// A character that could be meant as text.
    fileprivate var isText: Bool {
        guard case .char = key else { return false }
        return modifiers.isEmpty
    }
}
