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
}
