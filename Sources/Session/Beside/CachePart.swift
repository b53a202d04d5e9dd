import CreativeCache
import Ports

extension Beside {
    /// The creative cache changed. A disk problem is reported once.
    mutating func take(_ report: CacheReport, _ desk: inout Desk, at now: Moment) {
        for problem in report.problems where cache?.problems.contains(problem) != true {
            desk.note(.warning, "creative cache: \(problem)", from: .formats, at: now)
        }
        cache = report
    }
}
