import Dashboard
import Foundation
import Ports
import Screen
import Session

/// A session as lines on standard output (`--plain`): no cursor movement, no colours, nothing is written twice. Keys come
/// from standard input, be it a terminal or a pipe; the end of a pipe ends only the keys.
struct PlainRun {
    let plan: DumpPlan
    let settings: Settings

    /// What wakes the loop.
    private enum Event: Sendable {
        case snapshot(Snapshot)
        case keys(String)
        case ended(HeadlessWait.End)
    }

    /// Runs until the user quits, the reader of the lines has gone, the time is up or the condition is met, and throws the exit status
    /// if it is not success.
    func run(_ session: some WatchedSession) async throws {
        var desk = PlainDesk(settings: try dashboardSettings())
        let running = Task { await session.run() }
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        // All three end with this function.
        let feed = Task {
            for await snapshot in await session.snapshots() { sink.yield(.snapshot(snapshot)) }
        }
        // A signal counts from now on.
        let headless = HeadlessWait(time: session.time)
        let wait = Task { sink.yield(.ended(await ending(of: session, headless))) }
        KeyLines.read { sink.yield(.keys($0)) }
        Output.line(PlainDesk.introduction)
        var end: HeadlessWait.End?
        for await event in events {
            switch event {
            case .snapshot(let snapshot):
                let lines = desk.take(.snapshotArrived, snapshot, now: session.time.now()).lines
                if !print(lines) { end = .reached }
            case .keys(let text):
                if await !press(text, &desk, session) { end = .reached }
            case .ended(let reason): end = reason
            }
            if end != nil { break }
        }
        feed.cancel()
        wait.cancel()
        // Once it is stopped, every session has ended.
        let atTheEnd = await session.snapshot()
        await session.stop()
        running.cancel()
        await WayOut.end(of: running)
        let last = await session.snapshot()
        // The exit status is not known before, so the process must not be ended with one meanwhile.
        WayOut.waitingForReader {
            print(desk.take(.snapshotArrived, last, now: session.time.now()).lines)
            Output.line(ExitSummary.line(last))
        }
        if let end { try DumpRun(plan: plan, settings: settings, time: session.time).judge(end, atTheEnd) }
    }

    /// Why the session is left without a key.
    private func ending(of session: some WatchedSession, _ headless: HeadlessWait) async -> HeadlessWait.End {
        let snapshots = await session.snapshots()
        let judge = DumpRun(plan: plan, settings: settings, time: session.time)
        let limit = plan.duration.map { session.time.now().uptime + $0 } ?? Duration.seconds(Int64(Int32.max))
        return await headless.end(by: limit) { [condition = plan.condition] in
            var watch = condition.map(DumpWatch.init)
            for await snapshot in snapshots {
                if judge.isOverForGood(snapshot) || watch?.isMet(by: snapshot) == true { return true }
            }
            return false
        }
    }

    /// Presses the keys of one line, or shows the status for an empty one; false when the user quits.
    private func press(_ text: String, _ desk: inout PlainDesk, _ session: some WatchedSession) async -> Bool {
        let snapshot = await session.snapshot()
        let isCommand = text.contains(":") || text.contains("/")
        guard !text.isEmpty else {
            print(desk.status(snapshot, now: session.time.now()))
            return true
        }
        let keys = text.unicodeScalars.map { KeyPress(.char($0)) } + (isCommand ? [KeyPress(.enter)] : [])
        for key in keys {
            let (lines, effects) = desk.take(.input(.key(key)), await session.snapshot(), now: session.time.now())
            print(lines)
            for effect in effects {
                if case .quit = effect { return false }
                let problem = await perform(effect, session)
                guard let problem else { continue }
                print(desk.take(.noticed(problem, isGood: false), snapshot, now: session.time.now()).lines)
            }
        }
        // A line with a problem is over: what follows are keys again.
        if desk.isTyping { _ = desk.take(.input(.key(KeyPress(.escape))), snapshot, now: session.time.now()) }
        return true
    }

    /// Returns why an effect is not possible here.
    private func perform(_ effect: DashboardEffect, _ session: some WatchedSession) async -> String? {
        if let input = effect.input { return await session.submit(input)?.text }
        guard case .run(let command) = effect else { return Self.needsScreen }
        let end = await UserProgram.run(command) { Output.line($0) }
        return end.text
    }

    private static let needsScreen = "not possible with --plain: it needs the dashboard's screen"

    /// - Returns: false when the reader has gone.
    @discardableResult
    private func print(_ lines: [String]) -> Bool {
        lines.allSatisfy { Output.line($0) }
    }

    private func dashboardSettings() throws(CommandFailure) -> DashboardSettings {
        var result = try DashboardSetup.settings(settings.screen, isUTF8: false)
        result.redactsURLs = plan.isRedacted
        result.showsTip = false
        return result
    }
}

/// The lines of standard input, without their ends.
private enum KeyLines {
    /// Longest line taken, in bytes.
    static let limit = 4_096

    /// Passes on each line as it comes. A process in the background of its terminal would be stopped by reading from it.
    static func read(_ take: @escaping @Sendable (String) -> Void) {
        guard isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        // A thread of its own, because reading blocks; it ends with the input or with the process.
        Thread {
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: limit)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, limit)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for byte in buffer.prefix(count) {
                    if byte != UInt8(ascii: "\n") {
                        if line.count < limit { line.append(byte) }
                        continue
                    }
                    // Lines of some systems end with two bytes.
                    if line.last == UInt8(ascii: "\r") { line.removeLast() }
                    take(String(decoding: line, as: UTF8.self))
                    line = []
                }
            }
            if !line.isEmpty { take(String(decoding: line, as: UTF8.self)) }
        }.start()
    }
}
