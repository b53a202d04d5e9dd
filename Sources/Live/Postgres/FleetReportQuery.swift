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
        for row in sums.rows { try builder.add(row, FleetReportBuilder.claimed(row)) }
        for row in try await unsent(from) { try builder.add(row, FleetReportBuilder.unsent(row)) }
        var report = builder.report
        report.findings = try await findings(since: since, channel: channel)
        return report
    }

    /// Sums of what was due and has no claim.
    private func unsent(_ period: [PostgresParameter]) async throws(StoreProblem) -> [PostgresRow] {
        guard try await has("report_unsent(timestamptz, timestamptz, text)") else { return [] }
        return try await connection.call(
            """
            SELECT channel, viewer, ad, host, bound, observed, skipped, late_sum_ms
            FROM fleet.report_unsent($1, $2, $3)
            """, period, within: Self.long
        ).rows
    }

    /// Whether the store has a function: a store where `fleet init` of this version has not run is reported without it.
    private func has(_ function: String) async throws(StoreProblem) -> Bool {
        try await connection.call(
            "SELECT to_regprocedure($1) IS NOT NULL AS is_there", [.text("fleet.\(function)")]
        ).row.flag("is_there")
    }

    private func findings(
        since: UnixTime?, channel: String?
    ) async throws(StoreProblem) -> [JournalReport.Finding] {
        guard try await has("report_findings(timestamptz, text)") else { return [] }
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
