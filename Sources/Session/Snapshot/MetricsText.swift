import AdTracking
import Ports

/// Sessions as metrics in the text format of Prometheus 0.0.4 (docs/metrics.md). Labels are bounded: hosts by
/// `DeliveryTally.hostsKept`, sessions by the user's list, all others by their kind. URLs and viewers are never labels.
package struct MetricsText: Sendable {
    private let sessions: [SessionHealth]
    private let version: String
    private var writer = MetricsWriter()

    /// The current metrics of these sessions; `namesSessions` adds those of each session, labelled with its name.
    package static func render(
        _ sessions: [SessionHealth], version: String, namesSessions: Bool = false
    ) -> String {
        var metrics = MetricsText(sessions: sessions, version: version)
        metrics.write()
        if namesSessions { metrics.writeEachSession() }
        return metrics.writer.text
    }

    private init(sessions: [SessionHealth], version: String) {
        self.sessions = sessions
        self.version = version
    }

    private mutating func write() {
        writer.family("adtop_build_info", "gauge", "Version of adtop.", [([("version", version)], "1")])
        writeSessions()
        writeDeliveries()
        writeFeeds()
        writeFindings()
    }

    private mutating func writeSessions() {
        var phases: [[String]: Int] = [:]
        for session in sessions { phases[[session.phase.rawValue, session.mode.rawValue], default: 0] += 1 }
        writer.family(
            "adtop_sessions", "gauge", "Sessions by phase and mode.",
            phases.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
                ([("phase", key[0]), ("mode", key[1])], "\(count)")
            })
        var events: [ReportingState: Int] = [:]
        for session in sessions { events.merge(session.events) { $0 + $1 } }
        writer.family(
            "adtop_events", "gauge", "Known tracking events by reporting state (docs/states.md).",
            ReportingState.allCases.map { ([("state", $0.rawValue)], "\(events[$0] ?? 0)") })
    }

    private mutating func writeDeliveries() {
        var tally = DeliveryTally()
        for session in sessions { tally.add(session.deliveries) }
        let samples = tally.counts.sorted { $0.key < $1.key }.flatMap { host, counts in
            DeliveryTally.Outcome.allCases.compactMap { outcome in
                counts[outcome].map { ([("host", host), ("outcome", outcome.rawValue)], "\($0)") }
            }
        }
        writer.family(
            "adtop_beacons_total", "counter", "Attempts to send beacons by result and host.", samples)
        writer.family(
            "adtop_beacon_retries_total", "counter", "Retries of beacons.",
            [([], "\(tally.retries)")])
        writer.histogram(
            "adtop_beacon_lateness_seconds",
            "Media time past the due instant when a beacon was claimed or observed.", tally.lateness)
    }

    private mutating func writeFeeds() {
        let polls: [(String, Int)] = [
            ("metadata", sessions.reduce(0) { $0 + $1.counters.metadataPolls }),
            ("playlist", sessions.reduce(0) { $0 + $1.counters.playlistReloads }),
        ]
        writer.family(
            "adtop_polls_total", "counter", "Answers to polls, by feed.",
            polls.map { ([("feed", $0.0)], "\($0.1)") })
        let feeds: [(String, KeyPath<SessionHealth, FeedHealth>)] = [
            ("metadata", \.metadata), ("playlist", \.playlist),
        ]
        var ages: [([(String, String)], String)] = []
        var failing: [([(String, String)], String)] = []
        for (feed, health) in feeds {
            let oldest = sessions.compactMap { session in
                session[keyPath: health].lastGoodAt.map { max(.zero, session.at.uptime - $0.uptime) }
            }.max()
            if let oldest { ages.append(([("feed", feed)], MetricsWriter.seconds(oldest))) }
            failing.append(([("feed", feed)], "\(sessions.count { $0[keyPath: health].state == .failing })"))
        }
        writer.family(
            "adtop_poll_age_seconds", "gauge", "Longest time since the last good answer, over all sessions.",
            ages)
        writer.family("adtop_failing_sessions", "gauge", "Sessions with a failing feed.", failing)
    }

    private mutating func writeFindings() {
        var findings: [Severity: Int] = [:]
        for session in sessions { findings.merge(session.findings) { $0 + $1 } }
        writer.family(
            "adtop_findings", "gauge", "Distinct findings of all sessions by severity.",
            Severity.allCases.map { ([("severity", $0.rawValue)], "\(findings[$0] ?? 0)") })
    }

    /// Metrics per session. Names come from the user's own list, so they are bounded.
    private mutating func writeEachSession() {
        writeStates()
        writeBeacons()
        writer.family(
            "adtop_session_findings", "gauge", "Distinct findings of a session by severity.",
            sessions.flatMap { session in
                session.findings.sorted { $0.key.rawValue < $1.key.rawValue }.map { severity, count in
                    ([("session", session.name), ("severity", severity.rawValue)], "\(count)")
                }
            })
    }

    private mutating func writeStates() {
        writer.family(
            "adtop_session_info", "gauge", "Phase and mode of a session; always 1.",
            sessions.map {
                ([("session", $0.name), ("phase", $0.phase.rawValue), ("mode", $0.mode.rawValue)], "1")
            })
        writer.family(
            "adtop_session_latency_seconds", "gauge", "Wall clock minus media date at the playhead.",
            sessions.compactMap { session in
                session.latency.map { ([("session", session.name)], MetricsWriter.seconds($0)) }
            })
        writer.family(
            "adtop_session_poll_age_seconds", "gauge",
            "Longest time since the last good answer, over the session's feeds.",
            sessions.compactMap { session in
                session.pollAge(at: session.at).map { ([("session", session.name)], MetricsWriter.seconds($0)) }
            })
    }

    private mutating func writeBeacons() {
        writer.family(
            "adtop_session_beacons_total", "counter", "Beacons of a session, each counted once.",
            sessions.flatMap { session -> [([(String, String)], String)] in
                let sum = session.beacons
                return [
                    ("due", sum.due), ("sent", sum.sent), ("acknowledged", sum.acknowledged),
                    ("failed", session.counters.beaconsFailed), ("unknown", session.counters.beaconsUnknown),
                ]
                .map { ([("session", session.name), ("state", $0.0)], "\($0.1)") }
            })
        writer.family(
            "adtop_session_beacons_failed", "gauge",
            "Beacons that failed and are known now, those of an earlier process included.",
            sessions.map { ([("session", $0.name)], "\($0.beacons.failed)") })
        writer.family(
            "adtop_session_beacons_unknown", "gauge",
            "Beacons of unknown outcome known now, those of an earlier process included.",
            sessions.map { ([("session", $0.name)], "\($0.beacons.unknown)") })
        writer.family(
            "adtop_session_lateness_worst_seconds", "gauge", "Largest lateness of a claimed beacon.",
            sessions.map { ([("session", $0.name)], MetricsWriter.seconds($0.deliveries.worstLateness)) })
    }
}
