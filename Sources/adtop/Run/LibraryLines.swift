import Live
import Logging
import Monitoring
import Session

/// The log lines of libraries for one session. They are buffered until the session runs; when the buffer is full, the
/// oldest are dropped.
struct LibraryLines {
    /// Most lines in the buffer.
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

    /// Passes the lines to the session until the task is cancelled.
    func pass(to monitor: Monitor) async {
        for await (level, message) in lines { await monitor.submit(.libraryLogged(level, message)) }
    }
}
