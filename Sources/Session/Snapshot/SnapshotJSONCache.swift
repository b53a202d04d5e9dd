import CreativeCache
import Ports

extension SnapshotJSON {
    /// The creative cache (docs/snapshot.md). On this computer an id is sufficient to read a creative.
    func cache(_ report: CacheReport) -> JSONValue {
        guard isRedacted else { return report.json }
        var shared = report
        for index in shared.records.indices {
            shared.records[index].fallbackURL = shared.records[index].fallbackURL.map(Redaction.url)
        }
        shared.problems = shared.problems.map(Redaction.text)
        return shared.json
    }
}
