package import Ports
package import Screen
package import Session

/// What `e`, `:export` and `--dump` write: the screen as text or picture, the model as a table. Secrets in URLs are masked,
/// because exports are shared (TERM-28). The model as JSON is the monitor's `adtop-snapshot/1`.
package enum Export {
    /// The screen as rows of text.
    package static func text(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) -> String {
        TextWriter.text(of: grid(snapshot, state, now: now))
    }

    /// The screen as a picture in the colours of a palette.
    package static func svg(_ snapshot: Snapshot, _ state: DashboardState, now: Moment, writer: SVGWriter) -> String {
        writer.text(of: grid(snapshot, state, now: now), title: SafeText(outside: "adtop \(snapshot.session.name)"))
    }

    /// One row per URL of every event, with a header row.
    package static func csv(_ snapshot: Snapshot) -> String { EventTable.csv(snapshot) }

    /// The screen without text entry and questions.
    private static func grid(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) -> Grid {
        var state = state
        state.settings.redactsURLs = true
        state.entry = nil
        state.confirmation = nil
        state.toasts = []
        return Renderer.frame(snapshot, state, now: now).grid
    }
}
