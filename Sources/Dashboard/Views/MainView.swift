import Monitoring
import Ports
import Screen

/// A view of the main place as one value: its list, what the detail pane explains, its keys.
///
/// Whatever differs between views is here. The shell around them draws the view that is open and passes it what concerns
/// it; it knows none by name but the breaks, to which Esc returns.
struct MainView: Sendable {
    /// What the detail pane shows of the selection.
    struct Detail: Sendable {
        typealias Draw = @Sendable (ViewContext, Rect, inout Grid) -> Bool

        var title: @Sendable (ViewContext) -> StyledLine
        /// Adds everything known.
        var add: @Sendable (ViewContext, inout FieldLines) -> Void
        /// The texts for the right end of the frame, the longest first.
        var status: @Sendable (ViewContext) -> [StyledLine] = { _ in [] }
        /// The keys shown below the text.
        var hints: @Sendable (ViewContext) -> StyledLine? = { context in
            guard context.address != nil else { return nil }
            return FooterHints.line([(.copyURL, "copy url"), (.wrap, "wrap")], context, gap: 2)
        }
        /// Draws a form for few rows in the place of the text; false where there is none.
        var drawCompact: Draw = { _, _, _ in false }
    }

    typealias Change<Value> = @Sendable (inout DashboardState, Value) -> Void
    typealias Draw = @Sendable (ViewContext, Rect, inout Grid) -> Void

    /// The pane that shows it.
    let pane: Pane
    let draw: Draw
    /// The selected row alone, for the smallest screens.
    let drawRow: Draw
    /// The cells of the rows inside the frame (default: all of them).
    var rowArea: @Sendable (Rect) -> Rect = { $0 }
    /// The keys of the view in the footer.
    var hints: [FooterHint] = []
    let detail: Detail
    /// Rows that the detail needs beyond its least, where the panes are stacked.
    var detailRows = 2

    /// The text typed after `/`.
    let filter: any WritableKeyPath<DashboardState, String> & Sendable
    /// Makes the rows for a snapshot, where they are out of date.
    let fit: Change<Snapshot>
    /// Makes the rows and moves the cursor with the playhead.
    let refresh: Change<Scene>
    /// Forgets the session that was shown.
    var reset: @Sendable (inout DashboardState) -> Void

    var move: Change<Action>
    /// Scrolls by rows.
    let scroll: Change<Int>
    /// A click on its pane.
    let click: @Sendable (inout DashboardState, Point, _ isDouble: Bool) -> Void
    /// Enter.
    var open: @Sendable (inout DashboardState) -> Void = { $0.showDetail() }
    /// Turns following the playhead on, off, or over (nil).
    var follow: Change<Bool?> = { $0.followBreaks($1) }
    /// Selects the next break, or what the view has of that kind, in that direction.
    var selectBreak: Change<Int> = { state, step in
        state.selectBreak(step)
        state.focusPane(.tree)
    }
    /// Selects the next failure.
    var selectFailure: Change<Scene> = { $0.selectFailedEvent($1) }

    /// The effects of a key that means something else here than in the key map; nil for other keys.
    var take: @Sendable (inout DashboardState, KeyPress, Scene) -> [DashboardEffect]? = { _, _, _ in nil }
    /// The effects of an action that means something else here; nil for other actions. There is no key when it came from
    /// the mouse.
    var perform: @Sendable (inout DashboardState, Action, KeyPress?, Scene) -> [DashboardEffect]? = { _, _, _, _ in nil
    }

    /// The URL of the selected row, nil where it has none.
    var address: @Sendable (DashboardState) -> String? = { _ in nil }
    /// The finding under the cursor.
    var finding: @Sendable (DashboardState) -> Finding? = { _ in nil }
}

extension MainView {
    /// A view that is a list of rows of one kind.
    init<Rows>(
        _ place: ListPlace<Rows>, draw: @escaping Draw, drawRow: @escaping Draw, detail: Detail,
        fit: @escaping Change<Snapshot>, refresh: @escaping Change<Scene>
    ) {
        let list = place.list
        self.init(
            pane: place.pane, draw: draw, drawRow: drawRow, detail: detail, filter: place.filter, fit: fit,
            refresh: refresh, reset: { $0[keyPath: list] = ListState() },
            move: { $0.move($1, in: place) }, scroll: { $0.wheel($1, in: place) },
            click: { $0.click($1, in: place, isDouble: $2) })
    }
}

extension DashboardView {
    /// The view of that name.
    var content: MainView {
        switch self {
        case .breaks: .breaks
        case .playlist: .playlist
        case .creative: .creative
        case .auction: .auction
        case .formats: .formats
        case .cache: .cache
        }
    }
}

extension Pane {
    /// The view that the pane shows, nil for panes beside the main place.
    var view: MainView? { DashboardView(self)?.content }
}

extension DashboardState {
    /// The view in the main place.
    var mainView: MainView { view.content }
}
