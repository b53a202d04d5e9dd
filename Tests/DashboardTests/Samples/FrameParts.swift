import Screen
import Testing

@testable import Dashboard

/// The parts of a frame that goldens show. Header, log and footer have goldens of their own: a word changed
/// there rewrites those and the few whole screens, not every view.
extension DashboardSample {
    /// The rows above the panes: header, addresses, banner, timeline, sparklines.
    var top: Rect {
        let first = layout.panes.values.map(\.y).min() ?? state.size.rows
        return Rect(state.size).splitTop(first).top
    }

    /// The pane in the main place and the one beside or below it, or the only one there is room for.
    var panes: Rect {
        let side = layout.sizeClass == .huge ? Pane.detail : state.side
        let shown = [layout.panes[state.main], layout.panes[side]].compactMap { $0 }
        return enclosing(shown.isEmpty ? Array(layout.panes.values) : shown)
    }

    /// The log with its border or rule; empty where it is not visible.
    var log: Rect { layout.panes[.log] ?? .zero }

    /// The last row.
    var footer: Rect { layout.footer }

    /// The cells that a full-screen ad covers.
    var overlay: Rect { AdOverlay.rect(state.size) }

    /// The cells of the help over the panes.
    var help: Rect { HelpPane.rect(FrameContext(snapshot, state, now: now)) }

    private var layout: Layout { Layout(state) }
}

extension SessionTableSample {
    /// The table and the detail of its selected row.
    var table: Rect { enclosing([layout.panes[.sessions], layout.panes[.detail]].compactMap { $0 }) }

    /// The log with its border or rule.
    var logPane: Rect { layout.panes[.log] ?? .zero }

    /// Everything between the rows of the header and the footer.
    var middle: Rect { enclosing(Array(layout.panes.values)) }

    /// The last row.
    var footer: Rect { layout.footer }

    var layout: Layout { Layout(state) }
}

/// The smallest rectangle around all of them.
private func enclosing(_ rects: [Rect]) -> Rect {
    let left = rects.map(\.x).min() ?? 0, top = rects.map(\.y).min() ?? 0
    let right = rects.map(\.maxX).max() ?? 0, bottom = rects.map(\.maxY).max() ?? 0
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
}
