import Dashboard
import Foundation
import Monitoring
import Ports
import Screen

/// A frame of the dashboard as text, ANSI or SVG, at any size, without a terminal.
struct HeadlessFrame {
    let settings: Settings
    let size: Size
    let pane: Pane?
    let keys: [InputEvent]
    /// Whether secrets in URLs are masked: what is dumped is shared.
    let isRedacted: Bool

    func text(of snapshot: Snapshot, as format: DumpOptions.Format) throws(CommandFailure) -> String {
        let theme = try ThemeLoader.theme(settings.theme)
        let grid = try grid(of: snapshot)
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

    private func grid(of snapshot: Snapshot) throws(CommandFailure) -> Grid {
        var state = DashboardState(size: size, settings: try DashboardSetup.settings(settings, isUTF8: true))
        state.settings.redactsURLs = isRedacted
        let now = snapshot.at
        _ = state.update(.snapshotArrived, snapshot: snapshot, now: now)
        // Effects need a terminal or a session; a picture has neither.
        for key in keys { _ = state.update(.input(key), snapshot: snapshot, now: now) }
        guard let pane else { return Renderer.frame(snapshot, state, now: now).grid }
        return Renderer.pane(pane, snapshot, state, now: now)
    }
}

extension Theme {
    /// Pictures have every colour, on the ground the theme is made for.
    var svgWriter: SVGWriter {
        SVGWriter(palette: palette(at: .truecolor), paper: variant == .light ? .light : .dark)
    }
}
