import AdFormats
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The views as tabs.
@Suite struct TabsRowTests {
    private func tabs(_ sample: DashboardSample, columns: Int) -> TabsRow {
        TabsRow(FrameContext(sample.snapshot, sample.state, now: sample.now), columns: columns)
    }

    /// The panes that the tabs open, from left to right.
    private func panes(_ tabs: TabsRow) -> [Pane] { tabs.row.parts.compactMap(pane) }

    private func pane(_ tab: HintRow.Part) -> Pane? {
        if case .action(let action) = tab.press { action.pane } else { nil }
    }

    @Test("views with nothing in this session have no tab, unless they are open")
    func presence() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.findings = []
        var sample = DashboardSample(snapshot, 120, 40)
        #expect(panes(tabs(sample, columns: 120)) == [.tree, .playlist, .creative])
        try sample.press("8")
        #expect(panes(tabs(sample, columns: 120)) == [.tree, .playlist, .creative, .auction])
        let cached = DashboardSample(CacheSamples.full, 120, 40)
        #expect(panes(tabs(cached, columns: 120)).contains(.cache))
        #expect(panes(tabs(DashboardSample(SnapshotSamples.plain, 80, 24), columns: 80)) == [.tree, .playlist])
    }

    @Test("names as long as there is room, and always the keys")
    func forms() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.counters.beaconsFailed = 0
        snapshot.findings = []
        let sample = DashboardSample(snapshot, 120, 40)
        #expect(tabs(sample, columns: 120).row.line.string == " 1 Breaks │ 6 Playlist │ 7 Creative ")
        #expect(tabs(sample, columns: 34).row.line.string == " 1 Breaks│6 Playlist│7 Creative")
        #expect(tabs(sample, columns: 30).row.line.string == " 1 Brk │ 6 Pla │ 7 Crt ")
        #expect(tabs(sample, columns: 12).row.line.string == " 1 │ 6 │ 7 ")
    }

    @Test("what is wrong in a view is counted in its tab, and nothing else is")
    func counts() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.counters.beaconsFailed = 3
        snapshot.findings = ([.warning, .warning, .info] as [Severity]).map { severity in
            FindingView(
                finding: Finding(rule: "stale-playlist", severity: severity, message: "m"), count: 1,
                first: SnapshotSamples.now, last: SnapshotSamples.now, source: .playlist)
        }
        let sample = DashboardSample(snapshot, 120, 40)
        #expect(
            tabs(sample, columns: 120).row.line.string == " 1 Breaks ✗3 │ 6 Playlist ⚠2 │ 7 Creative │ f Findings ⚠2 ")
    }

    @Test("ad spaces that failed are counted in the tab of the formats")
    func formats() throws {
        let failed = try FormatsSamples.all()
        #expect(failed.formats?.slots.count { $0.slot.state == .failed } == 1)
        func text(_ snapshot: Snapshot) -> String {
            tabs(DashboardSample(snapshot, 120, 40), columns: 120).row.line.string
        }
        #expect(text(failed).contains(" 9 Formats ✗1 "), "\(text(failed))")
        #expect(!text(try FormatsSamples.phases()).contains("Formats ✗"))
    }

    @Test("beacons of unknown outcome are counted in the tab of the breaks, apart from the failed ones")
    func unknownCount() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.findings = []
        (snapshot.counters.beaconsFailed, snapshot.counters.beaconsUnknown) = (0, 2)
        var sample = DashboardSample(snapshot, 120, 40)
        #expect(tabs(sample, columns: 120).row.line.string.hasPrefix(" 1 Breaks ?2 │"))
        snapshot.counters.beaconsFailed = 3
        sample = DashboardSample(snapshot, 120, 40)
        #expect(tabs(sample, columns: 120).row.line.string.hasPrefix(" 1 Breaks ✗3 ?2 │"))
    }

    @Test("each tab can be clicked by itself, and the open one is marked", arguments: [(80, 24), (120, 40), (60, 16)])
    func click(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(try AuctionSamples.snapshot(AuctionSamples.bidder), columns, rows)
        let place = Layout(sample.state).tabs
        for tab in tabs(sample, columns: place.width).row.parts.reversed() {
            let point = Point(x: tab.columns.lowerBound + 1, y: place.y)
            sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
            #expect(sample.state.main == pane(tab))
            let cell = sample.frame.grid.row(place.y)[sample.frame.grid.row(place.y).startIndex + point.x]
            #expect(cell.mark == .selection)
        }
        #expect(sample.state.main == .tree)
    }

    @Test("the footer has the keys of the open view, each of which can be clicked")
    func footer() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("6")
        let hints = FooterHints(FrameContext(sample.snapshot, sample.state, now: sample.now), columns: 118)
        #expect(hints.row.line.string.contains("{ } marker") && !hints.row.line.string.contains("mute"))
        #expect(
            hints.row.parts.contains { $0.press == .action(.previousBreak) }
                && hints.row.parts.contains { $0.press == .action(.nextBreak) })
        let ranges = hints.row.parts.map(\.columns).sorted { $0.lowerBound < $1.lowerBound }
        for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound <= next.lowerBound) }
    }
}
