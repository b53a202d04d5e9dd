import Dashboard
import Live
import Ports
import Screen
import Session
import Terminal

/// Receives the newest snapshot, a key or an alarm, updates the state and shows the frame. It makes no decisions:
/// behaviour is in `DashboardState.update`, appearance in `Renderer`.
///
/// It shows one session, or a table and one session of it at a time. The table is read once a second, and only while it is
/// shown.
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
    /// Whether the terminal's background is light; nil while nothing is known of it.
    private var isLight: Bool?
    private let terminal: TerminalSession
    /// The session that is shown; while the table is shown the one that was shown last.
    private var session: any WatchedSession
    /// The table from which sessions are opened, where there is one.
    private let table: (any WatchedTable)?
    private let inputs: AsyncStream<InputEvent>
    private let events: AsyncStream<LoopEvent>
    private let sink: AsyncStream<LoopEvent>.Continuation
    /// What runs beside the loop and ends in one of its events.
    private let work: LoopWork
    /// The clock of frames: that of a recording may be paused, and a change is still to be seen at once.
    private let real = SystemTimeSource()
    private var alarm: Task<Void, Never>?
    /// When `alarm` fires.
    private var alarmAt: AlarmTime?
    /// Real uptime of the last frame.
    private var paintedAt: Duration?
    /// Real uptime of the next frame; nil while the last one is current.
    private var paintDue: Duration?
    /// Follows what is shown: the snapshots of the session, or the table.
    private var feed: Task<Void, Never>?
    /// The stream to watch after this session.
    private var next: WebURL?
    /// Distinguishes what an earlier feed has left behind.
    private var feedNumber = 0

    /// The time of an alarm, by the clock that it waits for.
    private enum AlarmTime: Equatable {
        /// Real uptime at which a frame is due.
        case frame(Duration)
        /// Uptime by the session's clock at which the picture changes by itself.
        case refresh(Duration)
    }

    init(
        state: DashboardState, snapshot: Snapshot, _ screen: DashboardRun.OpenScreen, session: any WatchedSession,
        table: (any WatchedTable)? = nil
    ) {
        self.state = state
        self.snapshot = snapshot
        (theme, depth, isLight) = (screen.theme, screen.depth, screen.isLight)
        terminal = screen.terminal
        self.session = session
        self.table = table
        inputs = terminal.events
        palette = theme.palette(at: depth)
        (events, sink) = AsyncStream.makeStream()
        work = LoopWork(sink: sink)
        noteShownTheme()
    }

    /// Runs until the user quits, opens another stream, a signal asks for the end, or the terminal is gone. Returns the other stream.
    consuming func run() async -> WebURL? {
        let keys = keys()
        if let type = terminal.capabilities.unknownType {
            let text = "TERM \(type) has no terminfo entry: drawn as \(terminal.capabilities.type)"
            sink.yield(.noticed(text, isGood: false))
        }
        if state.showsTable { await showTable(at: session.time.now()) } else { followSession() }
        show(at: session.time.now())
        for await event in events {
            let now = session.time.now()
            if terminal.isAbandoned { break }
            if await !take(event, at: now) { break }
            paintWhenDue(at: now)
        }
        alarm?.cancel()
        keys.cancel()
        feed?.cancel()
        return next
    }

    /// Keys as loop events; `run` ends the task.
    private func keys() -> Task<Void, Never> {
        let (sink, inputs) = (sink, inputs)
        return Task {
            for await input in inputs { sink.yield(.input(input)) }
            sink.yield(.terminalGone)
        }
    }

    /// Snapshots of the session as loop events, until something else is followed or `run` ends.
    private mutating func followSession() {
        let (sink, session, number) = (sink, session, nextFeed())
        feed = Task {
            for await snapshot in await session.snapshots() { sink.yield(.snapshot(snapshot, feed: number)) }
        }
    }

    /// The readings of the table as loop events, until something else is followed or `run` ends.
    private mutating func follow(_ table: any WatchedTable) {
        let (sink, number) = (sink, nextFeed())
        feed = Task {
            for await reading in table.readings() { sink.yield(.table(reading, feed: number)) }
        }
    }

    private mutating func nextFeed() -> Int {
        feed?.cancel()
        feedNumber += 1
        return feedNumber
    }

    /// False ends the loop.
    private mutating func take(_ event: LoopEvent, at now: Moment) async -> Bool {
        switch event {
        case .input(.background(let isLight)):
            adopt(isLight: isLight, at: now)
            return true
        case .input(let input):
            let continues = await update(.input(input), at: now)
            // The session has the input by now.
            if input == .stopping { terminal.mayStop() }
            return continues
        case .terminalGone:
            return false
        case .snapshot(let newest, let number):
            guard number == feedNumber else { return true }
            snapshot = newest
            let earliest = real.now().uptime + Self.dataDelay
            let due = paintedAt.map { max($0 + Self.frameInterval, earliest) } ?? earliest
            return await update(.snapshotArrived, paint: due, at: now)
        case .table(let reading, let number):
            guard number == feedNumber else { return true }
            return await update(reading, at: now)
        case .alarm:
            alarmAt = nil
            return await update(.ticked, at: now)
        case .noticed(let text, let isGood):
            return await update(.noticed(text, isGood: isGood), at: now)
        case .folder(let listing):
            return await update(.folderRead(listing), at: now)
        }
    }

    /// False ends the loop. The frame with the change is painted at the real uptime `due`, nil for now, or with an earlier frame.
    private mutating func update(
        _ event: DashboardEvent, paint due: Duration? = nil, at now: Moment
    ) async -> Bool {
        let due = due ?? real.now().uptime
        paintDue = min(paintDue ?? due, due)
        for effect in state.update(event, snapshot: snapshot, now: now) {
            if await !perform(effect, at: now) { return false }
        }
        return true
    }

    private mutating func perform(_ effect: DashboardEffect, at now: Moment) async -> Bool {
        switch effect {
        case .quit: return false
        case .toggleMute, .togglePause, .report, .player, .format, .setMode, .variant, .auction, .retry, .openNow,
            .discardZone:
            if let input = effect.input { work.report(await session.submit(input)) }
        case .step(let count): work.report(await session.step(by: count))
        case .copy(let text, let kind): work.copy(text, kind, through: terminal)
        case .export(let format, let file): await export(format, to: file, at: now)
        case .listFolder(let folder): work.list(folder)
        case .setTheme(let name): return await useTheme(name, at: now)
        case .openStream(let url):
            next = url
            return false
        case .leaveSession: return await showTable(at: now)
        case .selectSession(let index): return await open(index, at: now)
        case .cache(let command): work.perform(command, in: session)
        case .run(let command): work.run(command, in: session)
        case .redraw: terminal.redraw()
        case .suspend: terminal.suspend()
        }
        return true
    }

    /// Shows the table, and reads it from now on.
    @discardableResult
    private mutating func showTable(at now: Moment) async -> Bool {
        guard let table else { return true }
        follow(table)
        return await update(await table.shown(), at: now)
    }

    /// Shows a session of the table, and follows it from now on.
    private mutating func open(_ number: Int, at now: Moment) async -> Bool {
        guard let table, let opened = await table.opened(number) else { return true }
        session = opened
        snapshot = await opened.snapshot()
        followSession()
        let (names, current) = table.names(beside: number)
        return await update(.sessionsChanged(names, current: current), at: now)
    }

    private func export(_ format: ExportFormat, to file: String?, at now: Moment) async {
        let path = file ?? ExportFile.name(for: snapshot, format, at: now)
        do throws(CommandFailure) {
            let text = ExportFile.text(of: snapshot, state, as: format, at: now, svg: theme.svgWriter)
            try ExportFile.write(text, to: path)
            sink.yield(.noticed("exported to \(path)", isGood: true))
        } catch {
            sink.yield(.noticed(error.message, isGood: false))
        }
    }

    /// The terminal has answered: the theme `auto` follows it.
    private mutating func adopt(isLight: Bool, at now: Moment) {
        guard isLight != self.isLight else { return }
        self.isLight = isLight
        noteShownTheme()
        // The themes of `auto` are built in, and tests read them all.
        guard state.settings.theme == ThemeName.auto,
            let theme = try? ThemeLoader.theme(ThemeName.auto, onLight: isLight)
        else { return }
        use(theme)
        paintDue = real.now().uptime
    }

    private mutating func use(_ theme: Theme) {
        self.theme = theme
        palette = theme.palette(at: depth)
        terminal.redraw()
    }

    /// What `auto` stands for is not chosen next: it would change nothing.
    private mutating func noteShownTheme() {
        state.settings.shownTheme = ThemeName.shown(state.settings.theme, onLight: isLight)
    }

    private mutating func useTheme(_ name: String, at now: Moment) async -> Bool {
        do throws(CommandFailure) {
            use(try ThemeLoader.theme(name, onLight: isLight))
            let goesOn = await update(.themeChanged(name), at: now)
            noteShownTheme()
            return goesOn
        } catch {
            return await update(.noticed(error.message, isGood: false), at: now)
        }
    }

    /// Paints what is due, then sets the alarm for what comes next. What changes by itself waits for a frame that is due: it is
    /// looked at then.
    private mutating func paintWhenDue(at now: Moment) {
        if let paintDue, paintDue <= real.now().uptime { show(at: now) }
        let refresh = state.nextRefresh(snapshot, now: now).map { AlarmTime.refresh($0.uptime) }
        setAlarm(at: paintDue.map(AlarmTime.frame) ?? refresh)
    }

    private mutating func show(at now: Moment) {
        let frame = Renderer.frame(snapshot, state, now: now, widths: terminal.capabilities.widths)
        terminal.show(TerminalFrame(grid: frame.grid, palette: palette, cursor: frame.cursor))
        paintedAt = real.now().uptime
        paintDue = nil
    }

    private mutating func setAlarm(at next: AlarmTime?) {
        // A cancelled sleep still wakes the process once, so an alarm at the right time is not replaced.
        guard next != alarmAt else { return }
        alarm?.cancel()
        alarmAt = next
        alarm = next.map { next in
            let (real, time, sink) = (real, session.time, sink)
            // Ended by the next alarm or by `run`.
            return Task {
                do {
                    switch next {
                    case .frame(let uptime): try await real.sleep(untilUptime: uptime)
                    case .refresh(let uptime): try await time.sleep(untilUptime: uptime)
                    }
                } catch {
                    return
                }
                if !Task.isCancelled { sink.yield(.alarm) }
            }
        }
    }
}
