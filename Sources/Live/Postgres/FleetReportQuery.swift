package import Fleet
package import Ports
import Session

/// What `adtop fleet report` reads: the sums of the store as the report of a journal. Over all channels a session is a channel and there are
/// no breaks; of one channel a session is a viewer.
extension FleetRegister {
    /// - Parameters:
    ///   - since: beacons that were due before are left out.
    ///   - channel: the only one; nil for all.
    package func report(since: UnixTime?, channel: String?) async throws(StoreProblem) -> JournalReport {
        let from: [PostgresParameter] = [
            since.map { .time($0) } ?? .text("-infinity"), .text("infinity"), .text(channel),
        ]
        let sums = try await connection.call(
            """
            SELECT channel, viewer, ad, host, acknowledged, rejected, failed, skipped, unknown, late, late_sum_ms
            FROM fleet.report($1, $2, $3)
            """, from, within: Self.long)
        var builder = FleetReportBuilder()
        try await readServices(of: channel, into: &builder)
        if let channel {
            try await readViewers(of: channel, into: &builder)
            let ads = try await connection.call(
                """
                SELECT viewer, id, ad, break, source, duration_ms, break_ms, \(PostgresSQL.microseconds("first_start")),
                    \(PostgresSQL.microseconds("break_start")) FROM fleet.report_ads($1, $2, $3)
                """, from, within: Self.long)
            for row in ads.rows { try builder.addAd(row) }
            builder.findBreaks()
        }
        for row in sums.rows { try builder.add(row) }
        var report = builder.report
        report.findings = try await findings(since: since, channel: channel)
        return report
    }

    /// None where `fleet init` of this version has not run: the other sums are there all the same.
    private func findings(
        since: UnixTime?, channel: String?
    ) async throws(StoreProblem) -> [JournalReport.Finding] {
        let isThere = try await connection.call(
            "SELECT to_regprocedure('fleet.report_findings(timestamptz, text)') IS NOT NULL AS is_there"
        ).row.flag("is_there")
        guard isThere else { return [] }
        return try await connection.call(
            """
            SELECT rule, severity, message, count, \(PostgresSQL.microseconds("first_at")),
                \(PostgresSQL.microseconds("last_at")) FROM fleet.report_findings($1, $2)
            """, [since.map { .time($0) } ?? .text("-infinity"), .text(channel)], within: Self.long
        ).rows.map { row throws(StoreProblem) in
            JournalReport.Finding(
                rule: try row.text("rule"), severity: try row.text("severity"), message: try row.text("message"),
                count: try row.integer("count"), firstAt: try row.time("first_at"), lastAt: try row.time("last_at"))
        }
    }

    /// Whether there is anything to report of a channel, whenever it was due: it has viewers, or it had some and their claims are still there.
    package func knows(_ channel: String) async throws(StoreProblem) -> Bool {
        try await connection.call(
            """
            SELECT EXISTS (SELECT FROM fleet.viewers WHERE channel = $1)
                OR EXISTS (SELECT FROM fleet.beacons WHERE channel = $1) AS is_known
            """, [.text(channel)], within: Self.long
        ).row.flag("is_known")
    }

    /// Channels with viewers. Unlike the list, they can be read by every role that may read reports.
    package func namesOfChannels() async throws(StoreProblem) -> [String] {
        try await connection.call("SELECT DISTINCT channel FROM fleet.viewers", within: Self.long)
            .rows.map { row throws(StoreProblem) in try row.text("channel") }
    }

    /// Whose streams they are. A store that `fleet init` of this version has not seen does not keep that, so its rows are asked without naming
    /// the columns.
    private func readServices(
        of channel: String?, into builder: inout FleetReportBuilder
    ) async throws(StoreProblem) {
        let rows = try await connection.call(
            """
            SELECT DISTINCT channel, CASE WHEN $1::text IS NOT NULL THEN viewer END AS viewer,
                to_jsonb(v)->>'provider' AS provider, to_jsonb(v)->>'service_mode' AS mode
            FROM fleet.viewers v WHERE $1::text IS NULL OR channel = $1
            """, [.text(channel)], within: Self.long
        ).rows
        for row in rows {
            guard let provider = try row.optionalText("provider") else { continue }
            let key = FleetReportBuilder.key(
                channel: try row.text("channel"), viewer: try row.optionalInteger("viewer"))
            builder.services[key, default: []].insert(
                FleetReportBuilder.Service(provider: provider, mode: try row.optionalText("mode")))
        }
    }

    private func readViewers(
        of channel: String, into builder: inout FleetReportBuilder
    ) async throws(StoreProblem) {
        let viewers = try await connection.call(
            "SELECT viewer, region, number FROM fleet.viewers WHERE channel = $1", [.text(channel)])
        for row in viewers.rows {
            let region = try row.text("region")
            let number = try row.integer("number")
            builder.viewerNames[try row.integer("viewer")] = region.isEmpty ? "\(number)" : "\(region) \(number)"
        }
    }
}

/// Collects the sums of the store.
private struct FleetReportBuilder {
    /// Who inserts the ads of a viewer, and in which mode.
    struct Service: Hashable {
        var provider: String
        var mode: String?
    }

    private struct AdPlace: Hashable {
        var viewer: Int
        var ad: Int64
    }

    private struct AdFacts {
        var name: String
        var breakName: String
        var source: String?
        var start: UnixTime?
        var duration: Duration?
        var breakStart: UnixTime?
        var breakDuration: Duration?
        /// Where the break begins, the same for all its ads.
        var place: UnixTime?

        /// Whether both are of one break of that name. Its start may have moved between their first claims.
        func isBeside(_ other: AdFacts) -> Bool {
            if let breakStart, let begun = other.breakStart {
                return breakStart.microseconds.subtractingSaturating(begun.microseconds).magnitude
                    <= FleetReportBuilder.longestMove
            }
            guard let start, let begun = other.start else { return true }
            return start.microseconds.subtractingSaturating(begun.microseconds) <= FleetReportBuilder.longestBreak
        }
    }

    /// Microseconds by which a break may move, and between the starts of two of its ads where its own is not known.
    private static let longestMove: UInt64 = 60_000_000
    private static let longestBreak: Int64 = 3_600_000_000

    private struct BreakName: Hashable {
        var viewer: Int
        var name: String
    }

    private struct BreakKey: Hashable {
        var session: Int
        var name: String
        var start: UnixTime?
    }

    var viewerNames: [Int: String] = [:]
    /// Those of the viewers of each session of the report.
    var services: [String: Set<Service>] = [:]
    private var ads: [AdPlace: AdFacts] = [:]
    private var sessions: [String: Int] = [:]
    private var hosts: [String: JournalReport.Tally] = [:]
    private var breaks: [BreakKey: Int] = [:]
    private var adPlaces: [AdPlace: (adBreak: Int, ad: Int)] = [:]
    private var built = JournalReport()

    /// The report with its lists in order.
    var report: JournalReport {
        var report = built
        report.hosts = hosts.map { JournalReport.Host(name: $0.key, tally: $0.value) }
            .sorted { ($0.tally.due, $1.name) > ($1.tally.due, $0.name) }
        for index in report.breaks.indices {
            report.breaks[index].ads.sort {
                ($0.start?.microseconds ?? 0, $0.name) < ($1.start?.microseconds ?? 0, $1.name)
            }
        }
        report.breaks.sort {
            ($0.session, $0.start?.microseconds ?? 0, $0.name) < ($1.session, $1.start?.microseconds ?? 0, $1.name)
        }
        return report
    }

    mutating func addAd(_ row: PostgresRow) throws(StoreProblem) {
        let place = AdPlace(viewer: try row.integer("viewer"), ad: try row.integer("id", as: Int64.self))
        let duration = try row.optionalInteger("duration_ms", as: Int64.self)
        let breakDuration = try row.optionalInteger("break_ms", as: Int64.self)
        let start = try row.optionalTime("first_start")
        ads[place] = AdFacts(
            name: Self.name(try row.text("ad")), breakName: Self.name(try row.text("break")),
            // Pings and notices of auctions have none.
            source: try row.optionalText("source"), start: start?.microseconds == 0 ? nil : start,
            duration: duration.map { .milliseconds($0) },
            breakStart: try row.optionalTime("break_start"), breakDuration: breakDuration.map { .milliseconds($0) })
    }

    /// A service may use the name of a break again, every day or every hour: such breaks are not one. Where no start was listed, a break begins
    /// with its first ad.
    mutating func findBreaks() {
        let groups = Dictionary(grouping: ads.keys) { BreakName(viewer: $0.viewer, name: ads[$0]?.breakName ?? "") }
        for group in groups.values {
            var last: AdFacts?
            for place in group.sorted(by: startsEarlier) {
                guard var facts = ads[place] else { continue }
                facts.place = last.flatMap { facts.isBeside($0) ? $0.place : nil } ?? facts.breakStart ?? facts.start
                ads[place] = facts
                last = facts
            }
        }
    }

    private func startsEarlier(_ one: AdPlace, _ other: AdPlace) -> Bool {
        let starts = [one, other].map { ads[$0]?.start?.microseconds ?? .min }
        return (starts[0], one.ad) < (starts[1], other.ad)
    }

    /// The name from metadata, as in the report of a journal; a synthesized name is shown as it is.
    private static func name(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "=") ? String(text.unicodeScalars.dropFirst()) : text
    }

    mutating func add(_ row: PostgresRow) throws(StoreProblem) {
        let tally = try Self.tally(row)
        let host = try row.optionalText("host") ?? ""
        built.totals.add(tally)
        hosts[host, default: JournalReport.Tally()].add(tally)
        let viewer = try row.optionalInteger("viewer")
        let session = session(channel: try row.text("channel"), viewer: viewer)
        built.sessions[session].tally.add(tally)
        guard let viewer, let ad = try row.optionalInteger("ad", as: Int64.self) else { return }
        let place = place(of: AdPlace(viewer: viewer, ad: ad), session)
        built.breaks[place.adBreak].tally.add(tally)
        built.breaks[place.adBreak].ads[place.ad].tally.add(tally)
        built.breaks[place.adBreak].ads[place.ad].hosts.append(JournalReport.Host(name: host, tally: tally))
    }

    private mutating func session(channel: String, viewer: Int?) -> Int {
        let name = viewer.map { "\(channel) viewer \(viewerNames[$0] ?? "of id \($0), removed")" } ?? channel
        let key = Self.key(channel: channel, viewer: viewer)
        if let known = sessions[key] { return known }
        sessions[key] = built.sessions.count
        built.sessions.append(
            JournalReport.Session(
                key: key, name: name, provider: shared(\.provider, of: key), serviceMode: shared(\.mode, of: key),
                runs: 0))
        return built.sessions.count - 1
    }

    /// What all viewers of a session of the report have; nil where those of a channel differ.
    private func shared(_ member: (Service) -> String?, of key: String) -> String? {
        let words = Set(services[key, default: []].map(member))
        return words.count == 1 ? words.first ?? nil : nil
    }

    /// What tells the sessions of the report apart: viewers of one channel, else channels.
    static func key(channel: String, viewer: Int?) -> String { viewer.map { "\(channel)/\($0)" } ?? channel }

    private mutating func place(of ad: AdPlace, _ session: Int) -> (adBreak: Int, ad: Int) {
        if let known = adPlaces[ad] { return known }
        let facts = ads[ad] ?? AdFacts(name: "", breakName: "")
        let key = BreakKey(session: session, name: facts.breakName, start: facts.place)
        let adBreak = breaks[key] ?? built.breaks.count
        if adBreak == built.breaks.count {
            breaks[key] = adBreak
            built.breaks.append(
                JournalReport.Break(
                    session: session, name: facts.breakName, start: facts.place, duration: facts.breakDuration,
                    source: facts.source))
        }
        built.breaks[adBreak].ads.append(
            JournalReport.Ad(name: facts.name, start: facts.start, duration: facts.duration))
        let place = (adBreak, built.breaks[adBreak].ads.count - 1)
        adPlaces[ad] = place
        return place
    }

    private static func tally(_ row: PostgresRow) throws(StoreProblem) -> JournalReport.Tally {
        var tally = JournalReport.Tally()
        tally.acknowledged = try row.integer("acknowledged")
        let rejected = try row.integer("rejected")
        tally.failed = rejected + (try row.integer("failed"))
        tally.skipped = try row.integer("skipped")
        tally.unknown = try row.integer("unknown")
        let sum = try row.optionalInteger("late_sum_ms", as: Int64.self) ?? 0
        for (bucket, count) in try row.integers("late").enumerated() {
            tally.lateness.add(count, inBucket: bucket, sum: bucket == 0 ? .milliseconds(sum) : .zero)
        }
        return tally
    }
}
