import Ports
import Screen
import Session

extension DashboardState {
    /// Rows that one turn of the wheel moves.
    private static let wheelRows = 3

    /// A report of the mouse. What gives the terminal away waits for the release of the button.
    mutating func take(_ event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        if event.kind == .release {
            defer { pointer.atRelease = [] }
            return pointer.atRelease
        }
        let effects = act(on: event, scene)
        guard effects.contains(where: \.givesTerminalAway) else { return effects }
        pointer.atRelease = effects
        return []
    }

    /// A report of the mouse, read with the same layout that was drawn.
    private mutating func act(on event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        if let confirmation {
            return event.isLeftPress ? click(on: confirmation, event.point, scene) : []
        }
        if !isHelpOpen, presentedAd(scene.shown) != nil, !Layout(self).footer.contains(event.point) {
            return entry == nil ? take(onAd: event, scene) : take(besideLineOverAd: event, scene)
        }
        switch event.kind {
        case .wheelUp: return wheel(-DashboardState.wheelRows, at: event.point, scene)
        case .wheelDown: return wheel(DashboardState.wheelRows, at: event.point, scene)
        case .press where event.isLeftPress: return click(event.point, scene)
        case .press, .release, .drag: return []
        }
    }

    /// A click beside the answers gives none.
    private mutating func click(on question: Confirmation, _ point: Point, _ scene: Scene) -> [DashboardEffect] {
        let frame = FrameContext(scene.live, self, now: scene.now)
        let answer =
            frame.context.sizeClass > .small
            ? ConfirmDialog.press(at: point, on: question, frame.context) : FooterRow.press(at: point, frame)
        return answer.map { press($0, scene) } ?? []
    }

    /// Clicks under a shown ad have no effect; on the ad its keys have one, and the corner that closes it.
    private mutating func take(onAd event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        guard event.isLeftPress else { return [] }
        if AdOverlay.closeRegion(size).contains(event.point) { return press(.action(.formatClose), scene) }
        let frame = FrameContext(scene.live, self, now: scene.now)
        return frame.presentedAd.flatMap { AdOverlay.press(at: event.point, $0, frame.context) }
            .map { press($0, scene) } ?? []
    }

    /// While a line is typed over an ad, the list above it has the clicks and the wheel, and not the ad.
    private mutating func take(besideLineOverAd event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        let frame = FrameContext(scene.live, self, now: scene.now)
        if event.isLeftPress { return click(besideLine: event.point, frame, scene) }
        guard CommandList(frame)?.contains(event.point) == true else { return [] }
        switch event.kind {
        case .wheelUp: return scrollCandidates(-DashboardState.wheelRows, scene)
        case .wheelDown: return scrollCandidates(DashboardState.wheelRows, scene)
        case .press, .release, .drag: return []
        }
    }

    private mutating func wheel(_ rows: Int, at point: Point, _ scene: Scene) -> [DashboardEffect] {
        let frame = FrameContext(scene.live, self, now: scene.now)
        if !isHelpOpen, CommandList(frame)?.contains(point) == true { return scrollCandidates(rows, scene) }
        guard let pane = isHelpOpen ? .help : pane(at: point, frame.layout) else { return [] }
        if pane == main {
            withMainView(scene) { $0.scroll(rows, &$1) }
            return []
        }
        if pane.isTable, var view = views[pane] {
            var turn = ViewTurn(
                scene, rows: frame.layout.content(of: pane), isFocused: false, isHeld: held != nil)
            view.scroll(rows, &turn)
            views[pane] = view
            return []
        }
        let step: Action = rows < 0 ? .up : .down
        for _ in 0..<abs(rows) {
            if pane == .log { moveInLog(step, scene) } else { scroll(pane, step, scene) }
        }
        return []
    }

    /// A click on a hint is as the key that it names.
    private mutating func press(_ hint: HintPress, _ scene: Scene) -> [DashboardEffect] {
        switch hint {
        case .key(let key): return take(key, scene)
        case .ofHelp(let action): return performInHelp(action, scene)
        case .invertFilter:
            entry?.invert()
            applyFilter()
            return []
        case .action(let action):
            if let key = settings.keymap.keys(for: action).first { return take(key, scene) }
            return isHelpOpen ? performInHelp(action, scene) : perform(action, key: nil, scene)
        }
    }

    private mutating func click(_ point: Point, _ scene: Scene) -> [DashboardEffect] {
        views.breaks.soughtFailure = nil
        let isDouble = isDoubleClick(point, scene)
        let frame = FrameContext(scene.live, self, now: scene.now)
        if let hint = FooterRow.press(at: point, frame) { return press(hint, scene) }
        guard let purpose = entry?.purpose else { return click(point, isDouble: isDouble, frame, scene) }
        let isInList = CommandList(frame)?.contains(point) == true
        let effects = click(besideLine: point, frame, scene)
        // What a filter leaves is there to be clicked, and so are the other panes: the click acts on them as it does without the line.
        guard purpose != .command, entry == nil, !isInList else { return effects }
        return effects + click(point, isDouble: isDouble, FrameContext(scene.live, self, now: scene.now), scene)
    }

    /// A click while no text is typed, beside the footer.
    private mutating func click(
        _ point: Point, isDouble: Bool, _ frame: FrameContext, _ scene: Scene
    ) -> [DashboardEffect] {
        guard !isHelpOpen else {
            if let hint = HelpPane.press(at: point, frame) {
                if case .ofHelp = hint { return press(hint, scene) }
                help = nil
                return press(hint, scene)
            }
            // The border names the key that closes the help.
            if !HelpPane.rect(frame).inset(columns: 1, rows: 1).contains(point) { help = nil }
            return []
        }
        if case .action(let action)? = HeaderPane.press(at: point, frame) { return open(action, scene) }
        if let hint = HeaderPane.press(onBanner: point, frame) { return press(hint, scene) }
        if frame.layout.air.contains(point) {
            if let index = AirRow.breakIndex(frame.context) { selectBreak(at: index, scene) }
            return []
        }
        if frame.layout.tip.contains(point) {
            if let hint = TipRow.press(at: point, frame.context, in: frame.layout.tip) { return press(hint, scene) }
            settings.showsTip = false
            return []
        }
        if let pane = TabsRow.pane(at: point, frame) {
            focusPane(pane)
            return []
        }
        if let distance = ScrubberRow.distance(to: point, in: frame.layout.scrubber, frame.context) {
            return [.player(.seek(.by(distance)))]
        }
        if frame.layout.timeline.contains(point) {
            click(onTimeline: point, frame, scene)
            return []
        }
        return click(onPane: point, isDouble: isDouble, frame, scene)
    }

    /// A click on a mark shows the finding, one beside it the break.
    private mutating func click(onTimeline point: Point, _ frame: FrameContext, _ scene: Scene) {
        let timeline = frame.layout.timeline
        let mark = TimelinePane.mark(
            at: point, in: timeline, frame.context, findings: frame.breaks.worstFindings)
        if let mark {
            focusPane(.findings)
            scrolls.offsets[.detail] = nil
            switch mark {
            case .adBreak(let index): views.findings.show(findingsOf: index, in: scene.shown)
            case .moment(let found): views.findings.show(.path(found.rule, found.path), in: scene.shown)
            }
        } else if let index = TimelinePane.breakIndex(at: point, in: timeline, frame.context) {
            selectBreak(at: index, scene)
        }
    }

    /// A click on a row of the list takes it; one beside list and line leaves a command as Esc does, and keeps a filter as
    /// Enter does.
    private mutating func click(besideLine point: Point, _ frame: FrameContext, _ scene: Scene) -> [DashboardEffect] {
        let list = CommandList(frame)
        if let row = list?.row(at: point) { return choose(row, scene) }
        guard list?.contains(point) != true, !FooterRow.place(frame).contains(point) else { return [] }
        return take(KeyPress(entry?.purpose == .command ? .escape : .enter), scene)
    }

    private mutating func click(
        onPane point: Point, isDouble: Bool, _ frame: FrameContext, _ scene: Scene
    ) -> [DashboardEffect] {
        guard let pane = pane(at: point, frame.layout) else { return [] }
        focusPane(pane)
        if pane == .detail, let hint = DetailPane.press(at: point, frame) { return press(hint, scene) }
        if pane == main {
            let hint = frame.layout.panes[pane].flatMap { frame.main.press(at: point, frame.context, in: $0) }
            if let hint { return press(hint, scene) }
            return withMainView(scene) { $0.click(point, isDouble: isDouble, &$1) }
        } else if isDouble {
            isZoomed.toggle()
        }
        return []
    }

    /// Shows what a count of the header is about; what failed in a recording as far as it was played.
    private mutating func open(_ action: Action, _ scene: Scene) -> [DashboardEffect] {
        focusPane(action.pane ?? (showsTable ? main : .tree))
        if action == .nextFailure, !showsTable {
            selectFailedEvent(scene)
            return []
        }
        return action.pane == nil ? perform(action, key: nil, scene) : []
    }

    /// The pane under a point that can have the keys: the detail below the table of sessions cannot.
    private func pane(at point: Point, _ layout: Layout) -> Pane? {
        layout.pane(at: point).flatMap { showsTable && $0 == .detail ? nil : $0 }
    }

    private mutating func isDoubleClick(_ point: Point, _ scene: Scene) -> Bool {
        let last = pointer.lastClick
        pointer.lastClick = Click(point: point, at: scene.now.uptime)
        guard let last, last.point == point, scene.now.uptime - last.at <= Click.doubleInterval else { return false }
        pointer.lastClick = nil
        return true
    }

    private mutating func selectBreak(at index: Int, _ scene: Scene) {
        guard scene.shown.breaks.indices.contains(index) else { return }
        focusPane(.tree)
        let path = NodePath(breakID: scene.shown.breaks[index].id)
        withBreaks(scene) { breaks, turn in
            if let row = breaks.model.row(of: path) { breaks.select(row: row, &turn) }
        }
    }
}

extension MouseEvent {
    fileprivate var isLeftPress: Bool { kind == .press && button == .left }
}
