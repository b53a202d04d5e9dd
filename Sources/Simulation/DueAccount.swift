import AdTracking
import DemoOrigin
import Ports
import Session

/// Checks that every due beacon was sent, or that there is a reason why not: compares the origin's plan with collector,
/// journal and session.
struct DueAccount: Sendable {
    /// How long after its due time a beacon is judged: retries end 30 s after the end of its ad.
    static let patience: Duration = .seconds(45)
    /// Starts that differ by no more may be one airing to the session.
    private static let identityReach: Duration = .seconds(60)
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
    /// The dates of the airings that were delivered, by URL.
    private var delivered: [String: [Int]] = [:]

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
        /// The answer that opened the session.
        var opening: [UInt8] = []
        /// Whether the session observed because of its journal: what was observed is not sent later under another name.
        var hasObserved = false
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
        let views = SessionViews(snapshot, from: start, named: evidence.journal.name)
        var missing: [String] = []
        var waiting: [PlannedBeacon] = []
        for beacon in open {
            if isBeingWritten(beacon, views.of(beacon.atMs, Self.url(beacon), evidence), evidence, date: date) {
                waiting.append(beacon)
                continue
            }
            let verdict = verdict(beacon, views: views, evidence, date: date, snapshot)
            verdicts[verdict, default: 0] += 1
            if verdict == .missing {
                let states = views.of(beacon.atMs, Self.url(beacon), evidence).map {
                    $0.reason?.rawValue ?? $0.state.rawValue
                }
                missing.append(
                    "\(beacon.target), due at \(beacon.atMs), was played, and neither sent nor explained"
                        + (states.isEmpty ? "" : "; the session has it as \(states.joined(separator: ", "))"))
            }
        }
        coming = waiting + coming
        return missing
    }

    /// After a long freeze a beacon is claimed late, and the journal receives it a moment later.
    private func isBeingWritten(
        _ beacon: PlannedBeacon, _ views: [SessionViews.View], _ evidence: Evidence, date: UnixTime
    ) -> Bool {
        !evidence.isDead && views.contains { $0.state == .claimed }
            && UnixTime(milliseconds: Int64(beacon.atMs)) > date - patience * 2
    }

    /// A new process starts to play elsewhere.
    mutating func restarted() {
        judgedTo = nil
        plannedTo = nil
        coming = []
    }

    /// The result that collector or journal show; nil if they do not have the beacon. Airings with one URL are counted: the
    /// second one is delivered if a second beacon is.
    private mutating func delivered(_ beacon: PlannedBeacon, _ evidence: Evidence) -> Verdict? {
        let url = Self.url(beacon)
        var airings = delivered[url] ?? []
        defer { delivered[url] = airings.isEmpty ? nil : airings }
        guard !airings.contains(beacon.atMs) else { return .arrived }
        let verdict: Verdict
        if evidence.beacons.arrivals(of: url) > airings.count {
            verdict = .arrived
        } else if evidence.journal.claims(of: url) > airings.count {
            verdict = .claimed
        } else {
            return nil
        }
        airings.append(beacon.atMs)
        return verdict
    }

    private static func url(_ beacon: PlannedBeacon) -> String {
        "http://\(SimulatedNetwork.authority)\(beacon.target)"
    }

    private mutating func verdict(
        _ beacon: PlannedBeacon, views: SessionViews, _ evidence: Evidence, date: UnixTime, _ snapshot: Snapshot
    ) -> Verdict {
        let known = views.of(beacon.atMs, Self.url(beacon), evidence)
        if isDeliveryOfAnother(beacon, views, evidence) { return .arrived }
        if let reason = explanation(known, evidence) ?? observed(beacon, views, evidence) {
            if let reason { reasons[reason, default: 0] += 1 }
            return .explained
        }
        // Airings are counted, and some of those before may have been observed.
        if evidence.hasObserved, known.contains(where: \.state.isSent) { return .arrived }
        let due = UnixTime(milliseconds: Int64(beacon.atMs))
        guard wasPlayed(due, snapshot) else { return .notPlayed }
        // It ended before the claim was written.
        if evidence.isDead, due > date - patience || known.contains(where: { $0.state == .claimed }) {
            return .lostWithProcess
        }
        if !known.isEmpty { return .missing }
        guard isTold(beacon, evidence) else { return .notTold }
        return wasClaimedOtherwise(beacon, views, evidence) ? .claimedOtherwise : .missing
    }

    /// Whether a document contains the beacon. Where ids in segments place the ads, its address is known from the answer that opened
    /// the session, its id from a segment, and what that means from a document; where records do, a segment has the first one of the ad,
    /// and a document its name.
    private func isTold(_ beacon: PlannedBeacon, _ evidence: Evidence) -> Bool {
        if let placement = beacon.placement(in: evidence.stream.scenario) {
            return evidence.told.contains { $0.holds(placement.record) }
                && evidence.told.contains { $0.holds(placement.creative) && $0.holds(beacon.target) }
        }
        guard let id = beacon.mediaID else {
            return evidence.told.contains { $0.tells(of: beacon, in: evidence.stream.scenario) }
        }
        return evidence.opening.verifies(with: String(Self.url(beacon).dropLast(id.text.count)))
            && evidence.told.contains { $0.holds(id.text) }
            && evidence.told.contains { $0.holds("\"\(id.key)\"") && (try? JSONReader.read($0)) != nil }
    }

    /// Why the session did not send a beacon that it has as `known`; nil without a reason, and a reason without a name. What
    /// was observed, because there was no journal, is explained under every name.
    private func explanation(_ known: [SessionViews.View], _ evidence: Evidence) -> SkipReason?? {
        if evidence.hasObserved, known.contains(where: { $0.state == .observed || $0.reason == .observeMode }) {
            return .some(.observeMode)
        }
        guard let last = known.last,
            known.allSatisfy({ $0.isExplained || evidence.hasObserved && $0.reason == .duplicate })
        else { return nil }
        return .some(last.reason)
    }

    /// Arrivals are counted, and an airing that was not played may have taken the one of this airing: the session then has it as
    /// not sent, and this one as sent.
    private mutating func isDeliveryOfAnother(_ beacon: PlannedBeacon, _ views: SessionViews, _ evidence: Evidence)
        -> Bool
    {
        let url = Self.url(beacon)
        guard views.of(beacon.atMs, url, evidence).contains(where: \.state.isSent),
            let unsent = delivered[url]?.firstIndex(where: { airing in
                let known = views.of(airing, url, evidence)
                return !known.isEmpty && !known.contains(where: \.state.wasClaimed)
            })
        else { return false }
        delivered[url]?[unsent] = beacon.atMs
        return true
    }

    /// An event that was only observed may have been taken for the next airing since, where ids and starts change.
    private func observed(_ beacon: PlannedBeacon, _ views: SessionViews, _ evidence: Evidence) -> SkipReason?? {
        let known = views.of(beacon.atMs, Self.url(beacon), within: Self.identityReach)
        return evidence.hasObserved && known.contains { $0.state == .observed } ? .some(.observeMode) : nil
    }

    private func wasClaimedOtherwise(_ beacon: PlannedBeacon, _ views: SessionViews, _ evidence: Evidence) -> Bool {
        let shift = evidence.stream.scenario.shift.inMilliseconds
        let planned = Set(
            evidence.stream.plan(
                session: evidence.session, fromMs: beacon.atMs - Int(shift), toMs: beacon.atMs + Int(shift) + 1,
                joins: false
            ).map(Self.url))
        return views.claimed.contains { claimed in
            claimed.event == beacon.event && abs(claimed.start.milliseconds - Int64(beacon.atMs)) <= shift
                && !planned.contains(claimed.url)
        }
    }

    private func wasPlayed(_ date: UnixTime, _ snapshot: Snapshot) -> Bool {
        snapshot.playedRanges.contains {
            $0.lowerBound + Self.tolerance < date && date < $0.upperBound - Self.tolerance
        }
    }
}
