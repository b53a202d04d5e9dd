import Screen
import Session
import Testing

@testable import Dashboard

/// The whole screen, the panes of each view and single panes against files that were read by a person.
@Suite struct DashboardGoldenTests {
    private static let sizes: [(Int, Int)] = [(80, 24), (120, 40), (200, 60), (40, 8)]

    private func failureSelected(_ columns: Int, _ rows: Int, isASCII: Bool = false) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows, isASCII: isASCII)
        try sample.press("!")
        return sample
    }

    @Test("a break on air with a failed beacon selected", arguments: sizes + [(60, 20)])
    func midBreak(_ columns: Int, _ rows: Int) throws {
        expectGolden("mid-break", try failureSelected(columns, rows).frame.grid)
    }

    @Test("the same in ASCII", arguments: [(80, 24), (120, 40)])
    func ascii(_ columns: Int, _ rows: Int) throws {
        let sample = try failureSelected(columns, rows, isASCII: true)
        expectGolden("mid-break-ascii", sample.frame.grid, [sample.panes])
    }

    /// Panes that no golden of a view shows at every size.
    private static let besides: Set<Pane> = [.log, .summary, .session, .help]

    @Test("panes beside the views alone, as large as the screen", arguments: besides)
    func pane(_ pane: Pane) throws {
        // The help fills the largest screen; the others leave it empty, and show the same as at 120x40.
        for (columns, rows) in Self.sizes where columns != (pane == .help ? 120 : 200) {
            let sample = try failureSelected(columns, rows)
            expectGolden("pane-\(pane.rawValue)", Renderer.pane(pane, sample.snapshot, sample.state, now: sample.now))
        }
    }

    @Test("the other panes alone: header, timeline, and every view, those without content too") func panes() throws {
        let sample = try failureSelected(80, 24)
        let sections = Pane.ofSession.filter { !Self.besides.contains($0) }.map { pane in
            let grid = Renderer.pane(pane, sample.snapshot, sample.state, now: sample.now)
            return GoldenSection(title: pane.rawValue, grid: grid, parts: [grid.bounds])
        }
        expectGolden("panes", sample.state.size, sections)
    }

    @Test(
        "a stream that cannot be opened, and one that is being opened", arguments: [(80, 24), (120, 40), (40, 8)])
    func opening(_ columns: Int, _ rows: Int) throws {
        var waiting = SnapshotSamples.unopened
        waiting.session.opening?.problem = nil
        waiting.session.opening?.nextAttemptAt = nil
        waiting.session.opening?.requests.removeLast(2)
        waiting.session.opening?.requests[0].answer = nil
        let sections = [
            ("unopened", SnapshotSamples.unopened), ("opening", waiting), ("untrusted", SnapshotSamples.untrusted),
        ].map { title, snapshot in
            let sample = DashboardSample(snapshot, columns, rows)
            return GoldenSection(title: title, grid: sample.frame.grid, parts: [sample.panes])
        }
        expectGolden("opening", Size(columns: columns, rows: rows), sections)
    }

    @Test("the playlist in the main place, its cursor at the playhead", arguments: sizes)
    func playlist(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("6")
        expectGolden("playlist", sample.frame.grid, [sample.panes])
    }

    @Test("the creative cache", arguments: [(80, 24), (200, 60), (40, 8)])
    func cache(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(CacheSamples.full, columns, rows)
        try sample.press("0")
        expectGolden("cache", sample.frame.grid, [sample.panes])
    }

    @Test("the creative cache empty, with rejected requests, with saved zones", arguments: [(80, 24), (120, 40)])
    func caches(_ columns: Int, _ rows: Int) throws {
        var samples = [("empty", CacheSamples.empty), ("rejected", CacheSamples.refused)]
        // On 24 rows the creatives leave no room for zones; the picture would be that of `cache`.
        if rows > 24 { samples.append(("zones", CacheSamples.withZones)) }
        let sections = try samples.map { title, snapshot in
            var sample = DashboardSample(snapshot, columns, rows)
            try sample.press("0")
            return GoldenSection(title: title, grid: sample.frame.grid, parts: [sample.panes])
        }
        expectGolden("caches", Size(columns: columns, rows: rows), sections)
    }

    @Test("a marker of the playlist with its message", arguments: [(80, 24), (200, 60)])
    func marker(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("6 }", every: .zero)
        expectGolden("playlist-marker", sample.frame.grid, [sample.panes])
    }

    @Test("parts of a low-latency playlist in ASCII") func lowLatency() throws {
        var sample = DashboardSample(SnapshotSamples.lowLatency, 120, 40, isASCII: true)
        try sample.press("6")
        expectGolden("playlist-parts-ascii", sample.frame.grid, [sample.panes])
    }

    @Test("the creative of the ad under the cursor", arguments: sizes)
    func creative(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.decided, columns, rows)
        try sample.press("! 7 j j j j j j", every: .zero)
        expectGolden("creative", sample.frame.grid, [sample.panes])
    }

    @Test("an ad that was not found, in ASCII") func noAd() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 120, 40, isASCII: true)
        try sample.press("! 7 h G k", every: .zero)
        expectGolden("creative-failed-ascii", sample.frame.grid, [sample.panes])
    }

    @Test("a search in the answer of an ad server") func answer() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 120, 40)
        try sample.press("! 7 j j j j j j 2 + /")
        sample.type("mediafile")
        try sample.press("Enter n")
        expectGolden("creative-search", sample.frame.grid, [sample.panes])
    }

    @Test("a break seen in the metadata and in a marker", arguments: [(80, 24), (120, 40)])
    func joined(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.joined, columns, rows)
        try sample.press("! h h h h", every: .zero)
        expectGolden("joined-break", sample.frame.grid, [sample.panes])
    }

    @Test("a break that polls changed") func growing() throws {
        var sample = DashboardSample(SnapshotSamples.growing, 120, 40)
        try sample.press("! h h h h", every: .zero)
        expectGolden("growing-break", sample.frame.grid, [sample.panes])
    }

    @Test("a session without a playlist", arguments: [(80, 24), (120, 40)])
    func attached(_ columns: Int, _ rows: Int) throws {
        let sample = DashboardSample(SnapshotSamples.attached, columns, rows)
        let session = Renderer.pane(.session, sample.snapshot, sample.state, now: sample.now)
        let playlist = Renderer.pane(.playlist, sample.snapshot, sample.state, now: sample.now)
        expectGolden(
            "attached", sample.state.size,
            [
                GoldenSection(title: "frame", grid: sample.frame.grid, parts: [sample.panes]),
                GoldenSection(title: "session", grid: session, parts: [session.bounds]),
                GoldenSection(title: "playlist", grid: playlist, parts: [playlist.bounds]),
            ])
    }

    @Test("before anything is answered, before the first break, in observe mode, without ad metadata, after 200 breaks")
    func phases() {
        let samples = [
            ("starting", SnapshotSamples.starting), ("pre-roll", SnapshotSamples.preRoll),
            ("observing", SnapshotSamples.observing), ("plain", SnapshotSamples.plain), ("many", SnapshotSamples.many),
        ]
        let sections = samples.map { name, snapshot in
            let sample = DashboardSample(snapshot, 80, 24)
            return GoldenSection(title: name, grid: sample.frame.grid, parts: [sample.panes])
        }
        expectGolden("phases", Size(columns: 80, rows: 24), sections)
    }

    @Test("a filter while it is typed") func filter() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("/")
        sample.type("quartile")
        expectGolden("filter", sample.frame.grid, [sample.panes])
    }

    @Test("the end of the help over the panes") func help() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("? ? G")
        expectGolden("help-end", sample.frame.grid, [sample.help])
    }

    @Test("no line of the help is cut", arguments: [24, 38, 76, 96])
    func helpWidth(_ width: Int) throws {
        let sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
        let lines = HelpPane.lines(frame, width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        let text = lines.map(\.string).joined().filter { $0 != " " }
        let actions = Action.table.filter { frame.context.hasEffect($0.action) }
        let summaries =
            CommandSpec.offered(isRecording: false).map(\.summary) + CacheKey.allCases.map(\.summary)
            + actions.map(\.summary)
        #expect(summaries.count > 60)
        for summary in summaries { #expect(text.contains(summary.string.filter { $0 != " " })) }
        for sign in StateSign.allCases {
            #expect(lines.contains { $0.string.contains(frame.context.badge(sign).string) })
        }
        #expect(lines.contains { $0.string.contains("⚠ finding") })
    }

    @Test("the question before arming") func confirm() throws {
        var sample = DashboardSample(SnapshotSamples.observing, 80, 24)
        try sample.press(":")
        sample.type("arm")
        try sample.press("Enter")
        expectGolden("confirm", sample.frame.grid, [sample.panes])
    }

    @Test("hostile text keeps every column in its place", arguments: [(80, 24), (120, 40)])
    func hostile(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.hostile, columns, rows)
        try sample.press("!")
        expectGolden("hostile", sample.frame.grid, [sample.panes, sample.log])
    }

    @Test("a toast above the footer") func toast() {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        sample.send(.noticed("mute sent for B2/A2 204 37ms", isGood: true))
        expectGolden("toast", sample.frame.grid, [sample.log])
    }

    @Test("a zoomed pane") func zoomed() throws {
        var sample = DashboardSample(SnapshotSamples.ended, 80, 24)
        try sample.press("5 5")
        expectGolden("zoomed-session", sample.frame.grid, [sample.panes])
    }
}
