import Ports
import Screen
import Session

/// The input of the shell's own rows while one frame is drawn: what every pane gets, the state, and the rectangles.
struct FrameContext {
    /// The input of every pane.
    let context: ViewContext
    /// The dashboard, with the rows of the breaks and of the open view made for the snapshot that is shown.
    let state: DashboardState
    /// The rectangles of the panes and of the rows around them.
    let layout: Layout
    /// The view in the main place.
    let main: any MainView

    /// The context of a frame of `state` at `now`.
    init(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) {
        let shown = state.shown(snapshot, now: now)
        var state = state
        // The state may be of an earlier snapshot.
        state.views.fit(state.main, shown.snapshot)
        state.top = TopNeeds(shown.snapshot)
        context = ViewContext(
            shown, realNow: now, size: state.size, settings: state.settings, focus: state.focus,
            wrapsDetail: state.wrapsDetail, scrolls: state.scrolls)
        layout = Layout(state)
        main = state.mainView
        self.state = state
    }

    /// The rows of the breaks.
    var breaks: TreeModel { state.views.breaks.model }

    /// The rows above a table.
    var tableHeader: any TableHeader {
        state.main == .sessions
            ? SessionTableHeader(model: state.views.sessions.model, context: context)
            : FleetHeader(fleet: state.views.fleet, context: context)
    }

    /// The ad that is shown over all panes.
    var presentedAd: FormatsView.Slot? { state.presentedAd(context.snapshot) }
}
