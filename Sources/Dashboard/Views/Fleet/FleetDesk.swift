import Fleet
import Ports
import Session

/// A fleet that is watched: the newest reading, what is wrong, and a log of what changed since.
struct FleetDesk: Sendable {
    private static let logLines = 2_000
    /// Without an answer for that long, the data are called old.
    static let patience = Duration.seconds(5)

    private(set) var view = FleetView()
    /// What is wrong with the fleet, errors first; without what is only information.
    private(set) var problems: [FleetProblem] = []
    /// Sums over all viewers.
    private(set) var beacons = FleetViewer.Beacons()
    private(set) var log = LogView(capacity: logLines)
    private var lines = 0

    mutating func read(_ view: FleetView, at now: Moment) {
        if let reading = view.reading, view.readAt != self.view.readAt {
            for change in FleetChange.between(self.view.reading, reading) {
                note(LogLevel(change.severity), change.words, at: now)
            }
            problems = reading.overview.problems.filter { $0.code.severity > .info }
            beacons = reading.viewers.reduce(FleetViewer.Beacons()) { $0 + ($1.beacons ?? FleetViewer.Beacons()) }
        }
        if view.problem != self.view.problem {
            if let problem = view.problem {
                note(.error, problem.sentence, at: now)
            } else if self.view.problem != nil {
                note(.info, "store: answers again", at: now)
            }
        }
        self.view = view
    }

    /// How old the data are; nil before the first.
    func age(at now: Moment) -> Duration? { view.readAt.map { max(.zero, now.uptime - $0.uptime) } }

    /// Whether what is shown is older than it should be, or nothing is there to show.
    func isOld(at now: Moment) -> Bool { view.problem != nil || (age(at: now) ?? .zero) > Self.patience }

    private mutating func note(_ level: LogLevel, _ words: String, at now: Moment) {
        log.append(LogEntry(number: lines, at: now, level: level, message: words))
        lines += 1
    }
}
