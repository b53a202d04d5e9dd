import Monitoring
import Ports
import Screen
import TestSupport
import Testing
import Themes

@testable import Dashboard

/// Whole screens and single panes against files that were read by a person.
@Suite struct DashboardGoldenTests {
    private static let sizes: [(Int, Int)] = [(80, 24), (120, 40), (200, 60), (40, 8)]

    private func failureSelected(_ columns: Int, _ rows: Int, isASCII: Bool = false) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows, isASCII: isASCII)
        try sample.press("!")
        return sample
    }

    @Test("a break on air with a failed beacon selected", arguments: sizes + [(60, 20), (39, 7), (20, 5)])
    func midBreak(_ columns: Int, _ rows: Int) throws {
        expectGolden("mid-break", try failureSelected(columns, rows).frame.grid)
    }

    @Test("the same in ASCII", arguments: [(80, 24), (120, 40)])
    func ascii(_ columns: Int, _ rows: Int) throws {
        expectGolden("mid-break-ascii", try failureSelected(columns, rows, isASCII: true).frame.grid)
    }

    @Test("every pane alone", arguments: Pane.allCases)
    func pane(_ pane: Pane) throws {
        for (columns, rows) in Self.sizes {
            let sample = try failureSelected(columns, rows)
            expectGolden("pane-\(pane.rawValue)", Renderer.pane(pane, sample.snapshot, sample.state, now: sample.now))
        }
    }

    @Test("the playlist in the main place, its cursor at the playhead", arguments: sizes + [(60, 20), (20, 5)])
    func playlist(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("6")
        expectGolden("playlist", sample.frame.grid)
    }

    @Test(
        "the creative cache: empty, full, with refused requests, with kept zones",
        arguments: [(80, 24), (120, 40), (200, 60)])
    func cache(_ columns: Int, _ rows: Int) throws {
        let samples = [
            ("cache-empty", CacheSamples.empty), ("cache", CacheSamples.full), ("cache-refused", CacheSamples.refused),
            ("cache-zones", CacheSamples.withZones),
        ]
        for (name, snapshot) in samples {
            var sample = DashboardSample(snapshot, columns, rows)
            try sample.press("0")
            expectGolden(name, sample.frame.grid)
        }
    }

    @Test("a marker of the playlist with its message", arguments: [(80, 24), (200, 60)])
    func marker(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("6 }", every: .zero)
        expectGolden("playlist-marker", sample.frame.grid)
    }

    @Test("parts of a low-latency playlist in ASCII") func lowLatency() throws {
        var sample = DashboardSample(SnapshotSamples.lowLatency, 120, 40, isASCII: true)
        try sample.press("6")
        expectGolden("playlist-parts-ascii", sample.frame.grid)
    }

    @Test("the creative of the ad under the cursor", arguments: sizes + [(60, 20), (20, 5)])
    func creative(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.decided, columns, rows)
        try sample.press("! 7 j j j j j j", every: .zero)
        expectGolden("creative", sample.frame.grid)
    }

    @Test("an ad that was not found, in ASCII") func noAd() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 120, 40, isASCII: true)
        try sample.press("! 7 h G k", every: .zero)
        expectGolden("creative-failed-ascii", sample.frame.grid)
    }

    @Test("the answer of an ad server searched") func answer() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 120, 40)
        try sample.press("! 7 j j j j j j 2 + /")
        sample.type("mediafile")
        try sample.press("Enter n")
        expectGolden("creative-search", sample.frame.grid)
    }

    @Test("a break told by the metadata and by a marker", arguments: [(80, 24), (120, 40)])
    func joined(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.joined, columns, rows)
        try sample.press("! h h h h", every: .zero)
        expectGolden("joined-break", sample.frame.grid)
    }

    @Test("before anything is answered") func starting() {
        expectGolden("starting", DashboardSample(SnapshotSamples.starting, 80, 24).frame.grid)
    }

    @Test("before the first break") func preRoll() {
        expectGolden("pre-roll", DashboardSample(SnapshotSamples.preRoll, 120, 40).frame.grid)
    }

    @Test("feeds that fail are named in every class", arguments: [(120, 40), (40, 8)])
    func failing(_ columns: Int, _ rows: Int) {
        expectGolden("failing", DashboardSample(SnapshotSamples.failing, columns, rows).frame.grid)
    }

    @Test("a frozen display says since when") func frozen() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("Z")
        sample.now = sample.now.advanced(by: .seconds(75))
        expectGolden("frozen", sample.frame.grid)
    }

    @Test("a filter while it is typed") func filter() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("/")
        sample.type("quartile")
        expectGolden("filter", sample.frame.grid)
    }

    @Test("help over the panes", arguments: [(80, 24), (120, 40)])
    func help(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("?")
        expectGolden("help", sample.frame.grid)
        try sample.press("G")
        expectGolden("help-end", sample.frame.grid)
    }

    @Test("no line of the help is cut", arguments: [24, 38, 76, 96])
    func helpWidth(_ width: Int) throws {
        let sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let context = ViewContext(sample.snapshot, sample.state, now: sample.now)
        let lines = HelpPane.lines(context, width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        let text = lines.map(\.string).joined().filter { $0 != " " }
        let summaries = CommandSpec.all.map(\.summary) + CacheKey.allCases.map(\.summary) + Action.table.map(\.summary)
        for summary in summaries { #expect(text.contains(summary.string.filter { $0 != " " })) }
        for sign in StateSign.allCases {
            #expect(lines.contains { $0.string.contains(context.badge(sign).string) })
        }
    }

    @Test("the command line with completions and with an error") func commandLine() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press(":")
        sample.type("theme ")
        try sample.press("Tab Tab")
        expectGolden("command-completion", sample.frame.grid)
        try sample.press("C-u")
        sample.type("seek tomorrow")
        try sample.press("Enter")
        expectGolden("command-error", sample.frame.grid)
    }

    @Test("the question before arming", arguments: [(80, 24), (40, 8)])
    func confirm(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.observing, columns, rows)
        try sample.press(":")
        sample.type("arm")
        try sample.press("Enter")
        expectGolden("confirm", sample.frame.grid)
    }

    @Test("observe mode") func observing() {
        expectGolden("observing", DashboardSample(SnapshotSamples.observing, 80, 24).frame.grid)
    }

    @Test("a stream without ad metadata") func plain() {
        expectGolden("plain", DashboardSample(SnapshotSamples.plain, 80, 24).frame.grid)
    }

    @Test("200 breaks") func many() {
        expectGolden("many", DashboardSample(SnapshotSamples.many, 80, 24).frame.grid)
    }

    @Test("text from hostile hands keeps every column in its place", arguments: [(80, 24), (120, 40)])
    func hostile(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.hostile, columns, rows)
        try sample.press("!")
        expectGolden("hostile", sample.frame.grid)
    }

    @Test("a toast above the footer") func toast() {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        sample.send(.noticed("mute sent for B2/A2 204 37ms", isGood: true))
        expectGolden("toast", sample.frame.grid)
    }

    @Test("a zoomed pane") func zoomed() throws {
        var sample = DashboardSample(SnapshotSamples.ended, 80, 24)
        try sample.press("5 5")
        expectGolden("zoomed-session", sample.frame.grid)
    }

    @Test("each theme once in ANSI", arguments: BuiltInTheme.allCases)
    func theme(_ name: BuiltInTheme) throws {
        let theme = try #require(try ThemeResolver.builtIn(name.rawValue))
        let grid = try failureSelected(120, 40).frame.grid
        let outcome = GoldenComparer().compare(
            ANSIWriter.text(of: grid, palette: theme.palette(at: .indexed256)),
            with: "dashboard/theme-\(name.rawValue).120x40.ansi")
        if let failure = outcome.failure { Issue.record(Comment(rawValue: failure)) }
    }
}
