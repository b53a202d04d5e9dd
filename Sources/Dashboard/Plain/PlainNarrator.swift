import AdTracking
import Ports
import Screen
import Session

/// Announces what changes from snapshot to snapshot: the verdict, the mode, what goes on air, beacons whose outcome is
/// decided, and each rule of a finding once. What stays as it was is not repeated.
struct PlainNarrator {
    /// How long the summary of a break waits for the answers of its last beacons.
    private static let patience: Duration = .seconds(10)

    /// A break that has ended, whose beacons are not all answered.
    private struct Ended {
        var id: String
        var at: Duration
    }

    private var problems: [String]?
    /// The newest verdict.
    private var verdict: Verdict?
    private var mode: String?
    private var onAir: String?
    private var breakOnAir: String?
    private var ended: [Ended] = []
    /// The states that were announced, of the events that are known.
    private var states: [String: ReportingState] = [:]
    private var rules: Set<String> = []
    /// The newest ping that was announced.
    private var ping: PingView?

    /// The sentences about what is new in `snapshot`, in the order in which they matter.
    mutating func sentences(_ snapshot: Snapshot) -> [String] {
        var lines: [String] = []
        let mode = Self.mode(of: snapshot.session)
        if mode != self.mode {
            self.mode = mode
            lines.append("mode: \(mode)")
        }
        lines += air(snapshot) + beacons(snapshot) + pings(snapshot) + findings(snapshot) + endings(snapshot)
        // The verdict is the sum of the others, so it comes last.
        let verdict = verdict(on: snapshot)
        self.verdict = verdict
        let kinds = (verdict.phase == .starting ? ["starting"] : []) + verdict.problems.map(\.kind)
        if kinds != problems, !isTrying(snapshot, kinds) {
            problems = kinds
            lines.append("verdict: " + PlainText.verdict(verdict, of: snapshot))
        }
        return lines
    }

    /// What is wrong with a session at its end is no longer found afterwards, when nothing is requested, and no better for that.
    private func verdict(on snapshot: Snapshot) -> Verdict {
        var verdict = Verdict(snapshot)
        guard verdict.phase == .ended, let former = self.verdict else { return verdict }
        let kept = former.problems.filter { $0.needsRunningSession && !verdict.problems.contains($0) }
        // In the order of a verdict, where the latency comes last: another order would be news.
        verdict.problems =
            kept.filter { $0.kind != "behind" } + verdict.problems + kept.filter { $0.kind == "behind" }
        return verdict
    }

    /// Whether one way to open the stream was rejected, and the next one is tried already: that is no news yet.
    private func isTrying(_ snapshot: Snapshot, _ kinds: [String]) -> Bool {
        let notOpened = Verdict.Problem.notOpened.kind
        guard kinds.contains(notOpened), problems?.contains(notOpened) == false else { return false }
        return snapshot.session.opening?.requests.last.map { $0.answer == nil } == true
    }

    private static func mode(of session: SessionView) -> String {
        guard session.mode == .fire else { return "OBSERVE, nothing is sent" }
        let isLocal = session.sendsToLoopbackOnly
        return FireWord.word(isLocal: isLocal).string + ", beacons are sent" + (isLocal ? " to this machine only" : "")
    }

    private mutating func air(_ snapshot: Snapshot) -> [String] {
        let status = AirStatus(snapshot, snapshot.playhead)
        let id = status.onAir?.breakID
        if let left = breakOnAir, left != id { ended.append(Ended(id: left, at: snapshot.at.uptime)) }
        breakOnAir = id
        let text = PlainText.onAir(status)
        defer { onAir = text }
        guard let text, text != onAir else { return [] }
        return [text]
    }

    /// The breaks that ended and whose outcome is known, or is not waited for any longer.
    private mutating func endings(_ snapshot: Snapshot) -> [String] {
        var lines: [String] = []
        ended.removeAll { entry in
            guard let view = snapshot.breaks.first(where: { $0.id == entry.id }) else { return true }
            let isOpen = view.ads.flatMap(\.events).contains { $0.isCounted && $0.state == .connecting }
            guard !isOpen || snapshot.at.uptime - entry.at > Self.patience else { return false }
            lines.append("break ended: " + PlainText.adBreak(view))
            return true
        }
        return lines
    }

    private mutating func beacons(_ snapshot: Snapshot) -> [String] {
        var (lines, states): ([String], [String: ReportingState]) = ([], [:])
        for adBreak in snapshot.breaks {
            for ad in adBreak.ads {
                // A viewer's action is announced by its own notice.
                for event in ad.events where event.state.isDecided && !event.isBeforeJoin && !event.isUserTriggered {
                    guard event.state != .skipped || event.isLoss else { continue }
                    let key = "\(adBreak.id)/\(ad.id)/\(event.id)"
                    states[key] = event.state
                    let known = self.states[key]
                    // What an earlier session or process sent happened before.
                    guard known != event.state, known != nil || !event.wasSentBefore else { continue }
                    lines.append(PlainText.event(event, ad, of: adBreak))
                }
            }
        }
        self.states = states
        return lines
    }

    /// A ping is a beacon that belongs to no break.
    private mutating func pings(_ snapshot: Snapshot) -> [String] {
        guard let newest = snapshot.session.service?.ping, newest.state.isOutcome else { return [] }
        defer { ping = newest }
        let isKnown = newest.url == ping?.url && newest.state == ping?.state && newest.cause == ping?.cause
        return isKnown ? [] : [PlainText.ping(newest)]
    }

    private mutating func findings(_ snapshot: Snapshot) -> [String] {
        // Newest first in a snapshot.
        snapshot.findings.reversed().filter { rules.insert($0.finding.rule).inserted }.map(PlainText.finding)
    }
}

extension ReportingState {
    /// Whether it is an outcome; the others are on their way to one.
    fileprivate var isDecided: Bool {
        switch self {
        case .idle, .connecting: false
        case .done, .failed, .partial, .unknown, .observed, .skipped: true
        }
    }
}

extension DeliveryState {
    /// Whether it is an outcome; the others are on their way to one.
    fileprivate var isOutcome: Bool {
        switch self {
        case .planned, .claimed, .sent, .waiting: false
        case .acknowledged, .rejected, .failed, .unknown, .observed, .skipped: true
        }
    }
}

extension EventView {
    /// Whether all of it was sent before this session: its outcome is known, and no request of it.
    fileprivate var wasSentBefore: Bool {
        switch state {
        case .done, .failed, .partial, .unknown: urls.allSatisfy(\.attempts.isEmpty)
        case .idle, .connecting, .observed, .skipped: false
        }
    }

    /// Whether it was due and is not sent, in contrast to what was never played or waits for a viewer.
    fileprivate var isLoss: Bool {
        switch reason {
        case .rateGate, .noMetadataInTime, .expired, .queueFull, .badURL, .macroUnresolved, .hostNotAllowed, .adCut:
            isCounted
        default: false
        }
    }
}

extension Verdict.Problem {
    /// Whether it is found only while the session runs; counts stay as they are.
    fileprivate var needsRunningSession: Bool {
        switch self {
        case .notOpened, .over, .playlist, .metadata, .ping, .stalled, .behind: true
        case .failed, .unknown, .findings: false
        }
    }

    /// Its name and status without the numbers that grow.
    fileprivate var kind: String {
        switch self {
        case .notOpened: "not opened"
        case .over: "over"
        case .playlist(let status): "playlist \(status ?? 0)"
        case .metadata(let status): "metadata \(status ?? 0)"
        case .ping(let status): "ping \(status ?? 0)"
        case .stalled: "stalled"
        case .failed: "failed"
        case .unknown: "unknown"
        case .findings(let errors, _): errors > 0 ? "errors" : "warnings"
        case .behind: "behind"
        }
    }
}
