import Dashboard
import Session
import Terminal

/// What the dashboard's effects start beside the loop. Each ends in an event of the loop, and quitting waits for none.
struct LoopWork {
    let sink: AsyncStream<LoopEvent>.Continuation

    /// Shows what a replay answers to an input.
    func report(_ notice: ReplayNotice?) {
        if let notice { sink.yield(.noticed(notice.text, isGood: notice.isGood)) }
    }

    func perform(_ command: CacheAction, in session: any WatchedSession) {
        guard let cache = session.cache else {
            sink.yield(.noticed("this session has no creative cache", isGood: false))
            return
        }
        let sink = sink
        // Ends by itself within the time limit of a request.
        Task {
            let report = await cache.perform(command)
            sink.yield(.noticed(report.text, isGood: report.isGood))
        }
    }

    func run(_ command: CommandRun, in session: any WatchedSession) {
        let sink = sink
        // Ends by itself within the time limit of a command.
        Task {
            let end = await UserProgram.run(command) { _ = await session.submit(.libraryLogged(.info, $0)) }
            sink.yield(.noticed(end.text, isGood: end.isGood))
        }
    }

    func copy(_ text: String, _ kind: CopyKind, through terminal: TerminalSession) {
        let sink = sink
        // Ends by itself within the clipboard programs' time limit.
        Task {
            let report = await terminal.copy(text)
            sink.yield(.noticed("\(kind.rawValue): \(report)", isGood: report.worked))
        }
    }

    func list(_ folder: String) {
        FolderNames.read(folder) { [sink] in sink.yield(.folder($0)) }
    }
}
