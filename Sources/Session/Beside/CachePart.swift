import CreativeCache
import Ports

extension MonitorState {
    /// The creative cache changed. A disk problem is reported once.
    mutating func take(_ report: CacheReport, at now: Moment) {
        for problem in report.problems where cache?.problems.contains(problem) != true {
            note(.warning, "creative cache: \(problem)", at: now)
        }
        cache = report
    }
}
