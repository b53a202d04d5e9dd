import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The first row of the dashboard.
@Suite struct HeaderPaneTests {
    struct Mode: Sendable {
        var mode = ReportingMode.fire
        var retry: RetrySetting?
        var long: String
        var short: String
        var lacksJournal = false
        var isHeldElsewhere = false
    }

    @Test(
        "a retry setting that can send a beacon twice, or drops one, is part of the mode in every width",
        arguments: [
            Mode(retry: nil, long: " FIRE ", short: "FIRE"), Mode(retry: .safe, long: " FIRE ", short: "FIRE"),
            Mode(retry: .standard, long: " FIRE retry standard ", short: "FIRE standard"),
            Mode(retry: .never, long: " FIRE retry never ", short: "FIRE never"),
            Mode(mode: .observe, retry: .standard, long: "OBSERVE", short: "OBSERVE"),
            Mode(mode: .observe, long: "OBSERVE · no journal", short: "OBSERVE · no journal", lacksJournal: true),
            Mode(
                mode: .observe, long: "OBSERVE · held elsewhere", short: "OBSERVE · held elsewhere", lacksJournal: true,
                isHeldElsewhere: true),
        ])
    func mode(_ row: Mode) {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.mode = row.mode
        snapshot.session.retry = row.retry
        snapshot.session.lacksJournal = row.lacksJournal
        snapshot.session.isHeldElsewhere = row.isHeldElsewhere
        let sample = DashboardSample(snapshot, 80, 24)
        let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
        #expect(header.fitted(columns: 300).right.string.contains(row.long))
        // In few columns the long form goes first, and the short one never.
        let (_, right) = header.fitted(columns: 40)
        let words = "  " + right.string + "  "
        #expect(words.contains("  " + row.short + "  "), "\(right.string)")
    }

    @Test("a session that is over is not live once everything it listed has been played")
    func over() {
        func right(_ snapshot: Snapshot) -> String {
            let sample = DashboardSample(snapshot, 200, 60)
            return HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: 200).right
                .string
        }
        var snapshot = SnapshotSamples.over
        #expect(right(snapshot).contains("LIVE") && right(snapshot).contains("behind"))
        snapshot.playhead.state = .stalled
        snapshot.playhead.isAdvancing = false
        #expect(!right(snapshot).contains("LIVE") && !right(snapshot).contains("behind"), "\(right(snapshot))")
    }

    @Test("a service is named with how reporting is divided, as far as there is room")
    func service() {
        func right(_ service: ServiceView?, columns: Int) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.session.provider = "acme"
            snapshot.session.service = service
            let sample = DashboardSample(snapshot, 80, 24)
            return HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: columns).right
                .string
        }
        let hybrid = ServiceView(mode: "hybrid", reporter: .both)
        #expect(right(hybrid, columns: 300).contains("acme hybrid"))
        #expect(!right(hybrid, columns: 40).contains("hybrid"))
        // The name outlasts the mode that is usual, and a warning the name.
        let client = ServiceView(mode: "client"), widths = 30...118
        #expect(widths.contains { right(client, columns: $0).contains("acme  ") })
        #expect(widths.allSatisfy { !right(client, columns: $0).contains("  client") })
        #expect(widths.contains { right(hybrid, columns: $0).contains("  hybrid") })
        #expect(!right(ServiceView(), columns: 300).contains("acme"))
        #expect(right(nil, columns: 300) == right(ServiceView(), columns: 300))
    }

    /// A warning is worth more than the clock, and the usual mode less than what the beacons were of.
    @Test(
        "that another party reports stays where the words of the verdict can be shorter",
        arguments: [(.viewer, false), (.both, true), (.service, true)] as [(ProviderStatus.Reporter, Bool)])
    func reporter(_ reporter: ProviderStatus.Reporter, stays: Bool) {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "uplynk-pings"
        snapshot.session.service = ServiceView(mode: "shared", reporter: reporter)
        Self.sent(&snapshot, 27)
        (snapshot.counters.adSpaceBeacons, snapshot.counters.pings) = (2, 25)
        var sample = DashboardSample(snapshot, 80, 24)
        sample.state.settings.sessions = []
        let row = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: 76)
        #expect(row.right.string.contains("shared") == stays, "\(row.right.string)")
        #expect(row.left.string.hasSuffix("✓ 27 sent (pings, ad spaces)"), "\(row.left.string)")
    }

    @Test("at 80 columns a failure mark leaves the provider where it is, and its mode where the name is short")
    func providerBesideFailures() {
        func row(_ name: String, sent: Int, failed: Int, warnings: Int = 0, unknown: Int = 0) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.session.name = name
            snapshot.session.sendsToLoopbackOnly = true
            snapshot.session.service = ServiceView(mode: "client")
            Self.sent(&snapshot, sent, failed: failed)
            snapshot.counters.beaconsUnknown = unknown
            let finding = Finding(rule: "L57", severity: .warning, message: "m")
            let view = FindingView(
                finding: finding, count: 1, first: SnapshotSamples.now, last: SnapshotSamples.now)
            snapshot.findings = Array(repeating: view, count: warnings)
            var sample = DashboardSample(snapshot, 80, 24)
            sample.state.settings.sessions = []
            let (left, right) = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(
                columns: 78)
            return left.string + "|" + right.string
        }
        let long = row("flaky-trackers", sent: 1_059, failed: 12)
        #expect(long == "flaky-trackers  ✗ 12 failed|LIVE  6.2 s  harmonic   FIRE local   12:41:18Z")
        let short = row("rush", sent: 59, failed: 3)
        #expect(short == "rush  ✗ 3 failed  59 sent|LIVE  6.2 s  harmonic client  FIRE local  12:41:18Z")
        let worse = row("flaky-trackers", sent: 59, failed: 3, warnings: 2, unknown: 3)
        #expect(worse == "flaky-trackers  ✗ 3 failed  ? 3 unknown  ⚠2|LIVE  6.2 s  harmonic  FIRE local")
    }

    struct Words: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout Snapshot) -> Void
        /// The row at these numbers of columns.
        var expected: [Int: String]
    }

    private static func sent(_ snapshot: inout Snapshot, _ sent: Int, due: Int? = nil, failed: Int = 0, late: Int = 0) {
        snapshot.counters.beaconsSent = sent
        snapshot.counters.beaconsAcknowledged = sent - failed
        snapshot.counters.beaconsFailed = failed
        snapshot.counters.retries = 0
        snapshot.counters.late = late
        for _ in sent..<(due ?? sent) { snapshot.deliveries.note(.skipped, host: "t.example") }
    }

    /// `INSECURE` is red in each theme that has red, and stands out in the others.
    @Test(
        arguments: [
            ("default", .ansi(.red)), ("midnight", .ansi(.red)), ("paper", .ansi(.red)),
            ("high-contrast", .ansi(.brightRed)), ("colorblind", .ansi(.yellow)), ("mono", nil),
        ] as [(String, Color?)], [(80, 24), (120, 40)])
    func insecureIsRed(_ theme: (name: String, background: Color?), _ size: (Int, Int)) throws {
        var sample = DashboardSample(SnapshotSamples.observing, size.0, size.1)
        sample.state.settings.isInsecure = true
        let grid = sample.frame.grid
        let row = try #require(TextWriter.rows(of: grid).first)
        let start = try #require(row.firstRange(of: "INSECURE")?.lowerBound, "\(row)")
        let point = Point(x: row.distance(from: row.startIndex, to: start), y: 0)
        let style = try #require(try ThemeResolver.builtIn(theme.name)).palette(at: .ansi16).style(of: grid[point])
        #expect(style.background == (theme.background ?? style.background), "\(style)")
        #expect(theme.background != nil || style.attributes.contains(.reverse), "\(style)")
    }

    private static let verdicts: [Words] = [
        Words(
            testDescription: "all is well", change: { sent(&$0, 31) },
            expected: [
                78: "ch7 live [1/2]  ✓ all 31 due beacons sent|LIVE  6.2 s behind  FIRE  12:41:18Z",
                118: "ch7 live@cdn.example.net [1/2]  ✓ all 31 due beacons sent|LIVE  6.2 s behind   FIRE   12:41:18Z",
                58: "ch7 live [1/2]  ✓ 31 sent|LIVE  6.2 s   FIRE   12:41:18Z",
            ]),
        Words(
            testDescription: "what failed comes first and stays longest",
            change: {
                sent(&$0, 31, failed: 3, late: 12)
                $0.findings = ([.error, .error, .warning, .warning] as [Severity]).map { severity in
                    let finding = Finding(rule: "L13", severity: severity, message: "m")
                    return FindingView(
                        finding: finding, count: 1, first: SnapshotSamples.now, last: SnapshotSamples.now)
                }
            },
            expected: [
                118: "ch7 live [1/2]  ✗ 3 beacons failed  ⚠ 4 findings (2 errors)  31 sent · 12 late"
                    + "|LIVE  6.2 s behind   FIRE   12:41:18Z",
                78: "ch7 live [1/2]  ✗ 3 beacons failed  ⚠ 4 findings|LIVE  6.2 s  FIRE  12:41:18Z",
                40: "ch7 live  ✗ 3 failed  ⚠4|LIVE   FIRE ",
            ]),
        Words(
            testDescription: "observing",
            change: {
                sent(&$0, 0)
                $0.session.mode = .observe
                for _ in 0..<31 { $0.deliveries.note(.observed, host: "t.example") }
            },
            expected: [
                118: "ch7 live@cdn.example.net [1/2]  ✓ 31 due, none sent (observe)"
                    + "|LIVE  6.2 s behind  OBSERVE  12:41:18Z",
                78: "ch7 live [1/2]  ✓ 31 due, none sent|LIVE  6.2 s behind  OBSERVE  12:41:18Z",
            ]),
        Words(
            testDescription: "beacons that were due and not sent are no success", change: { sent(&$0, 9, due: 12) },
            expected: [78: "ch7 live [1/2]  9 of 12 sent|LIVE  6.2 s behind   FIRE   12:41:18Z"]),
        Words(
            testDescription: "a VOD stream has no latency",
            change: {
                sent(&$0, 31)
                $0.playlist.kind = .vod
            }, expected: [78: "ch7 live [1/2]  ✓ all 31 due beacons sent|VOD   FIRE   12:41:18Z"]),
        Words(
            testDescription: "thousands are separated, one is not plural",
            change: { sent(&$0, 12_345, failed: 1) },
            expected: [
                118: "ch7 live@cdn.example.net [1/2]  ✗ 1 beacon failed  12,345 sent"
                    + "|LIVE  6.2 s behind   FIRE   12:41:18Z"
            ]),
    ]

    @Test("the first words are the verdict, in words as long as there is room", arguments: verdicts)
    func verdict(_ row: Words) {
        var snapshot = SnapshotSamples.midBreak
        row.change(&snapshot)
        let sample = DashboardSample(snapshot, 80, 24)
        let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
        for (columns, expected) in row.expected {
            let (left, right) = header.fitted(columns: columns)
            #expect(left.string + "|" + right.string == expected, "\(columns)")
        }
    }

    @Test("a name is whole where words of the others can be shorter, and its end stays where it cannot be")
    func longNames() {
        func left(_ name: String, columns: Int) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.session.name = name
            Self.sent(&snapshot, 9)
            snapshot.counters.beaconsUnknown = 1
            var sample = DashboardSample(snapshot, 80, 24)
            sample.state.settings.sessions = []
            let frame = FrameContext(snapshot, sample.state, now: sample.now)
            return HeaderPane.row(frame).fitted(columns: columns).left.string
        }
        #expect(left("slow-trackers", columns: 78).hasPrefix("slow-trackers"))
        #expect(left("mediatailor-server", columns: 78).hasPrefix("mediatailor-server"))
        #expect(left("sports-hd-1-primary", columns: 60).contains(#/^sports-.*…\w*ary /#))
        #expect(!left("sports-hd-1-primary", columns: 40).contains("primary"))
    }

    @Test(
        "beacons that were not of ads of the stream are named",
        arguments: [
            (2, 0, "✓ all 2 due beacons sent (ad spaces)"), (0, 9, "✓ all 9 due beacons sent (pings)"),
            (2, 7, "✓ all 9 due beacons sent (pings, ad spaces)"),
        ])
    func others(_ spaces: Int, _ pings: Int, _ expected: String) {
        var snapshot = SnapshotSamples.midBreak
        Self.sent(&snapshot, spaces + pings)
        (snapshot.counters.adSpaceBeacons, snapshot.counters.pings) = (spaces, pings)
        func left(_ columns: Int) -> String {
            let sample = DashboardSample(snapshot, 80, 24)
            return HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: columns).left
                .string
        }
        #expect(left(118).contains(expected), "\(left(118))")
        if pings == 0 {
            #expect(left(68).contains("✓ 2 sent (ad spaces)"), "\(left(68))")
            snapshot.counters.beaconsFailed = 1
            #expect(left(118).contains("2 sent (ad spaces)"), "\(left(118))")
        }
        // At 80 columns it says more than that there is no metadata.
        snapshot.counters.beaconsFailed = 0
        snapshot.session.name = "plain-cues"
        snapshot.session.metadataHealth = .none
        for index in snapshot.breaks.indices { snapshot.breaks[index].ads = [] }
        #expect(pings > 0 || left(78).contains("✓ 2 sent (ad spaces)"), "\(left(78))")
        snapshot.counters.beaconsSent += 1
        #expect(!left(118).contains("("), "one is of an ad: \(left(118))")
    }

    @Test("a ping that failed has its own word, while it is the newest and later", arguments: [1, 2])
    func failedPings(_ count: Int) {
        var snapshot = SnapshotSamples.midBreak
        (snapshot.counters.beaconsFailed, snapshot.counters.pingsFailed) = (count, count)
        snapshot.session.metadataHealth = FeedHealth(
            state: .failing, status: 503, consecutiveFailures: 1, problem: "answered 503")
        snapshot.session.metadataHealth.isPing = true
        func left(_ columns: Int) -> String {
            let sample = DashboardSample(snapshot, 80, 24)
            return HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: columns).left
                .string
        }
        let words = count == 1 ? "✗ 1 ping failed" : "✗ 2 pings failed"
        #expect(left(118).contains("✗ ping 503") && left(118).contains(words), "\(left(118))")
        #expect(!left(118).contains("metadata"), "\(left(118))")
        #expect(left(24).contains("ping"), "\(left(24))")
        snapshot.session.metadataHealth = FeedHealth(state: .good, status: 200, consecutiveFailures: 0)
        #expect(left(118).contains(words) && !left(118).contains("ping 503"), "\(left(118))")
        snapshot.counters.beaconsFailed += 1
        #expect(left(118).contains("✗ \(count + 1) beacons failed"), "one is of an ad: \(left(118))")
    }

    @Test("a high latency is marked, also where the playlist keeps its distance")
    func latency() {
        func role(_ change: (inout Snapshot) -> Void) -> Role? {
            var snapshot = SnapshotSamples.midBreak
            change(&snapshot)
            let sample = DashboardSample(snapshot, 120, 40)
            let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
            return header.fitted(columns: 118).right.segments.first { $0.text.string.contains("behind") }?.role
        }
        #expect(role { $0.playhead.latency = .seconds(20) } == .header)
        #expect(role { $0.playhead.latency = .seconds(223) } == .stateRetry)
        #expect(role { $0.playlist.kind = .vod } == nil)
    }

    @Test("dates ahead of the clock of this machine tell no latency")
    func aheadOfTheClock() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playhead.latency = .seconds(-3_594)
        let sample = DashboardSample(snapshot, 120, 40)
        let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now)).fitted(columns: 118).right
        #expect(header.string.contains(" s from edge") && !header.string.contains("behind"), "\(header.string)")
    }

    @Test("far behind the edge of a live stream, the way back is named")
    func wayBack() {
        func header(_ behindEdge: Duration) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.playhead.latency = .seconds(223)
            snapshot.playhead.behindEdge = behindEdge
            snapshot.playlist.holdBack = .seconds(6)
            let sample = DashboardSample(snapshot, 120, 40)
            let row = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
            return row.fitted(columns: 198).right.string
        }
        #expect(header(.seconds(220)).contains("behind  :seek live"))
        #expect(!header(.seconds(6)).contains(":seek"), "only the dates are old")
    }

    @Test("beacons that go to this machine only are part of the mode in every width")
    func local() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.sendsToLoopbackOnly = true
        let sample = DashboardSample(snapshot, 80, 24)
        let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
        #expect(header.fitted(columns: 118).right.string.contains(" FIRE local "))
        // The word alone would be that of a session that sends to public trackers.
        let short = header.fitted(columns: 37).right.string
        #expect(short.contains("LOCAL") && !short.contains("FIRE"), "\(short)")
        let tiny = TextWriter.rows(of: DashboardSample(snapshot, 39, 7).frame.grid)[0]
        #expect(tiny.contains("LOCAL") && !tiny.contains("FIRE"), "\(tiny)")
    }
}
