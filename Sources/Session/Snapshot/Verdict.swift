package import AdTracking
import Ports

/// A session at one look: its problems, the worst first, and what became of its beacons. The header, the table of
/// sessions and dumps take their first words from it, so that they agree.
package struct Verdict: Sendable, Equatable {
    /// Something that is wrong now, or went wrong in this session.
    package enum Problem: Sendable, Equatable {
        /// No playlist of the stream could be read yet.
        case notOpened
        /// The server rejects the session, and no new one is open yet.
        case over
        /// The newest requests of a feed failed; the status of the last answer, if there was one.
        case playlist(status: Int?)
        case metadata(status: Int?)
        /// The newest ping, whose answer would bring metadata, failed.
        case ping(status: Int?)
        /// The playhead waits for media.
        case stalled
        /// Beacons that were rejected or not answered after all tries.
        case failed(Int)
        /// Beacons without an answer, in this process or in an earlier one.
        case unknown(Int)
        /// Distinct findings.
        case findings(errors: Int, warnings: Int)
        /// A live stream is played far behind the clock; see ``Verdict/highLatency(holdBack:)``.
        case behind(Duration)
    }

    /// The worst first: what stops everything, what was lost, what is doubtful.
    package var problems: [Problem] = []
    package var beacons = SessionHealth.Beacons()
    /// Events that were due for more than a moment before they were claimed.
    package var late = 0
    package var mode = ReportingMode.observe
    package var phase = SessionView.Phase.starting
    /// Whether the stream has a source of ads beyond the markers of its playlist.
    package var hasMetadata = true

    /// Whether nothing is wrong.
    package var isGood: Bool { problems.isEmpty }

    /// The verdict on a whole session as it is at the snapshot's moment.
    package init(_ snapshot: Snapshot) {
        let session = snapshot.session
        var facts = Facts(
            phase: session.phase, kind: snapshot.playlist.kind, playlist: session.playlistHealth,
            metadata: session.metadataHealth, playhead: snapshot.playhead.state)
        facts.isUnopened = session.opening?.problem != nil
        facts.latency = snapshot.playhead.latency
        facts.holdBack = snapshot.playlist.holdBack
        for view in snapshot.findings { facts.findings[view.finding.severity, default: 0] += 1 }
        self.init(
            facts, SessionHealth.Beacons(snapshot.counters, snapshot.deliveries), late: snapshot.counters.late,
            mode: session.mode)
        hasMetadata = session.metadataHealth.state != .none || snapshot.breaks.contains { !$0.ads.isEmpty }
    }

    /// The verdict on a session of which only the health is known.
    package init(_ health: SessionHealth) {
        var facts = Facts(
            phase: health.phase, kind: health.kind, playlist: health.playlist, metadata: health.metadata,
            playhead: health.playhead)
        facts.isUnopened = health.phase == .failing && health.kind == .unknown
        facts.latency = health.latency
        facts.holdBack = health.holdBack
        facts.findings = health.findings
        self.init(facts, health.beacons, late: health.counters.late, mode: health.mode)
        hasMetadata = health.metadata.state != .none || health.ads > 0
    }

    /// What the problems of a session are found in.
    private struct Facts {
        var phase: SessionView.Phase
        var kind: PlaylistView.Kind
        var playlist: FeedHealth
        var metadata: FeedHealth
        var playhead: PlayheadView.State
        var isUnopened = false
        var latency: Duration?
        var holdBack: Duration?
        var findings: [Severity: Int] = [:]
    }

    private init(_ facts: Facts, _ beacons: SessionHealth.Beacons, late: Int, mode: ReportingMode) {
        (self.beacons, self.late, self.mode, phase) = (beacons, late, mode, facts.phase)
        if facts.isUnopened { problems.append(.notOpened) }
        if facts.phase == .over { problems.append(.over) }
        // Before the stream is open, failing feeds are the reason why it is not.
        if !facts.isUnopened, facts.phase != .ended {
            if facts.playlist.state == .failing { problems.append(.playlist(status: facts.playlist.status)) }
            if facts.metadata.state == .failing {
                let status = facts.metadata.status
                problems.append(facts.metadata.isPing ? .ping(status: status) : .metadata(status: status))
            }
            if facts.playhead == .stalled, facts.phase != .over { problems.append(.stalled) }
        }
        // The feeds still answer, and no next session can be opened.
        if facts.phase == .failing, problems.isEmpty { problems.append(.notOpened) }
        if beacons.failed > 0 { problems.append(.failed(beacons.failed)) }
        let (errors, warnings) = (facts.findings[.error] ?? 0, facts.findings[.warning] ?? 0)
        if errors > 0 { problems.append(.findings(errors: errors, warnings: warnings)) }
        if beacons.unknown > 0 { problems.append(.unknown(beacons.unknown)) }
        if errors == 0, warnings > 0 { problems.append(.findings(errors: 0, warnings: warnings)) }
        if facts.kind == .live, facts.phase != .ended, let latency = facts.latency,
            latency > Self.highLatency(holdBack: facts.holdBack)
        {
            problems.append(.behind(latency))
        }
    }

    /// The latency from which a live stream is far behind: three times the distance that the playlist asks for
    /// (RFC 8216, 6.3.3: by default three target durations), at least 30 s, since encoding and delivery take their time.
    package static func highLatency(holdBack: Duration?) -> Duration {
        max(.seconds(30), (holdBack ?? .zero) * 3)
    }
}
