import Dashboard
import Locks
import Monitoring
import Ports
import Screen
import Terminal

/// Shows the table of sessions and the dashboard of each, one at a time, on one terminal.
struct MonitorScreen {
    let screen: DashboardRun.OpenScreen
    let group: SessionGroup
    let time: any TimeSource

    /// Runs until the user quits or the terminal is gone.
    func run() async {
        let inputs = TerminalInputs(screen.terminal)
        var table = SessionTableState(size: screen.terminal.capabilities.size, settings: screen.settings)
        var theme = screen.theme
        while true {
            let loop = SessionTableLoop(
                state: table, view: await group.view(), theme: theme, screen: screen, group: group, time: time,
                inputs: inputs.next())
            let end = await loop.run()
            (table, theme) = (end.state, end.theme)
            guard var index = end.opened else { break }
            dashboard: while true {
                switch await dashboard(of: index, theme, inputs) {
                case .quit: return inputs.stop()
                case .left: break dashboard
                case .selected(let other): index = other
                }
            }
            table.selection = group.members[index].name
            // The size may have changed while the dashboard was shown.
            table.size = inputs.size ?? table.size
        }
        inputs.stop()
    }

    private func dashboard(of index: Int, _ theme: Theme, _ inputs: TerminalInputs) async -> DashboardLoop.End {
        let session = LiveSession(monitor: group.members[index].monitor, time: time, cache: nil)
        var settings = screen.settings
        settings.sessions = group.members.map(\.name)
        settings.hasTable = true
        var state = DashboardState(size: inputs.size ?? screen.terminal.capabilities.size, settings: settings)
        state.session = index
        return await DashboardLoop(
            state: state, snapshot: await session.snapshot(), theme: theme, depth: screen.depth,
            terminal: screen.terminal, session: session, inputs: inputs.next()
        ).run()
    }
}

/// The events of a terminal for one reader at a time: the end of one reader does not end the events for the next.
final class TerminalInputs: Sendable {
    private struct State {
        var reader: AsyncStream<InputEvent>.Continuation?
        var hasEnded = false
        var size: Size?
    }

    private let state = Locked(State())
    private let pump: Locked<Task<Void, Never>?>

    init(_ terminal: TerminalSession) {
        pump = Locked(nil)
        // Ended by `stop`, or with the terminal.
        let task = Task { [weak self] in
            for await event in terminal.events { self?.give(event) }
            self?.end()
        }
        pump.withLock { $0 = task }
    }

    /// The last size that the terminal reported; nil before the first change.
    var size: Size? { state.withLock { $0.size } }

    /// The events from now on; the previous reader's stream ends.
    func next() -> AsyncStream<InputEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: InputEvent.self)
        let (former, hasEnded) = state.withLock { state in
            defer { state.reader = continuation }
            return (state.reader, state.hasEnded)
        }
        former?.finish()
        if hasEnded { continuation.finish() }
        return stream
    }

    func stop() {
        pump.withLock { $0 }?.cancel()
    }

    private func give(_ event: InputEvent) {
        let reader = state.withLock { state in
            if case .resize(let size) = event { state.size = size }
            return state.reader
        }
        reader?.yield(event)
    }

    private func end() {
        let reader = state.withLock { state in
            state.hasEnded = true
            return state.reader
        }
        reader?.finish()
    }
}
