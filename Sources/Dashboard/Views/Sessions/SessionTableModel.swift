import AdTracking
import Ports
import Screen
import Session

/// The rows of the table: the sessions that match the filter, in order.
struct SessionTableModel: Sendable {
    /// One session and its place in the list.
    struct Row: Sendable {
        let index: Int
        let health: SessionHealth
        /// Time since the last good answer; nil where none is known, and of what is complete or has ended, which is not polled.
        let age: Duration?
        /// The same as in the header of the session.
        let verdict: Verdict
        /// Its worst problem in words.
        let why: String

        var name: String { health.name }
        /// How far behind the clock it plays. What is played on demand has no live edge, and dates ahead of the clock tell nothing.
        var latency: Duration? { health.kind == .vod ? nil : health.latency.flatMap { $0 < .zero ? nil : $0 } }
        /// The greatest delay of a beacon; nil before the first.
        var late: Duration? { health.deliveries.lateness.count > 0 ? health.deliveries.worstLateness : nil }
        var beacons: SessionHealth.Beacons { verdict.beacons }
    }

    /// All rows, also those scrolled away.
    private(set) var rows: [Row] = []
    /// The row under the cursor.
    private(set) var selectedRow = 0
    /// The number of all sessions, whatever the filter.
    private(set) var count = 0
    private(set) var beacons = SessionHealth.Beacons()
    private(set) var signs: [StateSign: Int] = [:]
    private(set) var firing = 0
    /// Whether sessions send beacons, and all of those only to collectors on this machine.
    var firesLocally: Bool { firing > 0 && firing == firingLocally }
    private var firingLocally = 0
    /// Sessions with findings that are errors.
    private(set) var withErrors = 0
    /// The most beacons that a session sent in five seconds of the last minute.
    private(set) var busiest = 0
    /// Columns of the longest texts; of names as far as they are shown.
    private(set) var longest = SessionColumns.Longest()

    /// The filter and the order of the rows; nil before they were made.
    private var filter: String?
    private var sort = SessionColumn.problem
    private var isReversed = false

    init() {}

    /// The rows of `sessions` as `state` wants them.
    init(_ sessions: [SessionHealth], _ state: SessionTablePane, now: Moment) {
        count = sessions.count
        (filter, sort, isReversed) = (state.filter, state.sort, state.isReversed)
        let words = TextFilter(state.filter)
        rows.reserveCapacity(sessions.count)
        for (index, health) in sessions.enumerated() {
            let verdict = Verdict(health)
            let isPolled = health.kind != .vod && health.phase != .ended
            let row = Row(
                index: index, health: health, age: isPolled ? health.pollAge(at: now) : nil, verdict: verdict,
                why: Row.why(verdict, health))
            withErrors += (health.findings[.error] ?? 0) > 0 ? 1 : 0
            beacons = beacons + row.beacons
            busiest = max(busiest, health.recent.minute.max() ?? 0)
            signs[row.sign, default: 0] += 1
            longest.name = max(longest.name, SafeText(outside: health.name, columns: SessionColumns.nameLimit).columns)
            longest.findings = max(longest.findings, SessionTableRows.findings(health.findings).columns)
            firing += health.mode == .fire ? 1 : 0
            firingLocally += health.mode == .fire && health.sendsToLoopbackOnly ? 1 : 0
            let texts = [health.name, health.mediaURL, row.word, row.why]
            if words.passes(anyOf: texts) { rows.append(row) }
        }
        // The list is in its own order already.
        if state.sort != .number { rows.sort { state.sort.places($0, before: $1) } }
        if state.isReversed { rows.reverse() }
        select(state.selection.flatMap { name in rows.firstIndex { $0.name == name } } ?? state.lastRow)
    }

    /// Whether the rows are under the filter and in the order that `state` wants.
    func fits(_ state: SessionTablePane) -> Bool {
        filter == state.filter && sort == state.sort && isReversed == state.isReversed
    }

    /// Moves the cursor, clamped to the rows.
    mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    /// The session under the cursor, nil while there are none.
    var selected: Row? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }
}

extension SessionTableModel.Row {
    /// The sign of the session's state.
    var sign: StateSign { health.stateSign }
    /// The word beside the sign.
    var word: String { health.stateWord }
}

extension SessionHealth {
    /// The sign of the session's state.
    var stateSign: StateSign {
        switch phase {
        case .starting: .idle
        case .failing, .over: .failed
        case .ended: .off
        case .running: playhead == .stalled ? .retry : isOnAir ? .onAir : .done
        }
    }

    /// The word beside the sign.
    var stateWord: String {
        switch phase {
        case .starting: "starting"
        case .failing: "failing"
        case .ended: "ended"
        case .over: "over"
        case .running:
            switch playhead {
            case .stalled: "stalled"
            case .paused: "paused"
            case .idle, .playing, .interstitial, .ended: isOnAir ? "on air" : kind.rawValue
            }
        }
    }
}

extension SessionColumn {
    /// The words for the order.
    var orderName: SafeText {
        switch self {
        case .number: "list"
        case .problem: "worst first"
        default: "by " + title
        }
    }

    /// Names in ascending order, all other columns with what needs attention first; the list's order for equal values.
    func places(_ left: SessionTableModel.Row, before right: SessionTableModel.Row) -> Bool {
        switch self {
        case .number: break
        case .problem:
            let (first, second) = (left.verdict.urgency, right.verdict.urgency)
            if first != second { return first > second }
        case .name: if left.name != right.name { return NaturalOrder.precedes(left.name, right.name) }
        case .state: if left.sign != right.sign { return left.sign.urgency > right.sign.urgency }
        default:
            let (first, second) = (value(of: left), value(of: right))
            if first != second { return first > second }
        }
        return left.index < right.index
    }

    /// What a minute of the last hour weighs: one that failed more than an hour of late ones.
    private static func weight(of outcome: MinuteOutcome) -> Int64 {
        switch outcome {
        case .failed: 10_000
        case .unknown: 100
        case .late: 1
        case .quiet, .notSent, .observed, .acknowledged: 0
        }
    }

    /// The value that is compared, which is the one that is shown; unknown values come last.
    private func value(of row: SessionTableModel.Row) -> Int64 {
        switch self {
        case .number, .name, .state, .problem: 0
        case .latency: row.latency?.inMicroseconds ?? .min
        case .breaks: Int64(row.health.breaks)
        case .ads: Int64(row.health.ads)
        case .due: Int64(row.beacons.due)
        case .sent: Int64(row.beacons.sent)
        case .acknowledged: Int64(row.beacons.acknowledged)
        case .failed: Int64(row.beacons.failed)
        case .unknown: Int64(row.beacons.unknown)
        case .late: row.late?.inMicroseconds ?? .min
        case .age: row.age?.inMicroseconds ?? .min
        case .minute: Int64(row.health.recent.minute.reduce(0, +))
        case .hour: row.health.recent.hour.reduce(0) { $0 + Self.weight(of: $1) }
        case .findings:
            Int64(row.health.findings[.error] ?? 0) * 1_000_000 + Int64(row.health.findings[.warning] ?? 0)
        }
    }
}
