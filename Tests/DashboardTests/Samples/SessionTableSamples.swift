import AdTracking
import Ports
import Screen

@testable import Dashboard
@testable import Session

/// The sessions of a table: every state, long names, hostile text.
enum SessionTableSamples {
    static let now = SnapshotSamples.now

    /// A healthy session; `number` makes its figures differ from the others'.
    static func session(_ name: String, _ number: Int, mode: ReportingMode = .fire) -> SessionHealth {
        var health = SessionHealth(
            at: now, name: name, mediaURL: "https://cdn.example.net/live/\(name)/master.m3u8?sid=7f3a91c2",
            phase: .running,
            mode: mode, kind: .live, playhead: .playing, latency: .milliseconds(6_200 + 130 * number), isOnAir: false,
            breaks: 3, ads: 9, playlist: feed(age: .milliseconds(800 + 210 * (number % 5)), took: 38),
            metadata: feed(age: .milliseconds(1_100 + 530 * (number % 6)), took: 51), events: [.done: 40, .idle: 39],
            counters: Counters(), deliveries: DeliveryTally(), findings: [:])
        health.counters.beaconsSent = 40 + number
        health.counters.beaconsAcknowledged = 40 + number
        health.deliveries.note(late: .milliseconds(40 + 7 * number))
        health.recent.hour = hour(of: number, mode)
        health.recent.minute = (0..<12).map { mode == .fire && ($0 + number) % 4 == 0 ? 1 + number % 3 : 0 }
        return health
    }

    /// A break every eight minutes.
    private static func hour(of number: Int, _ mode: ReportingMode) -> [MinuteOutcome] {
        (0..<60).map { minute in
            switch (minute + number) % 8 {
            case 0: mode == .observe ? .observed : number == 2 && minute > 30 ? .failed : .acknowledged
            case 1: number == 3 && minute < 20 ? .late : .quiet
            default: minute < 10 && number == 1 ? .notSent : .quiet
            }
        }
    }

    private static func feed(age: Duration, took: Int) -> FeedHealth {
        FeedHealth(
            state: .good, status: 200, took: .milliseconds(took), bytes: 2_100,
            lastGoodAt: now.advanced(by: .zero - age),
            consecutiveFailures: 0)
    }

    /// One session of each kind.
    static let some: [SessionHealth] = {
        var all = [session("ch7", 0), session("ch8", 1), session("ch9-north", 2), session("sport", 3)]
        all[1].isOnAir = true
        all[1].breaks = 12
        all[2].counters.beaconsFailed = 3
        all[2].counters.beaconsAcknowledged = 39
        all[2].counters.beaconsSent = 45
        all[2].counters.retries = 3
        all[2].findings = [.error: 2, .warning: 14]
        all[2].latestError = ErrorView(
            kind: .beacon, at: now.advanced(by: .seconds(-75)),
            message: "beacon midpoint B2/A1 503 212ms: failed after 3 tries")
        all[2].recent.failure = FailedBeacon(
            event: "midpoint", host: "t.example.com", status: 503, at: now.advanced(by: .seconds(-75)))
        var failing = session("news", 4)
        failing.phase = .failing
        failing.playlist.state = .failing
        failing.playlist.status = 503
        failing.playlist.consecutiveFailures = 7
        failing.playlist.lastGoodAt = now.advanced(by: .seconds(-42))
        failing.playlist.problem = "answered 503"
        failing.findings = [.error: 1]
        var starting = session("movies", 5)
        starting.phase = .starting
        starting.kind = .unknown
        starting.latency = nil
        starting.playlist = FeedHealth(state: .waiting, consecutiveFailures: 0)
        starting.metadata = .none
        (starting.breaks, starting.ads) = (0, 0)
        starting.counters = Counters()
        starting.deliveries = DeliveryTally()
        starting.recent.hour = Array(repeating: .quiet, count: 60)
        starting.recent.minute = Array(repeating: 0, count: 12)
        var observed = session("a-name-that-is-longer-than-any-column", 6, mode: .observe)
        observed.counters = Counters()
        for _ in 0..<17 { observed.deliveries.note(.observed, host: "t.example") }
        observed.events = [.observed: 17, .unknown: 2]
        observed.counters.earlierUnknown = 2
        observed.deliveries.note(late: .milliseconds(1_900))
        var ended = session("vod-4411", 7)
        ended.phase = .ended
        ended.kind = .vod
        ended.latency = nil
        ended.recent.minute = Array(repeating: 0, count: 12)
        var stalled = session("late-night", 8)
        stalled.playhead = .stalled
        stalled.metadata.lastGoodAt = now.advanced(by: .seconds(-93))
        var hostile = session("evil\u{1B}[31m\u{202E}name", 9)
        hostile.latestError = ErrorView(kind: .network, at: now, message: "\u{1B}]0;owned\u{07}404")
        all += [failing, starting, observed, ended, stalled, hostile]
        return all
    }()

    /// The log of the sessions of ``some``, the oldest line first.
    static let log: LogView = {
        let lines: [(String, LogLevel, String)] = [
            (
                "ch7", .info,
                "session opened with GET: manifest http://127.0.0.1:8080/ch7.m3u8, metadata http://127.0.0.1:8080/metadata?sessid=1"
            ),
            ("movies", .debug, "auction 1: 3 bidders asked"),
            ("vod-4411", .info, "playlist: vod, 240 segments, target duration 6.0s"),
            ("ch9-north", .warning, "beacon midpoint B2/A1 503 198ms try 2 retry in 1.0s"),
            ("a-name-that-is-longer-than-any-column", .info, "break B9 started 60.0s 4 ads"),
            ("ch9-north", .error, "beacon midpoint B2/A1 503 212ms: failed after 3 tries"),
            ("news", .error, "metadata: answered 404, next try in 4.0s"),
            ("evil\u{1B}[31m\u{202E}name", .warning, "\u{1B}]0;owned\u{07}404"),
            ("ch8", .info, "beacon firstQuartile B1/A2 204 37ms"),
        ]
        var log = LogView(capacity: 100)
        for (number, line) in lines.enumerated() {
            log.append(
                LogEntry(
                    number: number, at: now.advanced(by: .seconds(number - lines.count)), level: line.1,
                    message: line.2, session: line.0))
        }
        return log
    }()

    /// Five hundred sessions, every fiftieth failing.
    static let many: [SessionHealth] = (0..<500).map { number in
        var health = session("load-\(String(1_001 + number).dropFirst())", number % 40)
        guard number % 50 == 49 else { return health }
        health.phase = .failing
        health.metadata.state = .failing
        health.metadata.problem = "answered 404"
        health.counters.beaconsFailed = number
        return health
    }
}

/// A table in a given situation, reached by events as a user would.
struct SessionTableSample: ClickedSample {
    var state: DashboardState
    var sessions: [SessionHealth]
    var log: LogView
    /// The session that is opened; while the table is shown it is not the dashboard's concern.
    var snapshot: Snapshot
    var now = SessionTableSamples.now
    var effects: [DashboardEffect] = []

    init(
        _ sessions: [SessionHealth], _ columns: Int, _ rows: Int, isASCII: Bool = false,
        log: LogView = SessionTableSamples.log, snapshot: Snapshot = SnapshotSamples.midBreak,
        sort: SessionColumn = .number
    ) {
        var settings = DashboardState.Settings()
        settings.version = "0.1"
        settings.isASCII = isASCII
        settings.themes = ["default", "midnight", "mono"]
        settings.table = .sessions
        state = DashboardState(size: Size(columns: columns, rows: rows), settings: settings)
        state.views.sessions.sort = sort
        self.sessions = sessions
        self.log = log
        self.snapshot = snapshot
        refresh()
    }

    mutating func send(_ event: DashboardEvent) {
        effects = state.update(event, snapshot: snapshot, now: now)
    }

    /// The sessions are read again.
    mutating func refresh() { send(.sessionsRead(view)) }

    /// Keys in the notation of `--keys`.
    mutating func press(_ keys: String) throws {
        var all: [DashboardEffect] = []
        for key in try KeySequence.parse(keys) {
            send(.input(.key(key)))
            all += effects
        }
        effects = all
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { send(.input(.key(KeyPress(.char(scalar))))) }
    }

    var view: SessionsView { SessionsView(sessions, log: log) }
    var frame: Frame { Renderer.frame(snapshot, state, now: now) }
    var rows: SessionTablePane { state.views.sessions }
    var names: [String] { rows.model.rows.map(\.health.name) }
}
