import GRDB
import Ports
import Session

/// Tallies by ad and host. The journal returns its groups ordered by ad, then host, so the tallies of all pairs are in
/// one flat array, whatever the number of beacons.
struct JournalTallies {
    typealias Tally = JournalReport.Tally

    /// The beacons of one ad to one host.
    struct Entry {
        /// Row of the host in `host`.
        let host: Int64
        var tally: Tally
    }

    private var entries: [Entry] = []
    /// Ranges in `entries` by row of `ad`.
    private var places: [Int64: Range<Int>] = [:]
    private var lastAd: Int64?

    /// Adds a group to its ad and host; groups must come in the order of ad and host.
    mutating func add(_ tally: Tally, ad: Int64, host: Int64) {
        if ad == lastAd, let last = entries.last, last.host == host {
            entries[entries.count - 1].tally.add(tally)
            return
        }
        let start = ad == lastAd ? places[ad]?.lowerBound ?? entries.count : entries.count
        lastAd = ad
        entries.append(Entry(host: host, tally: tally))
        places[ad] = start..<entries.count
    }

    /// Tallies of one ad; nil if none of its beacons was due.
    subscript(ad: Int64) -> ArraySlice<Entry>? { places[ad].map { entries[$0] } }

    /// Tallies of all ads by host.
    var hosts: [Int64: Tally] {
        var hosts: [Int64: Tally] = [:]
        for entry in entries { hosts[entry.host, default: Tally()].add(entry.tally) }
        return hosts
    }
}

extension JournalTallies {
    /// Every beacon from `since` on (microseconds since the epoch) once, grouped by the database. Claims of `openRuns`
    /// without an outcome may still be answered.
    init(of database: Database, since: Int64, openRuns: [Int64]) throws {
        self.init()
        let open = openRuns.map(String.init).joined(separator: ",")
        let bounds = DelayHistogram.bounds
        let bucket =
            bounds.enumerated().reduce("CASE WHEN late IS NULL THEN NULL") { sql, bound in
                sql + " WHEN late <= \(bound.element.inMicroseconds) THEN \(bound.offset)"
            } + " ELSE \(bounds.count) END"
        let groups = try Row.fetchCursor(
            database,
            sql: """
                SELECT ad, host, state, state IS NULL AND run IN (\(open)), \(bucket), count(*), coalesce(sum(late), 0)
                FROM claim WHERE superseded = 0 AND at >= ?1 GROUP BY 1, 2, 3, 4, 5
                UNION ALL
                SELECT ad, host, state, 0, \(bucket), count(*), coalesce(sum(late), 0)
                FROM unsent WHERE at >= ?1 AND \(JournalSchema.isUnsent) GROUP BY 1, 2, 3, 4, 5
                ORDER BY 1, 2
                """, arguments: [since])
        while let group = try groups.next() {
            var tally = Tally()
            tally.add(group[5], state: group[2], isOpen: group[3])
            if let bucket: Int = group[4], tally.skipped == 0 {
                tally.lateness.add(group[5], inBucket: bucket, sum: .microseconds(group[6] as Int64))
            }
            add(tally, ad: group[0], host: group[1])
        }
    }
}

extension JournalReport.Tally {
    /// Adds a group; `state` is the word in the tables, nil for a claim without an outcome.
    fileprivate mutating func add(_ count: Int, state: String?, isOpen: Bool) {
        switch state {
        case "acknowledged": acknowledged += count
        case "rejected", "failed": failed += count
        case "observed": observed += count
        case "unknown": unknown += count
        case nil where isOpen: open += count
        case nil: unknown += count
        default: skipped += count
        }
    }
}
