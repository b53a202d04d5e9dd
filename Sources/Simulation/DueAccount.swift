import AdTracking
import DemoOrigin
import Monitoring
import Ports

/// Checks that every due beacon was sent, or that there is a reason why not: compares the origin's plan with collector,
/// journal and session.
struct DueAccount: Sendable {
    /// How long after its due time a beacon is judged: retries end 30 s after the end of its ad.
    static let patience: Duration = .seconds(45)
    /// Tolerance of the ends of played ranges for beacons at these ends.
    private static let tolerance: Duration = .seconds(1)

    /// The result for a planned beacon.
    enum Verdict: String, CaseIterable, Sendable {
        /// It arrived at the collector.
        case arrived
        /// It was claimed and did not arrive: its request was refused, or the process ended; the journal has it.
        case claimed
        /// The session shows the reason why it was not sent.
        case explained
        /// The session never played its due time.
        case notPlayed
        /// No readable metadata that reached the session contains it.
        case notTold
        /// Its event was claimed with an unplanned URL from an earlier, damaged document.
        case claimedOtherwise
        /// The process ended before it was claimed.
        case lostWithProcess
        /// Due, played, in metadata, and neither sent nor explained.
        case missing
    }

    private(set) var verdicts: [Verdict: Int] = [:]
    /// Number of explained beacons by skip reason.
    private(set) var reasons: [SkipReason: Int] = [:]
    /// Media date up to which all beacons are judged; nil before playback.
    private(set) var judgedTo: UnixTime?
    /// How long after its due time a beacon is judged.
    private let patience: Duration
    /// Planned beacons that are not judged yet, by time, up to `plannedTo`.
    private var coming: ArraySlice<PlannedBeacon> = []
    private var plannedTo: UnixTime?

    /// How far ahead the plan is computed in one step.
    private static let horizon: Duration = .seconds(120)

    init(patience: Duration = DueAccount.patience) {
        self.patience = patience
    }

    /// The evidence for a judgement.
    struct Evidence {
        /// The stream that determines the plan.
        var stream: LiveStream
        var session: String
        var beacons: BeaconAccount
        var journal: VirtualJournal
        var told: [[UInt8]]
        /// Whether the process has just ended: beacons it had no time for are lost with it.
        var isDead = false
    }

    /// Whether there is anything to judge; checked after every input.
    func isDue(_ date: UnixTime?, isDead: Bool) -> Bool {
        guard let date else { return false }
        guard judgedTo != nil, let plannedTo else { return true }
        let end = isDead ? date : date - patience
        return end > plannedTo || coming.first.map { $0.atMs <= end.milliseconds } ?? false
    }

    /// Judges the beacons that were due up to `patience` before the playhead's `date`, or up to it after a kill;
    /// returns the missing ones, one sentence each. `snapshot` is called only for a beacon that neither arrived nor is
    /// in the journal.
    mutating func judge(_ evidence: Evidence, date: UnixTime?, snapshot: () -> Snapshot) -> [String] {
        guard let date else { return [] }
        // Beacons before the first position of this process were due while there was no process.
        guard let start = judgedTo else {
            judgedTo = date
            return []
        }
        let end = evidence.isDead ? date : date - patience
        guard end > start else { return [] }
        plan(to: end, from: start, evidence)
        judgedTo = end
        var open: [PlannedBeacon] = []
        while let beacon = coming.first, beacon.atMs <= end.milliseconds {
            coming.removeFirst()
            if let verdict = delivered(beacon, evidence) {
                verdicts[verdict, default: 0] += 1
            } else {
                open.append(beacon)
            }
        }
        guard !open.isEmpty else { return [] }
        return judge(open, evidence, date: date, from: start, snapshot())
    }

    private mutating func plan(to end: UnixTime, from start: UnixTime, _ evidence: Evidence) {
        let from = plannedTo ?? start
        guard end > from else { return }
        let to = end + Self.horizon
        // Adjacent intervals add up to the plan of the whole.
        coming += evidence.stream.plan(
            session: evidence.session, fromMs: Int(from.milliseconds), toMs: Int(to.milliseconds), joins: false)
        plannedTo = UnixTime(milliseconds: to.milliseconds)
    }

    private mutating func judge(
        _ open: [PlannedBeacon], _ evidence: Evidence, date: UnixTime, from start: UnixTime, _ snapshot: Snapshot
    ) -> [String] {
        let views = Self.views(snapshot, from: start)
        var missing: [String] = []
        var waiting: [PlannedBeacon] = []
        for beacon in open {
            if isBeingWritten(beacon, views.urls[Self.url(beacon)], evidence, date: date) {
                waiting.append(beacon)
                continue
            }
            let verdict = verdict(beacon, views: views, evidence, date: date, snapshot)
            verdicts[verdict, default: 0] += 1
            if verdict == .missing {
                missing.append("\(beacon.target), due at \(beacon.atMs), was played, and neither sent nor explained")
            }
        }
        coming = waiting + coming
        return missing
    }

    /// After a long freeze a beacon is claimed late, and the journal receives it a moment later.
    private func isBeingWritten(
        _ beacon: PlannedBeacon, _ view: View?, _ evidence: Evidence, date: UnixTime
    ) -> Bool {
        !evidence.isDead && view?.state == .claimed
            && UnixTime(milliseconds: Int64(beacon.atMs)) > date - patience * 2
    }

    /// A new process starts to play elsewhere.
    mutating func restarted() {
        judgedTo = nil
        plannedTo = nil
        coming = []
    }

    /// The result that collector or journal show; nil if they do not have the beacon.
    private func delivered(_ beacon: PlannedBeacon, _ evidence: Evidence) -> Verdict? {
        let url = Self.url(beacon)
        if evidence.beacons.hasArrived(url) { return .arrived }
        return evidence.journal.hasClaim(of: url) ? .claimed : nil
    }

    private static func url(_ beacon: PlannedBeacon) -> String {
        "http://\(SimulatedNetwork.authority)\(beacon.target)"
    }

    private mutating func verdict(
        _ beacon: PlannedBeacon, views: Views, _ evidence: Evidence, date: UnixTime, _ snapshot: Snapshot
    ) -> Verdict {
        let view = views.urls[Self.url(beacon)]
        if let view, view.isExplained {
            if let reason = view.reason { reasons[reason, default: 0] += 1 }
            return .explained
        }
        let due = UnixTime(milliseconds: Int64(beacon.atMs))
        guard wasPlayed(due, snapshot) else { return .notPlayed }
        // It ended before the claim was written.
        if evidence.isDead, due > date - patience || view?.state == .claimed { return .lostWithProcess }
        if view != nil { return .missing }
        guard evidence.told.contains(where: { $0.tells(of: beacon.target) }) else { return .notTold }
        return wasClaimedOtherwise(beacon, views, evidence) ? .claimedOtherwise : .missing
    }

    private func wasClaimedOtherwise(_ beacon: PlannedBeacon, _ views: Views, _ evidence: Evidence) -> Bool {
        let moment = Moment(event: beacon.event, start: UnixTime(milliseconds: Int64(beacon.atMs)))
        guard let claimed = views.claimed[moment] else { return false }
        let planned = evidence.stream.plan(
            session: evidence.session, fromMs: beacon.atMs, toMs: beacon.atMs + 1, joins: false)
        return !claimed.isSubset(of: planned.map(Self.url))
    }

    private func wasPlayed(_ date: UnixTime, _ snapshot: Snapshot) -> Bool {
        snapshot.playedRanges.contains {
            $0.lowerBound + Self.tolerance < date && date < $0.upperBound - Self.tolerance
        }
    }

    private static func views(_ snapshot: Snapshot, from start: UnixTime) -> Views {
        var views = Views()
        for adBreak in snapshot.breaks where adBreak.plannedEnd + .seconds(60) >= start {
            for event in adBreak.ads.lazy.flatMap(\.events) {
                let moment = Moment(event: event.event, start: event.start)
                for url in event.urls {
                    views.urls[url.url] = View(state: url.state, reason: url.reason ?? event.reason)
                    if url.state.wasClaimed { views.claimed[moment, default: []].insert(url.url) }
                }
            }
        }
        return views
    }

    /// The session's state of each URL, and the claimed URLs of each event.
    private struct Views {
        var urls: [String: View] = [:]
        var claimed: [Moment: Set<String>] = [:]
    }

    private struct Moment: Hashable {
        var event: String
        var start: UnixTime
    }

    /// The session's state of a beacon.
    private struct View {
        var state: DeliveryState
        var reason: SkipReason?

        /// Whether the state explains an unsent beacon. For a played beacon, "not reached" and "paused" are no reasons,
        /// nor is a claim in progress that no journal has.
        var isExplained: Bool {
            switch state {
            case .claimed, .sent, .waiting, .acknowledged: false
            case .rejected, .failed, .unknown, .observed: true
            case .planned, .skipped: reason != nil && reason != .notReached && reason != .paused
            }
        }
    }
}

extension DeliveryState {
    fileprivate var wasClaimed: Bool { ![.planned, .skipped, .observed].contains(self) }
}

extension [UInt8] {
    /// Whether this document contains `text` and is readable.
    fileprivate func tells(of text: String) -> Bool {
        guard holds(text) else { return false }
        // A truncated or damaged document counts as not received.
        return (try? JSONReader.read(self)) != nil
    }

    /// Whether these bytes contain `text`.
    private func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        var position = 0
        while let found = self[position...].firstIndex(of: first), found + wanted.count <= count {
            if self[found..<(found + wanted.count)].elementsEqual(wanted) { return true }
            position = found + 1
        }
        return false
    }
}
