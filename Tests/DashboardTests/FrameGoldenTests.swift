import Ports
import Screen
import Session
import Testing

@testable import Dashboard

/// The surroundings of the panes in every state: the rows above them, the footer, and the smallest screens.
@Suite struct FrameGoldenTests {
    private static let sizes: [(Int, Int)] = [(80, 24), (120, 40), (200, 60), (40, 8)]

    private func section(_ title: String, _ sample: DashboardSample, _ parts: Rect...) -> GoldenSection {
        GoldenSection(title: title, grid: sample.frame.grid, parts: parts)
    }

    @Test("header, addresses, timeline and sparklines in every state of a session", arguments: sizes)
    func header(_ columns: Int, _ rows: Int) throws {
        func sample(_ snapshot: Snapshot, isASCII: Bool = false) -> DashboardSample {
            DashboardSample(snapshot, columns, rows, isASCII: isASCII)
        }
        var frozen = sample(SnapshotSamples.midBreak)
        try frozen.press("Z")
        frozen.now = frozen.now.advanced(by: .seconds(75))
        var insecure = sample(SnapshotSamples.midBreak)
        insecure.state.settings.isInsecure = true
        let samples = [
            ("a break on air", sample(SnapshotSamples.midBreak)), ("certificates not verified", insecure),
            ("in ASCII", sample(SnapshotSamples.midBreak, isASCII: true)),
            ("starting", sample(SnapshotSamples.starting)), ("before the first break", sample(SnapshotSamples.preRoll)),
            ("observed", sample(SnapshotSamples.observing)), ("no ad metadata", sample(SnapshotSamples.plain)),
            ("both feeds fail", sample(SnapshotSamples.failing)), ("session over", sample(SnapshotSamples.over)),
            ("frozen for 75 s", frozen),
            ("paused, muted, at half speed", sample(SnapshotSamples.slowed)),
            ("every state of a beacon", sample(SnapshotSamples.unsettled)),
            ("200 breaks", sample(SnapshotSamples.many)),
            ("hostile names", sample(SnapshotSamples.hostile)), ("ended", sample(SnapshotSamples.ended)),
        ]
        expectGolden("header", Size(columns: columns, rows: rows), samples.map { section($0.0, $0.1, $0.1.top) })
    }

    @Test("the footer of every view, pane, question and typed line", arguments: sizes)
    func footer(_ columns: Int, _ rows: Int) throws {
        var sections: [GoldenSection] = []
        func add(
            _ title: String, _ snapshot: Snapshot = SnapshotSamples.midBreak, _ keys: String = "", _ text: String = "",
            then last: String = "", _ change: (inout DashboardSample) -> Void = { _ in }
        ) throws {
            var sample = DashboardSample(snapshot, columns, rows)
            change(&sample)
            try sample.press(keys)
            sample.type(text)
            try sample.press(last)
            sections.append(section(title, sample, sample.footer))
        }
        try add("breaks")
        for (digit, name) in [(2, "detail"), (3, "log"), (4, "summary"), (5, "session"), (6, "playlist")] {
            try add(name, SnapshotSamples.midBreak, "\(digit)")
        }
        try add("creative", SnapshotSamples.decided, "! 7")
        try add("auction", AuctionSamples.snapshot(AuctionSamples.bidder), "8")
        try add("formats", FormatsSamples.all(), "9 Esc")
        try add("an ad over the panes", FormatsSamples.all(), "9")
        try add("cache", CacheSamples.full, "0")
        try add("read-only") { $0.snapshot.session.canArm = false }
        try add("one of many sessions") { $0.state.settings.table = .sessions }
        try add("filter", SnapshotSamples.midBreak, "/", "quartile")
        try add("search", SnapshotSamples.midBreak, "2 /", "t.example")
        try add("command", SnapshotSamples.midBreak, ":")
        try add("completion", SnapshotSamples.midBreak, ":", "theme ", then: "Tab Tab")
        try add("error", SnapshotSamples.midBreak, ":", "seek tomorrow", then: "Enter")
        try add("question", SnapshotSamples.observing, ":", "arm", then: "Enter")
        sections += try tableFooters(columns, rows)
        expectGolden("footer", Size(columns: columns, rows: rows), sections)
    }

    private func tableFooters(_ columns: Int, _ rows: Int) throws -> [GoldenSection] {
        var sample = SessionTableSample(SessionTableSamples.some, columns, rows)
        let table = GoldenSection(title: "sessions", grid: sample.frame.grid, parts: [sample.footer])
        try sample.press("/")
        sample.type("ch")
        return [table, GoldenSection(title: "filter of sessions", grid: sample.frame.grid, parts: [sample.footer])]
    }

    @Test("every view where there is no room for panes", arguments: [(20, 5), (39, 7), (40, 2)])
    func tiny(_ columns: Int, _ rows: Int) throws {
        func sample(_ snapshot: Snapshot, _ keys: String) throws -> DashboardSample {
            var sample = DashboardSample(snapshot, columns, rows)
            try sample.press(keys)
            return sample
        }
        let all = try [
            ("breaks", sample(SnapshotSamples.midBreak, "!")), ("playlist", sample(SnapshotSamples.midBreak, "6")),
            ("creative", sample(SnapshotSamples.decided, "! 7 j j j j j j")),
            ("auction", sample(AuctionSamples.snapshot(AuctionSamples.bidder), "8")),
            ("formats", sample(FormatsSamples.all(), "9 Esc")),
            ("an ad over the panes", sample(FormatsSamples.all(), "9")), ("cache", sample(CacheSamples.full, "0")),
            ("starting", sample(SnapshotSamples.starting, "")),
        ]
        let sessions = SessionTableSample(SessionTableSamples.some, columns, rows).frame.grid
        expectGolden(
            "tiny", Size(columns: columns, rows: rows),
            all.map { section($0.0, $0.1, $0.1.frame.grid.bounds) }
                + [GoldenSection(title: "sessions", grid: sessions, parts: [sessions.bounds])])
    }
}
