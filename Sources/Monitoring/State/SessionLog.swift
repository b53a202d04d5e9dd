import Ports

/// The session's log lines with their numbers.
struct SessionLog {
    private(set) var view: LogView
    private var nextNumber = 0

    init(capacity: Int) {
        view = LogView(capacity: capacity)
    }

    mutating func append(_ level: LogLevel, _ message: String, at moment: Moment) {
        view.append(LogEntry(number: nextNumber, at: moment, level: level, message: message))
        nextNumber += 1
    }

    /// Starts over; numbers go on, so that a reader notices.
    mutating func clear(capacity: Int) {
        view = LogView(capacity: capacity)
    }
}
