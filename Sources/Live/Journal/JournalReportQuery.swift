import GRDB
import Ports
import Session

/// Computes a report: one pass over the claims that groups them in the database, then the rest from the groups.
struct JournalReportQuery {
    /// Maximum number of intervals.
    private static let stretches: Int64 = 96

    /// Start of the report in microseconds since the epoch.
    let since: Int64
    /// Folder of the journal, with the lock files of processes.
    let folder: String
    let database: Database

    init(since: UnixTime?, folder: String, database: Database) {
        self.since = since?.microseconds ?? .min
        self.folder = folder
        self.database = database
    }

    func report() throws -> JournalReport {
        var report = JournalReport()
        let tallies = try JournalTallies(of: database, since: since, openRuns: openRuns())
        let sessions = try readSessions(&report)
        let hostNames = try names("SELECT id, name FROM host")
        let places = try readBreaks(tallies, sessions, hostNames, &report)
        let hosts = tallies.hosts
        report.hosts = Self.hosts(hosts.map { JournalTallies.Entry(host: $0.key, tally: $0.value) }, hostNames)
        for tally in hosts.values { report.totals.add(tally) }
        report.failures = try JournalFailures(of: database, since: since, breaks: places).failures(hostNames)
        try readFindings(&report)
        try readCourse(&report)
        return report
    }

    /// Runs of running processes: their open claims may still be answered.
    private func openRuns() throws -> [Int64] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT lease.run, process.lockFile FROM lease JOIN process ON process.id = lease.process")
        return rows.compactMap { row in
            let lockFile: String = row[1]
            return JournalHolder.isAlive("\(folder)/\(lockFile)") ? row[0] : nil
        }
    }

    // MARK: Sessions, breaks, ads

    /// - Returns: indices in the report by row.
    private func readSessions(_ report: inout JournalReport) throws -> [Int64: Int] {
        // A journal that this version has not opened yet lacks what it would add.
        let known = Set(try database.columns(in: "session").map(\.name))
        let added = ["retry", "serviceMode"].map { known.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, key, name, mediaUrl, provider, mode, \(added), firstAt,
                    (SELECT count(*) FROM run WHERE run.session = session.id AND coalesce(closedAt, openedAt) >= ?)
                FROM session ORDER BY id
                """, arguments: [since])
        var places: [Int64: Int] = [:]
        for row in rows {
            places[row[0]] = report.sessions.count
            report.sessions.append(
                JournalReport.Session(
                    key: row[1], name: row[2], mediaURL: row[3], provider: row[4], serviceMode: row[7], mode: row[5],
                    retry: row[6], runs: row[9], firstAt: UnixTime(microseconds: row[8])))
        }
        return places
    }

    /// Breaks with a due beacon; all breaks with a start if the report has none. One without a start and a due beacon has copies only.
    /// - Returns: indices in the report by row.
    private func readBreaks(
        _ tallies: JournalTallies, _ sessions: [Int64: Int], _ hostNames: [Int64: String], _ report: inout JournalReport
    ) throws -> [Int64: Int] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT adBreak.id, adBreak.session, adBreak.name, adBreak.start, adBreak.duration, adBreak.source,
                    ad.id, ad.name, coalesce(ad.start, ad.firstStart), ad.duration, adBreak.lastAt
                FROM adBreak LEFT JOIN ad ON ad.adBreak = adBreak.id
                ORDER BY adBreak.session, adBreak.start, adBreak.id, 9, ad.id
                """)
        var (last, places): (Int64?, [Int64: Int]) = (nil, [:])
        while let row = try rows.next() {
            let ad: Int64? = row[6]
            let hosts = ad.flatMap { tallies[$0] }
            let isListed = (row[3] as Int64?) != nil && row[10] as Int64 >= since
            guard let session = sessions[row[1]], hosts != nil || isListed else { continue }
            if last != row[0] as Int64 {
                last = row[0]
                places[row[0]] = report.breaks.count
                report.breaks.append(
                    JournalReport.Break(
                        session: session, name: Self.name(row[2]), start: Self.time(row[3]),
                        duration: Self.span(row[4]), source: row[5]))
            }
            guard ad != nil else { continue }
            var entry = JournalReport.Ad(name: Self.name(row[7]), start: Self.time(row[8]), duration: Self.span(row[9]))
            entry.hosts = Self.hosts(hosts ?? [], hostNames)
            for host in entry.hosts { entry.tally.add(host.tally) }
            let place = report.breaks.count - 1
            report.breaks[place].tally.add(entry.tally)
            report.sessions[session].tally.add(entry.tally)
            report.breaks[place].ads.append(entry)
        }
        return places
    }

    private static func hosts(
        _ entries: some Sequence<JournalTallies.Entry>, _ names: [Int64: String]
    ) -> [JournalReport.Host] {
        entries.map { JournalReport.Host(name: names[$0.host] ?? "", tally: $0.tally) }
            .sorted { ($0.tally.due, $1.name) > ($1.tally.due, $0.name) }
    }

    /// The name from metadata; a synthesized name is shown as it is.
    private static func name(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "=") ? String(text.dropFirst()) : text
    }

    private static func time(_ microseconds: Int64?) -> UnixTime? { microseconds.map(UnixTime.init(microseconds:)) }
    private static func span(_ microseconds: Int64?) -> Duration? { microseconds.map { .microseconds($0) } }

    private func names(_ sql: String) throws -> [Int64: String] {
        Dictionary(try Row.fetchAll(database, sql: sql).map { ($0[0] as Int64, $0[1] as String) }) { first, _ in first }
    }

    // MARK: Findings and course

    private func readFindings(_ report: inout JournalReport) throws {
        report.findings = try Row.fetchAll(
            database,
            sql: """
                SELECT rule, severity, message, count(*), min(at), max(at) AS last FROM finding WHERE at >= ?
                GROUP BY rule, severity ORDER BY severity <> 'error', severity <> 'warning', count(*) DESC, rule
                """, arguments: [since]
        ).map { row in
            JournalReport.Finding(
                rule: row[0], severity: row[1], message: row[2], count: row[3],
                firstAt: UnixTime(microseconds: row[4]), lastAt: UnixTime(microseconds: row[5]))
        }
    }

    private func readCourse(_ report: inout JournalReport) throws {
        let span = try Row.fetchOne(
            database,
            sql: """
                SELECT min(at), max(at) FROM (
                    SELECT min(at) AS at FROM claim WHERE superseded = 0 AND at >= ?1
                    UNION ALL SELECT max(at) FROM claim WHERE superseded = 0 AND at >= ?1
                    UNION ALL SELECT min(at) FROM unsent WHERE at >= ?1 AND \(JournalSchema.isUnsent)
                    UNION ALL SELECT max(at) FROM unsent WHERE at >= ?1 AND \(JournalSchema.isUnsent))
                """, arguments: [since])
        guard let span, let first: Int64 = span[0], let last: Int64 = span[1] else { return }
        let length = Self.stretchLength(last.subtractingSaturating(first))
        let start = first.flooringDivision(by: length) * length
        let count = Int(last.subtractingSaturating(start) / length) + 1
        report.course.start = UnixTime(microseconds: start)
        report.course.length = .microseconds(length)
        report.course.stretches = [JournalReport.Course.Stretch](repeating: .init(), count: count)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT (at - ?1) / ?2, state, count(*) FROM claim WHERE superseded = 0 AND at >= ?3 GROUP BY 1, 2
                UNION ALL SELECT (at - ?1) / ?2, 'unsent', count(*) FROM unsent
                    WHERE at >= ?3 AND \(JournalSchema.isUnsent) GROUP BY 1
                """, arguments: [start, length, since])
        while let row = try rows.next() {
            let place: Int = row[0]
            guard report.course.stretches.indices.contains(place) else { continue }
            switch row[1] as String? {
            case "acknowledged": report.course.stretches[place].acknowledged += row[2]
            case "rejected", "failed": report.course.stretches[place].failed += row[2]
            case "unknown", nil: report.course.stretches[place].unanswered += row[2]
            default: report.course.stretches[place].unsent += row[2]
            }
        }
    }

    /// A round length with at most ``stretches`` intervals in the span.
    private static func stretchLength(_ span: Int64) -> Int64 {
        let seconds: [Int64] = [
            1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 604_800,
        ]
        let wanted = span / stretches
        return seconds.map { $0 * 1_000_000 }.first { $0 > wanted } ?? wanted + 1
    }
}
