import Screen
import Session

extension DashboardState {
    /// Moves in the pane with the focus.
    mutating func move(_ action: Action, _ scene: Scene) {
        if action == .nextMatch || action == .previousMatch, filterText(of: focus).isEmpty {
            let key = settings.keymap.keys(for: .filter).first.map { "; \(KeyName.short($0)) sets one" } ?? ""
            return toast("no filter or search in this pane\(key)", isGood: false, now: scene.now)
        }
        if focus == main {
            withMainView(scene) { $0.move(action, &$1) }
        } else if focus == .log {
            moveInLog(action, scene)
        } else {
            scroll(focus, action, scene)
        }
    }

    /// Enter: a row of a view opens; another pane fills the screen.
    mutating func open(_ scene: Scene) {
        if focus == main { withMainView(scene) { $0.open(&$1) } } else { isZoomed.toggle() }
    }

    /// Focuses the detail, and zooms it where its place has only a few rows.
    mutating func showDetail() {
        focusPane(.detail)
        if SizeClass(size) == .medium { isZoomed = true }
    }

    /// A digit focuses a pane, and zooms the one that has the focus.
    mutating func focusOrZoom(_ pane: Pane) {
        if focus == pane { isZoomed.toggle() } else { focusPane(pane) }
    }

    /// Gives a pane the focus and, where side panes share a place, that place.
    mutating func focusPane(_ pane: Pane) {
        focus = pane
        if pane.isSide { side = pane }
        guard pane.isMain, pane != main else { return }
        // What filled the screen was of the view before.
        isZoomed = false
        main = pane
        scrolls.offsets[.detail] = nil
    }

    /// Tab cycles through the visible panes, or through all where only one is visible.
    mutating func cyclePane(by step: Int) {
        let all = showsTable ? tablePanes + [.log] : sessionPanes
        let index = all.firstIndex(of: focus) ?? 0
        focusPane(all[((index + step) % all.count + all.count) % all.count])
    }

    private var sessionPanes: [Pane] {
        switch SizeClass(size) {
        case .medium, .large: [main, side, .log]
        case .huge: [main] + Pane.focusable.filter { !$0.isMain }
        // The findings have a letter and no digit: while they are open they have the place of the breaks.
        case .small, .tiny: main == .findings ? [.findings] + Pane.focusable.filter { $0 != .tree } : Pane.focusable
        }
    }

    /// Scrolls the log.
    mutating func moveInLog(_ action: Action, _ scene: Scene) {
        let frame = FrameContext(scene.live, self, now: scene.now)
        let (pane, content) = (LogPane(frame), frame.layout.content(of: .log))
        log.move(action, in: pane.log, height: content.height) { pane.rowCount(of: $0, in: content) }
    }

    /// Moves a pane that only scrolls.
    mutating func scroll(_ pane: Pane, _ action: Action, _ scene: Scene) {
        let (lines, height) = text(of: pane, scene)
        let viewport = Viewport(count: lines.count, height: height, offset: scrolls.offsets[pane] ?? 0)
        let page = max(1, height - 1)
        switch action {
        case .up: scrolls.offsets[pane] = viewport.scrolled(by: -1).offset
        case .down: scrolls.offsets[pane] = viewport.scrolled(by: 1).offset
        case .pageUp: scrolls.offsets[pane] = viewport.scrolled(by: -page).offset
        case .pageDown: scrolls.offsets[pane] = viewport.scrolled(by: page).offset
        case .halfPageUp: scrolls.offsets[pane] = viewport.scrolled(by: -max(1, page / 2)).offset
        case .halfPageDown: scrolls.offsets[pane] = viewport.scrolled(by: max(1, page / 2)).offset
        case .first: scrolls.offsets[pane] = 0
        case .last: scrolls.offsets[pane] = viewport.scrolled(by: lines.count).offset
        case .nextMatch: search(pane, lines, viewport, step: 1)
        case .previousMatch: search(pane, lines, viewport, step: -1)
        default: break
        }
    }

    /// Scrolls the next line with the searched text to the top; after the last the first.
    private mutating func search(_ pane: Pane, _ lines: [StyledLine], _ viewport: Viewport, step: Int) {
        let filter = TextFilter(filterText(of: pane))
        guard filter.canHighlight, !lines.isEmpty else { return }
        for distance in 1...lines.count {
            let index = ((viewport.offset + step * distance) % lines.count + lines.count) % lines.count
            if filter.occurs(in: lines[index].string) {
                scrolls.offsets[pane] = Viewport(count: lines.count, height: viewport.height, offset: index).offset
                return
            }
        }
    }

    /// The lines of a pane that only scrolls, and how many of them are visible.
    private func text(of pane: Pane, _ scene: Scene) -> (lines: [StyledLine], height: Int) {
        let frame = FrameContext(scene.live, self, now: scene.now)
        if pane == .help {
            let rect = HelpPane.rect(frame)
            return (HelpPane.lines(frame, width: rect.width - 4), max(0, rect.height - 2))
        }
        let content = frame.layout.content(of: pane)
        let width = content.width - 2
        switch pane {
        case .detail:
            let lines = DetailPane.lines(frame.main, frame.context, width: width)
            let rect = frame.layout.panes[.detail] ?? content
            return (lines, DetailPane.textRows(frame, below: lines.count, in: rect))
        case .session: return (SessionPane.lines(frame.context, width: width), content.height)
        case .summary:
            return (SummaryPane.lines(frame.context, frame.breaks, height: content.height), content.height)
        default: return ([], 0)
        }
    }
}
