import AdFormats
import AdTracking
package import Ports
import Screen
package import Session

extension DashboardState {
    /// Applies an event and returns the effects for the caller. Pure: the time is `now`, the session is `snapshot`.
    package mutating func update(
        _ event: DashboardEvent, snapshot: Snapshot, now: Moment
    ) -> [DashboardEffect] {
        let before = views.breaks.tree
        let scene = Scene(snapshot, held: held, now: now)
        if !showsTable { views.breaks.fit(scene.shown) }
        top = TopNeeds(scene.shown)
        refreshMainView(scene)
        var effects: [DashboardEffect] = []
        switch event {
        case .input(let input):
            // No time passes in which a notice of a recording that is stopped could expire.
            if case .key = input, snapshot.replay?.isStopped == true { toasts = [] }
            effects = take(input, scene)
        case .snapshotArrived:
            noteReport(snapshot, now: now)
            log.adBreak = log.adBreak.map { LogBreak($0.id, in: scene.shown.breaks) ?? $0 }
            showSoughtFailure(scene)
        case .ticked: break
        case .noticed(let text, let isGood): toast(text, isGood: isGood, now: now)
        case .folderRead(let listing): take(listing)
        case .themeChanged(let name):
            settings.theme = name
            toast("theme: \(name)", isGood: true, now: now)
        case .sessionsChanged(let names, let current): show(session: current, of: names)
        case .tableShown(let sessions): showTable(sessions, now: now)
        case .sessionsRead(let sessions): views.sessions.read(sessions, at: now)
        case .fleetShown(let fleet): showFleet(fleet, now: now)
        case .fleetRead(let fleet): views.read(fleet, at: now)
        }
        effects += turned(scene) + askForFolder()
        toasts.removeAll { $0.expires <= now.uptime }
        let after = Scene(snapshot, held: held, now: now)
        top = TopNeeds(after.shown)
        if !showsTable { withBreaks(after) { $0.settle(changedFrom: before, &$1) } }
        refreshMainView(after)
        return effects
    }

    /// Shows a notice; the oldest is dropped when there are too many.
    mutating func toast(_ text: String, isGood: Bool, now: Moment) {
        // A newer notice supersedes good news, so that five themes in a row are not a heap of five; bad news is shown to its end. A repeated
        // notice is the same notice, shown for longer.
        toasts.removeAll { $0.isGood || $0.text == text }
        toasts.append(Toast(text, isGood: isGood, now: now))
        if toasts.count > Toast.limit { toasts.removeFirst(toasts.count - Toast.limit) }
    }

    private mutating func take(_ input: InputEvent, _ scene: Scene) -> [DashboardEffect] {
        switch input {
        case .key(let key):
            views.breaks.soughtFailure = nil
            return takeWhereItIsSeen(key, scene)
        case .mouse(let event): return take(event, scene)
        case .paste(let text):
            // Text, never commands: outside a text entry it is ignored.
            if entry != nil { insert(text) }
            return []
        case .resize(let size):
            self.size = size
            return []
        // Colours are chosen where cells are painted.
        case .background: return []
        case .focus(let flag): return lifecycle(flag ? .didBecomeActive : .willResignActive, scene)
        case .stopping: return lifecycle(.didEnterBackground, scene)
        case .continued: return lifecycle(.willEnterForeground, scene)
        }
    }

    /// The smallest screens show the main pane alone: it has the keys there. The pane that had them before has them again on a larger
    /// screen, unless a key has chosen another one.
    private mutating func takeWhereItIsSeen(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect] {
        guard SizeClass(size) == .tiny, focus != main else { return take(key, scene) }
        let (hidden, shown) = (focus, main)
        focus = shown
        let effects = take(key, scene)
        if focus == shown, main == shown { focus = hidden }
        return effects
    }

    /// Reports to ads what changes their visibility (FMT-11).
    private mutating func lifecycle(_ event: LifecycleEvent, _ scene: Scene) -> [DashboardEffect] {
        let before = visibility
        visibility.take(event)
        guard visibility != before, !showsTable, scene.live.formats != nil else { return [] }
        return [.format(slot: "", .lifecycle(event))]
    }

    /// Ad calls carry the orientation of the screen. Cells are twice as high as wide (FMT-11).
    private mutating func turned(_ scene: Scene) -> [DashboardEffect] {
        let orientation: RequestParameters.Orientation = size.columns >= 2 * size.rows ? .landscape : .portrait
        guard orientation != toldOrientation, !showsTable, scene.live.formats != nil else { return [] }
        toldOrientation = orientation
        return [.format(slot: "", .turned(orientation))]
    }

    /// The outcome of a viewer's action becomes a toast once it is decided.
    private mutating func noteReport(_ snapshot: Snapshot, now: Moment) {
        guard let report = snapshot.userReport, let wasReported = report.wasReported, shownReport != report.number
        else {
            return
        }
        shownReport = report.number
        // A report from before this dashboard was opened is not news.
        guard now.uptime - report.at.uptime < Toast.lifetime else { return }
        toast(report.message, isGood: wasReported || !report.isFailure || snapshot.session.mode == .observe, now: now)
    }
}
