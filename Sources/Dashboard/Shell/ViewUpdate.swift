import Session

extension DashboardState {
    /// What the view in the main place does with an event, and then what it asked for. `action` is that of a key.
    mutating func withMainView<Result>(
        _ scene: Scene, for action: Action? = nil, _ act: (inout any MainView, inout ViewTurn) -> Result
    ) -> Result {
        var view = mainView
        var turn = turn(of: main, scene, isFocused: actsOnView(action))
        let result = act(&view, &turn)
        views[main] = view
        carryOut(turn.requests, scene)
        return result
    }

    /// What the breaks do with an event, whatever view is open.
    mutating func withBreaks(_ scene: Scene, _ act: (inout TreePane, inout ViewTurn) -> Void) {
        var turn = turn(of: .tree, scene, isFocused: focus == .tree)
        act(&views.breaks, &turn)
        carryOut(turn.requests, scene)
    }

    /// What the main view does before and after every event.
    mutating func refreshMainView(_ scene: Scene) {
        let breaks = views.breaks
        withMainView(scene) { $0.refresh(breaks: breaks, &$1) }
    }

    private func turn(of pane: Pane, _ scene: Scene, isFocused: Bool) -> ViewTurn {
        ViewTurn(scene, rows: Layout(self).content(of: pane), isFocused: isFocused, isHeld: held != nil)
    }

    /// Whether a key acts on the view in the main place: its rows have the keys, or the detail of its selection has them
    /// and does not use this one itself.
    private func actsOnView(_ action: Action?) -> Bool {
        focus == main || focus == .detail && action.map(DetailPane.ownActions.contains) != true
    }

    private mutating func carryOut(_ requests: [ViewTurn.Request], _ scene: Scene) {
        for request in requests {
            switch request {
            case .toast(let text, let isGood): toast(text, isGood: isGood, now: scene.now)
            case .focus(let pane): focusPane(pane)
            case .focusOrZoom(let pane): focusOrZoom(pane)
            case .filter(let pane, let text):
                setFilter(text, of: pane)
                focusPane(pane)
            case .showDetail: showDetail()
            case .restartDetail: scrolls.offsets[.detail] = nil
            case .confirm(let question): confirmation = question
            case .followBreaks(let flag): withBreaks(scene) { $0.follow(flag, &$1) }
            case .selectBreak(let step): withBreaks(scene) { $0.selectBreak(step: step, &$1) }
            case .selectAd(let step): withBreaks(scene) { $0.selectAd(step: step, &$1) }
            case .showNode(let path): showNode(path, scene)
            }
        }
    }

    /// Shows a node of the breaks.
    mutating func showNode(_ path: NodePath, _ scene: Scene) {
        focusPane(.tree)
        withBreaks(scene) { $0.reveal(path, &$1) }
    }

    /// Shows the next failed event in the breaks; in a recording it may be still to come.
    mutating func selectFailure(_ scene: Scene) -> [DashboardEffect] {
        if let replay = scene.live.replay { return seekFailure(replay, scene) }
        selectFailedEvent(scene)
        return []
    }

    /// Shows the next of the failed events that are in the breaks.
    mutating func selectFailedEvent(_ scene: Scene) {
        guard let path = views.breaks.nextFailedEvent else {
            return toast("no beacon has failed", isGood: true, now: scene.now)
        }
        showNode(path, scene)
    }
}
