import Monitoring
import Screen

extension DashboardState {
    /// A digit focuses a pane, and zooms the one that has the focus.
    mutating func focusOrZoom(_ pane: Pane) {
        if focus == pane { isZoomed.toggle() } else { focusPane(pane) }
    }

    /// Gives a pane the focus and, where side panes share a place, that place.
    mutating func focusPane(_ pane: Pane) {
        focus = pane
        if pane.isSide { side = pane }
        guard pane.isMain, pane != main else { return }
        main = pane
        offsets[.detail] = nil
    }

    /// Tab cycles through the visible panes, or through all where only one is visible.
    mutating func cyclePane(by step: Int) {
        let sizeClass = SizeClass(size)
        let all: [Pane] =
            switch sizeClass {
            case .medium, .large: [main, side, .log]
            case .huge: [main] + Pane.focusable.filter { !$0.isMain }
            case .small, .tiny: Pane.focusable
            }
        let index = all.firstIndex(of: focus) ?? 0
        focusPane(all[((index + step) % all.count + all.count) % all.count])
    }

    /// Scrolls the log.
    mutating func moveInLog(_ action: Action, _ scene: Scene) {
        log.move(action, in: scene.shown.log, height: contentHeight(of: .log))
    }

    /// Moves a pane that only scrolls.
    mutating func scroll(_ pane: Pane, _ action: Action, _ scene: Scene) {
        let (lines, height) = text(of: pane, scene)
        let viewport = Viewport(count: lines.count, height: height, offset: offsets[pane] ?? 0)
        let page = max(1, height - 1)
        switch action {
        case .up: offsets[pane] = viewport.scrolled(by: -1).offset
        case .down: offsets[pane] = viewport.scrolled(by: 1).offset
        case .pageUp: offsets[pane] = viewport.scrolled(by: -page).offset
        case .pageDown: offsets[pane] = viewport.scrolled(by: page).offset
        case .halfPageUp: offsets[pane] = viewport.scrolled(by: -max(1, page / 2)).offset
        case .halfPageDown: offsets[pane] = viewport.scrolled(by: max(1, page / 2)).offset
        case .first: offsets[pane] = 0
        case .last: offsets[pane] = viewport.scrolled(by: lines.count).offset
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
                offsets[pane] = Viewport(count: lines.count, height: viewport.height, offset: index).offset
                return
            }
        }
    }

    /// The lines of a pane that only scrolls, and how many of them are visible.
    private func text(of pane: Pane, _ scene: Scene) -> (lines: [StyledLine], height: Int) {
        let context = ViewContext(scene.live, self, now: scene.now)
        if pane == .help {
            let rect = HelpPane.rect(context)
            return (HelpPane.lines(context, width: rect.width - 4), max(0, rect.height - 2))
        }
        let content = context.layout.content(of: pane)
        let width = content.width - 2
        switch pane {
        case .detail: return (DetailPane.lines(context, width: width), content.height)
        case .session: return (SessionPane.lines(context, width: width), content.height)
        case .summary: return (SummaryPane.lines(context, height: content.height), content.height)
        default: return ([], 0)
        }
    }
}
