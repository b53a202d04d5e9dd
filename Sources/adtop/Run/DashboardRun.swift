import Dashboard
import Foundation
import Monitoring
import Ports
import Screen
import Session
import Terminal

/// The dashboard on a real terminal: opens the terminal, runs the sessions beside the loop, and restores the terminal
/// in every case.
struct DashboardRun {
    let settings: ScreenSettings
    /// Whether another stream can be watched after this one.
    var opensStreams = false
    /// The options of the verb that need no terminal, for the error without one.
    var headless = ["--dump"]

    /// An open terminal with its theme, colour depth and settings.
    struct OpenScreen {
        let terminal: TerminalSession
        /// What is known of its background; nil for nothing.
        let isLight: Bool?
        let theme: Theme
        let depth: ColorDepth
        var settings: DashboardState.Settings
    }

    /// Shows one session. Quitting stops it; a lost terminal and a signal quit. Returns the stream that the user opened in its place.
    @discardableResult
    func run(_ session: some WatchedSession) async throws -> WebURL? {
        var screen = try await open()
        screen.settings.opensStreams = opensStreams
        let loop = DashboardLoop(
            state: DashboardState(size: screen.terminal.capabilities.size, settings: screen.settings),
            snapshot: await session.snapshot(), screen, session: session)
        let running = Task { await session.run() }
        // Ends with the terminal.
        let captured = Task {
            for await line in screen.terminal.stderrLines {
                _ = await session.submit(.libraryLogged(Self.stderrLevel, Self.message(ofStderr: line)))
            }
        }
        let next = await loop.run()
        if next == nil { WayOut.begin(.fine) }
        // The terminal comes first: what hangs after it can be interrupted there.
        async let closed: Void = screen.terminal.close()
        await session.stop()
        running.cancel()
        await WayOut.end(of: running)
        await closed
        _ = await WayOut.within(min(WayOut.closing, WayOut.left(for: .sessions))) { await captured.value }
        return next
    }

    /// Shows the table of many sessions, and each session from there. What libraries write to standard error belongs to
    /// the process and goes to `stderrSink`.
    func run(_ group: SessionGroup, time: any TimeSource, stderrSink: any SessionLogSink) async throws {
        let all = WatchedGroup(group: group, time: time)
        guard let first = all.session(0) else { return }
        var screen = try await open()
        screen.settings.sessions = all.names
        screen.settings.table = .sessions
        let running = Task { await group.run() }
        // Ends with the terminal.
        let captured = Task {
            for await line in screen.terminal.stderrLines {
                stderrSink.append(Self.stderrLevel, Self.message(ofStderr: line), at: time.now())
            }
        }
        let loop = DashboardLoop(
            state: DashboardState(size: screen.terminal.capabilities.size, settings: screen.settings),
            snapshot: await first.snapshot(), screen, session: first, table: all)
        _ = await loop.run()
        WayOut.begin(.fine)
        async let closed: Void = screen.terminal.close()
        await group.stop()
        running.cancel()
        await WayOut.end(of: running)
        await closed
        _ = await WayOut.within(min(WayOut.closing, WayOut.left(for: .sessions))) { await captured.value }
    }

    /// Shows the tables of a fleet, and pictures of its viewers from there, until the user quits or the terminal is gone.
    /// - Parameter tip: the line above the footer, from its fullest form to its shortest; empty for none.
    func run(_ fleet: FleetWatch, tip: [String] = []) async throws {
        var screen = try await open()
        screen.settings.table = .viewers
        (screen.settings.showsTip, screen.settings.tip) = (!tip.isEmpty, tip)
        let none = PictureSession(of: nil, in: fleet)
        let loop = DashboardLoop(
            state: DashboardState(size: screen.terminal.capabilities.size, settings: screen.settings),
            snapshot: await none.snapshot(), screen, session: none, table: fleet)
        _ = await loop.run()
        WayOut.begin(.fine)
        await screen.terminal.close()
    }

    /// Libraries write to standard error what they have no logger for: mostly warnings.
    private static let stderrLevel = LogLevel.warning

    /// The log message for a line of standard error.
    private static func message(ofStderr line: String) -> String { "stderr: \(line)" }

    private func open() async throws -> OpenScreen {
        let color = settings.color
        let environment = ProcessInfo.processInfo.environment
        var options = TerminalOptions(environment: environment, mouse: settings.usesMouse)
        let isLight = options.isLightByEnvironment
        let theme = try ThemeLoader.theme(settings.theme, onLight: isLight)
        options.directColor = color == .truecolor
        let terminal: TerminalSession
        do throws(TerminalError) {
            terminal = try await TerminalSession.open(options)
        } catch {
            throw CommandFailure(.usage, error.message(or: headless))
        }
        do throws(CommandFailure) {
            return OpenScreen(
                terminal: terminal, isLight: isLight, theme: theme,
                depth: ColorChoice(setting: color, environment: environment).depth(of: terminal.capabilities),
                settings: try DashboardSetup.settings(settings, isUTF8: terminal.capabilities.isUTF8))
        } catch {
            await terminal.close()
            throw error
        }
    }
}
