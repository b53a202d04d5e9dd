import GRDB
import Ports

/// The failed beacons of a journal by host and answer, each beacon once: by the result of its last attempt.
struct JournalFailures {
    private struct Kind: Hashable {
        let host: Int64
        let status: Int?
    }

    private var kinds: [Kind: JournalReport.Failure] = [:]

    /// From `since` on (microseconds since the epoch); `breaks` has the places of breaks in the report by row.
    init(of database: Database, since: Int64, breaks: [Int64: Int]) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT claim.host, CASE WHEN claim.state = 'rejected' THEN claim.status END, ad.adBreak, count(*),
                    min(claim.at), max(claim.at)
                FROM claim JOIN ad ON ad.id = claim.ad
                WHERE claim.superseded = 0 AND claim.at >= ? AND claim.state IN ('rejected', 'failed')
                GROUP BY 1, 2, 3
                """, arguments: [since])
        while let row = try rows.next() {
            add(
                row[3], Kind(host: row[0], status: row[1]), from: UnixTime(microseconds: row[4]),
                to: UnixTime(microseconds: row[5]), adBreak: breaks[row[2]])
        }
    }

    private mutating func add(_ count: Int, _ kind: Kind, from first: UnixTime, to last: UnixTime, adBreak: Int?) {
        var failure =
            kinds[kind] ?? JournalReport.Failure(host: "", status: kind.status, firstAt: first, lastAt: last)
        failure.count += count
        failure.firstAt = min(failure.firstAt, first)
        failure.lastAt = max(failure.lastAt, last)
        if let adBreak { failure.breaks.append(adBreak) }
        kinds[kind] = failure
    }

    /// The host with the most failures first, and of its answers the one seen most often.
    func failures(_ hostNames: [Int64: String]) -> [JournalReport.Failure] {
        let hosts = kinds.reduce(into: [Int64: Int]()) { $0[$1.key.host, default: 0] += $1.value.count }
        func rank(_ kind: Kind, _ count: Int) -> (Int, Int64, Int, Int) {
            (-(hosts[kind.host] ?? 0), kind.host, -count, kind.status ?? 0)
        }
        return kinds.sorted { rank($0.key, $0.value.count) < rank($1.key, $1.value.count) }.map { kind, failure in
            var failure = failure
            failure.host = hostNames[kind.host] ?? ""
            failure.breaks.sort()
            return failure
        }
    }
}
