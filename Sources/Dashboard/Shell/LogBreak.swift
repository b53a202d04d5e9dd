import Ports
package import Session

/// The break whose lines the log shows alone, chosen with a key or with `:log break`.
package struct LogBreak: Sendable, Equatable {
    /// Its id in the snapshot.
    package let id: String
    /// Its number on the screen.
    package let label: String
    /// The break as lines name it.
    private let adBreak: LogEntry.Break
    /// The other breaks of that id: streams use ids again.
    private let others: [LogEntry.Break]

    /// A break of a snapshot; nil when it has none of that id.
    package init?(_ id: String, in breaks: [BreakView]) {
        guard let view = breaks.first(where: { $0.id == id }) else { return nil }
        self.id = id
        label = view.label
        adBreak = LogEntry.Break(view)
        others = breaks.filter { $0.id != id && $0.name == view.name }.map { LogEntry.Break($0) }
    }

    /// Whether a line is about it. A line has the start that the break had when the line was written: of breaks with one id, the
    /// nearest counts.
    func isSubject(of entry: LogEntry) -> Bool {
        guard let subject = entry.adBreak, subject.name == adBreak.name else { return false }
        let distance = (subject.start - adBreak.start).magnitude
        return others.allSatisfy { distance <= (subject.start - $0.start).magnitude }
    }
}

extension LogEntry.Break {
    /// A break of a snapshot.
    fileprivate init(_ view: BreakView) {
        self.init(name: view.name, start: view.start)
    }
}
