import Ports

/// The session's log lines with their numbers.
struct SessionLog {
    private(set) var view: LogView
    private var nextNumber = 0

    init(capacity: Int) {
        view = LogView(capacity: capacity)
    }

    mutating func append(
        _ level: LogLevel, _ message: String, from source: LogSource = .session, host: String? = nil,
        about adBreak: LogEntry.Break? = nil, at moment: Moment
    ) {
        view.append(
            LogEntry(
                number: nextNumber, at: moment, level: level, message: message, source: source, host: host,
                adBreak: adBreak))
        nextNumber += 1
    }

    /// The lines from `number` on that are still kept, oldest first.
    func entries(from number: Int) -> [LogEntry] {
        guard number < nextNumber, let first = view[0]?.number else { return [] }
        return (max(0, number - first)..<max(view.count, number - first)).compactMap { view[$0] }
    }

    /// Clears the log; numbering continues, so that a reader notices.
    mutating func clear(capacity: Int) {
        view = LogView(capacity: capacity)
    }
}
