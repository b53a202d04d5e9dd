import Dashboard
import Monitoring
import Ports
import Screen
import Terminal

/// Receives the newest snapshot, a key or an alarm, updates the state and shows the frame. It makes no decisions:
/// behaviour is in `DashboardState.update`, appearance in `Renderer`.
struct DashboardLoop: ~Copyable {
    /// Shortest interval between frames for data; a key is shown at once.
    static let frameInterval: Duration = .milliseconds(50)
    /// Delay of a frame for data, so that the start of a request and its answer share one frame.
    static let dataDelay: Duration = .milliseconds(40)

    private var state: DashboardState
    private var snapshot: Snapshot
    private var theme: Theme
    private var palette: Palette
    private let depth: ColorDepth
    private let terminal: TerminalSession
    private let session: any WatchedSession
    private let inputs: AsyncStream<InputEvent>
    private let events: AsyncStream<LoopEvent>
    private let sink: AsyncStream<LoopEvent>.Continuation
    private var alarm: Task<Void, Never>?
    /// Uptime at which `alarm` fires.
    private var alarmAt: Duration?
    private var paintedAt: Duration?
    /// Uptime of the next frame; nil while the last one is current.
    private var paintDue: Duration?
    private var end = End.quit

    /// Why the loop ended.
    enum End: Equatable, Sendable {
        /// The user quit, or the terminal is gone.
        case quit
        /// The user returns to the table of sessions.
        case left
        /// The user selects the session at this index.
        case selected(Int)
    }

    /// An event that wakes the loop.
    private enum LoopEvent: Sendable {
        case input(InputEvent)
        case terminalGone
        case snapshot(Snapshot)
        case sessionEnded
        case alarm
        case noticed(String, isGood: Bool)
    }

    init(
        state: DashboardState, snapshot: Snapshot, theme: Theme, depth: ColorDepth, terminal: TerminalSession,
        session: any WatchedSession, inputs: AsyncStream<InputEvent>
    ) {
        self.state = state
        self.snapshot = snapshot
        self.theme = theme
        self.depth = depth
        self.terminal = terminal
        self.session = session
        self.inputs = inputs
        palette = theme.palette(at: depth)
        (events, sink) = AsyncStream.makeStream()
    }

    /// Runs until the user quits or the terminal is gone.
    consuming func run() async -> End {
        let feeds = feeds()
        show(at: session.time.now())
        for await event in events {
            let now = session.time.now()
            if await !take(event, at: now) { break }
            paintWhenDue(at: now)
        }
        alarm?.cancel()
        feeds.forEach { $0.cancel() }
        return end
    }

    /// Keys and snapshots as loop events; `run` ends these tasks.
    private func feeds() -> [Task<Void, Never>] {
        let (sink, inputs, session) = (sink, inputs, session)
        return [
            Task {
                for await input in inputs { sink.yield(.input(input)) }
                sink.yield(.terminalGone)
            },
            Task {
                for await snapshot in await session.snapshots() { sink.yield(.snapshot(snapshot)) }
                sink.yield(.sessionEnded)
            },
        ]
    }

    /// False ends the loop.
    private mutating func take(_ event: LoopEvent, at now: Moment) async -> Bool {
        switch event {
        case .input(let input):
            let continues = await update(.input(input), paint: now.uptime, at: now)
            // The session has the input by now.
            if input == .stopping { terminal.mayStop() }
            return continues
        case .terminalGone:
            return false
        case .snapshot(let newest):
            snapshot = newest
            let earliest = now.uptime + Self.dataDelay
            let due = paintedAt.map { max($0 + Self.frameInterval, earliest) } ?? earliest
            return await update(.snapshotArrived, paint: due, at: now)
        case .sessionEnded:
            return true
        case .alarm:
            alarmAt = nil
            return await update(.ticked, paint: now.uptime, at: now)
        case .noticed(let text, let isGood):
            return await update(.noticed(text, isGood: isGood), paint: now.uptime, at: now)
        }
    }

    /// False ends the loop. The frame with the change is painted at uptime `due`, or with an earlier frame.
    private mutating func update(_ event: DashboardEvent, paint due: Duration, at now: Moment) async -> Bool {
        paintDue = min(paintDue ?? due, due)
        for effect in state.update(event, snapshot: snapshot, now: now) {
            if await !perform(effect, at: now) { return false }
        }
        return true
    }

    private mutating func perform(_ effect: DashboardEffect, at now: Moment) async -> Bool {
        switch effect {
        case .quit: return false
        case .toggleMute, .togglePause, .report, .player, .format, .setMode, .auction, .retry, .discardZone:
            if let input = effect.input { tell(await session.submit(input)) }
        case .step(let count): tell(await session.step(by: count))
        case .copy(let text, let kind): copy(text, kind)
        case .export(let format, let file): await export(format, to: file, at: now)
        case .setTheme(let name): return await useTheme(name, at: now)
        case .leaveSession:
            end = .left
            return false
        case .selectSession(let index):
            end = .selected(index)
            return false
        case .cache(let command): perform(command)
        case .redraw: terminal.redraw()
        case .suspend: terminal.suspend()
        }
        return true
    }

    private func tell(_ notice: ReplayNotice?) {
        if let notice { sink.yield(.noticed(notice.text, isGood: notice.isGood)) }
    }

    private func perform(_ command: CacheAction) {
        guard let cache = session.cache else {
            sink.yield(.noticed("this session has no creative cache", isGood: false))
            return
        }
        let sink = sink
        // Ends by itself within the time limit of a request; quitting does not wait for it.
        Task {
            let report = await cache.perform(command)
            sink.yield(.noticed(report.text, isGood: report.isGood))
        }
    }

    private func copy(_ text: String, _ kind: CopyKind) {
        let (terminal, sink) = (terminal, sink)
        // Ends by itself within the clipboard programs' time limit; quitting does not wait for it.
        Task {
            let report = await terminal.copy(text)
            sink.yield(.noticed("\(kind.rawValue): \(report)", isGood: report.worked))
        }
    }

    private func export(_ format: ExportFormat, to file: String?, at now: Moment) async {
        let path = file ?? ExportFile.name(for: snapshot, format, at: now)
        do throws(CommandFailure) {
            try ExportFile.write(exported(format, at: now), to: path)
            sink.yield(.noticed("exported to \(path)", isGood: true))
        } catch {
            sink.yield(.noticed(error.message, isGood: false))
        }
    }

    private func exported(_ format: ExportFormat, at now: Moment) -> String {
        switch format {
        case .json: SnapshotJSON().value(of: snapshot).text(indented: true) + "\n"
        case .csv: Export.csv(snapshot)
        case .text: Export.text(snapshot, state, now: now)
        case .svg: Export.svg(snapshot, state, now: now, writer: theme.svgWriter)
        }
    }

    private mutating func useTheme(_ name: String, at now: Moment) async -> Bool {
        do throws(CommandFailure) {
            theme = try ThemeLoader.theme(name)
            palette = theme.palette(at: depth)
            terminal.redraw()
            return await update(.themeChanged(name), paint: now.uptime, at: now)
        } catch {
            return await update(.noticed(error.message, isGood: false), paint: now.uptime, at: now)
        }
    }

    /// Paints what is due, then sets the alarm for what comes next.
    private mutating func paintWhenDue(at now: Moment) {
        if let paintDue, paintDue <= now.uptime { show(at: now) }
        let refresh = state.nextRefresh(snapshot, now: now)?.uptime
        setAlarm(at: [paintDue, refresh].compactMap { $0 }.min())
    }

    private mutating func show(at now: Moment) {
        let frame = Renderer.frame(snapshot, state, now: now, widths: terminal.capabilities.widths)
        terminal.show(TerminalFrame(grid: frame.grid, palette: palette, cursor: frame.cursor))
        paintedAt = now.uptime
        paintDue = nil
    }

    private mutating func setAlarm(at uptime: Duration?) {
        // A cancelled sleep still wakes the process once, so an alarm at the right time is not replaced.
        guard uptime != alarmAt else { return }
        alarm?.cancel()
        alarmAt = uptime
        alarm = uptime.map { uptime in
            let (time, sink) = (session.time, sink)
            // Ended by the next alarm or by `run`.
            return Task {
                guard (try? await time.sleep(untilUptime: uptime)) != nil, !Task.isCancelled else { return }
                sink.yield(.alarm)
            }
        }
    }
}
