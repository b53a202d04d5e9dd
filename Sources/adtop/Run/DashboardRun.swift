import Dashboard
import Foundation
import Monitoring
import Ports
import Screen
import Terminal

/// The dashboard on a real terminal: opens it, runs the session beside the loop, and gives the terminal back whatever happens.
struct DashboardRun {
    let settings: Settings

    func run(_ session: some WatchedSession) async throws {
        let theme = try ThemeLoader.theme(settings.theme)
        let color = settings.color
        let environment = ProcessInfo.processInfo.environment
        var options = TerminalOptions(environment: environment, mouse: settings.usesMouse)
        options.directColor = color == .truecolor
        let terminal: TerminalSession
        do throws(TerminalError) {
            terminal = try await TerminalSession.open(options)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        let log = try settings.logFile.map { try LogFile(path: $0, level: settings.logLevel) }
        do {
            let initial = DashboardState(
                size: terminal.capabilities.size,
                settings: try DashboardSetup.settings(settings, isUTF8: terminal.capabilities.isUTF8))
            let depth = ColorChoice(setting: color, environment: environment).depth(of: terminal.capabilities)
            let loop = DashboardLoop(
                state: initial, snapshot: await session.snapshot(), theme: theme, depth: depth, terminal: terminal,
                session: session, log: log)
            await follow(session, loop)
        } catch {
            await terminal.close()
            throw error
        }
        await terminal.close()
    }

    /// Quitting stops the session, and a lost terminal quits.
    private func follow(_ session: some WatchedSession, _ loop: consuming DashboardLoop) async {
        let running = Task { await session.run() }
        await loop.run()
        await session.stop()
        running.cancel()
        await running.value
    }
}
