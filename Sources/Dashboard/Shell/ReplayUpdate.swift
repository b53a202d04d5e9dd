import Ports
import Screen
import Session

extension DashboardState {
    /// The key that plays and pauses a recording; in a session it turns a page.
    static let playKey = KeyPress(.char(" "))

    /// How far the arrows move a recording.
    private static let arrowStep: Duration = .seconds(5)

    /// The effects of keys that mean something else while a recording is shown; nil for other keys.
    mutating func take(inReplay key: KeyPress?, _ action: Action, _ scene: Scene) -> [DashboardEffect]? {
        guard let replay = scene.live.replay else { return nil }
        if key == Self.playKey { return playOrPause(replay) }
        // In the log they scroll sideways; folding has h and l.
        if focus != .log, key?.modifiers == [] {
            switch key?.key {
            case .left?: return [.player(.seek(.by(.zero - Self.arrowStep)))]
            case .right?: return [.player(.seek(.by(Self.arrowStep)))]
            default: break
            }
        }
        switch action {
        case .previousSession: return seek(replay, to: -1, scene)
        case .nextSession: return seek(replay, to: 1, scene)
        default: return nil
        }
    }

    /// A recording that is over plays from its beginning.
    private func playOrPause(_ replay: ReplayView) -> [DashboardEffect] {
        if replay.isOver { return [.player(.seek(.by(.zero - replay.length))), .player(.play)] }
        return [.player(replay.isPaused ? .play : .pause)]
    }

    /// To the next break of the recording in that direction; a position within a second of a break is that break.
    private mutating func seek(_ replay: ReplayView, to step: Int, _ scene: Scene) -> [DashboardEffect] {
        let now = replay.offset(at: scene.now)
        let starts = replay.marks.filter { $0.kind == .adBreak }.map(\.offset)
        let target = step > 0 ? starts.first { $0 > now } : starts.last { $0 + .seconds(1) < now } ?? .zero
        guard let target else {
            toast("no later break in the recording", isGood: false, now: scene.now)
            return []
        }
        return [.player(.seek(.by(target - now)))]
    }

    /// To the next failure of the recording: below the cursor, or else later than the position. After the last one the first of those that
    /// were played is shown, as in a session.
    mutating func seekFailure(_ replay: ReplayView, _ scene: Scene) -> [DashboardEffect] {
        let failures = views.breaks.failures
        if let path = failures.below {
            showNode(path, scene)
            return []
        }
        let (now, marks) = (replay.offset(at: scene.now), replay.marks.filter { $0.kind == .failure })
        if let next = marks.first(where: { $0.offset > now }) {
            views.breaks.soughtFailure = SoughtFailure(offset: next.offset, known: Set(failures.all))
            return [.player(.seek(.by(next.offset - now)))]
        }
        guard !marks.isEmpty || !failures.all.isEmpty else {
            toast("no beacon failed in the recording", isGood: true, now: scene.now)
            return []
        }
        toast("no later failure in the recording", isGood: false, now: scene.now)
        if let first = failures.all.first { showNode(first, scene) }
        return []
    }

    /// Selects the event to whose failure the recording was moved, as soon as a snapshot has it.
    mutating func showSoughtFailure(_ scene: Scene) {
        guard let sought = views.breaks.soughtFailure, let replay = scene.live.replay,
            replay.offset(at: scene.live.at) >= sought.offset
        else { return }
        views.breaks.soughtFailure = nil
        // What failed may be in no break: a ping, or a beacon of an ad space.
        if let path = views.breaks.failures.all.first(where: { !sought.known.contains($0) }) { showNode(path, scene) }
    }
}
