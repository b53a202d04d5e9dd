import Live
import Logging
import Monitoring

/// What libraries say, on its way to one session: kept until the session runs, the oldest given up where nobody takes them.
struct LibraryLines {
    /// Lines that wait, at most.
    private static let waiting = 1_000

    let http: Logger
    let sqlite: Logger
    private let lines: AsyncStream<(LogLevel, String)>

    init(level: LogLevel) {
        let (lines, sink) = AsyncStream.makeStream(
            of: (LogLevel, String).self, bufferingPolicy: .bufferingNewest(Self.waiting))
        self.lines = lines
        http = LibraryLog.logger("http", level: level) { sink.yield(($0, $1)) }
        sqlite = LibraryLog.logger("sqlite", level: level) { sink.yield(($0, $1)) }
    }

    /// Gives them to the session until it is cancelled.
    func pass(to monitor: Monitor) async {
        for await (level, message) in lines { await monitor.submit(.libraryLogged(level, message)) }
    }
}
