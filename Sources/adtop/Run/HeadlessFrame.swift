import Dashboard
import Foundation
import Ports
import Screen
import Session

/// A frame of the dashboard as text, ANSI or SVG, at any size, without a terminal.
struct HeadlessFrame {
    let settings: ScreenSettings
    let size: Size
    let pane: Pane?
    let keys: [InputEvent]
    /// Whether secrets in URLs are masked, because a dump is often shared.
    let isRedacted: Bool

    /// The frame or the model after all keys; for a recording, at the position that the keys selected.
    func text(
        of snapshot: Snapshot, as format: FrameOptions.Format, playing player: ReplayPlayer? = nil
    ) throws(CommandFailure) -> String {
        let (snapshot, state) = try pressed(snapshot, player)
        if format == .json {
            return SnapshotJSON(isRedacted: isRedacted).value(of: snapshot).text(indented: true) + "\n"
        }
        return try text(of: grid(of: snapshot, state), as: format)
    }

    /// A grid of the dashboard as text, ANSI or SVG.
    func text(of grid: Grid, as format: FrameOptions.Format) throws(CommandFailure) -> String {
        let theme = try ThemeLoader.theme(settings.theme)
        switch format {
        case .ansi:
            let depth = ColorChoice(setting: settings.color, environment: ProcessInfo.processInfo.environment)
                .depthOfDump
            return ANSIWriter.text(of: grid, palette: theme.palette(at: depth))
        case .svg:
            return theme.svgWriter.text(of: grid)
        case .text, .json:
            return TextWriter.text(of: grid)
        }
    }

    /// The snapshot and the state after all keys, pressed at one instant.
    private func pressed(
        _ snapshot: Snapshot, _ player: ReplayPlayer?
    ) throws(CommandFailure) -> (Snapshot, DashboardState) {
        var state = DashboardState(size: size, settings: try DashboardSetup.settings(settings, isUTF8: true))
        state.settings.redactsURLs = isRedacted
        var (snapshot, player) = (snapshot, player)
        _ = state.update(.snapshotArrived, snapshot: snapshot, now: snapshot.at)
        for key in keys {
            // Effects need a terminal or a session; only a recording can perform some of them here.
            for effect in state.update(.input(key), snapshot: snapshot, now: snapshot.at) {
                guard let notice = player?.take(effect), let shown = player?.snapshot(real: .zero) else { continue }
                snapshot = shown
                _ = state.update(.snapshotArrived, snapshot: snapshot, now: snapshot.at)
                _ = state.update(
                    .noticed(notice.text, isGood: notice.isGood), snapshot: snapshot, now: snapshot.at)
            }
        }
        return (snapshot, state)
    }

    private func grid(of snapshot: Snapshot, _ state: DashboardState) -> Grid {
        guard let pane else { return Renderer.frame(snapshot, state, now: snapshot.at).grid }
        return Renderer.pane(pane, snapshot, state, now: snapshot.at)
    }
}

extension Theme {
    /// SVG has all colours, on the background that the theme is made for.
    var svgWriter: SVGWriter {
        SVGWriter(palette: palette(at: .truecolor), paper: variant == .light ? .light : .dark)
    }
}

extension ReplayPlayer {
    /// Performs the effect of a key while no real time passes; nil for an effect that is not for a session.
    fileprivate mutating func take(_ effect: DashboardEffect) -> ReplayNotice? {
        if case .step(let count) = effect { return step(by: count, real: .zero) }
        return effect.input.flatMap { take($0, real: .zero) }
    }
}
