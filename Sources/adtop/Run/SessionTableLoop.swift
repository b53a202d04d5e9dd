import Dashboard
import Monitoring
import Ports
import Screen
import Terminal

/// Receives a key, an alarm or the newest state of all sessions, updates the table and shows the frame. Like
/// `DashboardLoop` it makes no decisions. Sessions are read once a second, and only while the table is shown.
struct SessionTableLoop: ~Copyable {
    private var state: SessionTableState
    private var view: SessionsView
    private var theme: Theme
    private let screen: DashboardRun.OpenScreen
    private let group: SessionGroup
    private let time: any TimeSource
    private let inputs: AsyncStream<InputEvent>
    private let events: AsyncStream<LoopEvent>
    private let sink: AsyncStream<LoopEvent>.Continuation
    private var opened: Int?

    /// An event that wakes the loop.
    private enum LoopEvent: Sendable {
        case input(InputEvent)
        case terminalGone
        case refreshed(SessionsView)
    }

    /// How the loop ended.
    struct End {
        let state: SessionTableState
        let theme: Theme
        /// The session to show; nil when the user quit or the terminal is gone.
        let opened: Int?
    }

    init(
        state: SessionTableState, view: SessionsView, theme: Theme, screen: DashboardRun.OpenScreen,
        group: SessionGroup, time: any TimeSource, inputs: AsyncStream<InputEvent>
    ) {
        self.state = state
        self.view = view
        self.theme = theme
        self.screen = screen
        self.group = group
        self.time = time
        self.inputs = inputs
        (events, sink) = AsyncStream.makeStream()
    }

    /// Runs until the user opens a session, quits, or the terminal is gone.
    consuming func run() async -> End {
        let feed = feed()
        var clock = clock()
        _ = update(.refreshed)
        show()
        for await event in events {
            var isOver = false
            switch event {
            case .input(let input): isOver = !update(.input(input))
            case .terminalGone: isOver = true
            case .refreshed(let newest):
                view = newest
                isOver = !update(.refreshed)
                clock = self.clock()
            }
            if isOver { break }
            show()
        }
        feed.cancel()
        clock.cancel()
        return End(state: state, theme: theme, opened: opened)
    }

    /// Keys as loop events; `run` ends the task.
    private func feed() -> Task<Void, Never> {
        let (sink, inputs) = (sink, inputs)
        return Task {
            for await input in inputs { sink.yield(.input(input)) }
            sink.yield(.terminalGone)
        }
    }

    /// Reads all sessions when the next second begins. Ends by itself or with `run`.
    private func clock() -> Task<Void, Never> {
        let (sink, group, time) = (sink, group, time)
        let due = state.nextRefresh(now: time.now()).uptime
        return Task {
            guard (try? await time.sleep(untilUptime: due)) != nil else { return }
            let view = await group.view()
            if !Task.isCancelled { sink.yield(.refreshed(view)) }
        }
    }

    /// False ends the loop.
    private mutating func update(_ event: SessionTableEvent) -> Bool {
        for effect in state.update(event, view, now: time.now()) {
            switch effect {
            case .open(let index):
                opened = index
                return false
            case .quit: return false
            case .redraw: screen.terminal.redraw()
            case .suspend: screen.terminal.suspend()
            case .setTheme(let name): useTheme(name)
            }
        }
        return true
    }

    private mutating func useTheme(_ name: String) {
        do throws(CommandFailure) {
            theme = try ThemeLoader.theme(name)
            screen.terminal.redraw()
            _ = state.update(.themeChanged(name), view, now: time.now())
        } catch {
            _ = state.update(.noticed(error.message, isGood: false), view, now: time.now())
        }
    }

    private func show() {
        let frame = SessionTableRenderer.frame(
            view, state, now: time.now(), widths: screen.terminal.capabilities.widths)
        screen.terminal.show(
            TerminalFrame(grid: frame.grid, palette: theme.palette(at: screen.depth), cursor: frame.cursor))
    }
}
