import HLS
import Ports
import Testing

@testable import Dashboard
@testable import Session

@Suite struct PlaylistModelTests {
    private func model(_ snapshot: Snapshot, filter: String = "") -> PlaylistModel {
        var state = ListState<PlaylistModel>()
        state.filter = filter
        return PlaylistModel(snapshot, state)
    }

    private func items(_ model: PlaylistModel) -> [PlaylistItem] { model.rows.indices.compactMap(model.item) }

    private func snapshot(_ text: String, lowLatency: Bool = false) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(text, prefersLowLatency: lowLatency)
        return snapshot
    }

    @Test("rows are in the order of the stream: findings, earlier ranges, segments after their tags")
    func order() {
        let model = model(SnapshotSamples.midBreak)
        #expect(
            items(model).filter { if case .finding = $0 { false } else { true } } == [
                .head, .dateRange("b2"), .segment(4711), .segment(4712), .segment(4713),
                .cue(4714, ordinal: 0), .segment(4714), .segment(4715), .dateRange("promo-8"), .segment(4716),
            ])
        let rules = model.findings.map(\.finding.rule)
        #expect(rules.first == "target-duration-exceeded")
        #expect(rules.contains("gap-segment"))
    }

    @Test("parts follow their segment, those of the unfinished segment are at the end")
    func parts() {
        let model = model(SnapshotSamples.lowLatency)
        let tail = items(model).suffix(11)
        #expect(
            Array(tail) == [
                .segment(902), .segment(903), .part(903, index: 0), .part(903, index: 1), .part(903, index: 2),
                .part(903, index: 3), .part(904, index: 0), .part(904, index: 1), .part(904, index: 2), .hint(.part),
                .report("https://cdn.example.net/live/v720.m3u8"),
            ])
    }

    @Test(
        "the playhead is in the segment that contains its position, in a part after the last one, or at the end",
        arguments: [
            (Int64(0), PlaylistItem.segment(900)), (3_999, .segment(900)), (4_000, .segment(901)),
            (15_999, .segment(903)),
            (16_000, .part(904, index: 0)), (18_500, .part(904, index: 2)), (99_000, .part(904, index: 2)),
        ])
    func playhead(_ milliseconds: Int64, _ expected: PlaylistItem) throws {
        let model = model(SnapshotSamples.lowLatency)
        let row = try #require(model.row(at: StreamTime(microseconds: milliseconds * 1_000)))
        #expect(model.item(at: row) == expected)
    }

    @Test("a playhead before the window or without a position is in no row")
    func noPlayhead() {
        let model = model(SnapshotSamples.lowLatency)
        #expect(model.row(at: nil) == nil)
        #expect(model.row(at: StreamTime(microseconds: -1)) == nil)
        #expect(PlaylistModel().row(at: .zero) == nil)
    }

    @Test("every row's item leads back to the row")
    func roundTrip() {
        for snapshot in [SnapshotSamples.midBreak, SnapshotSamples.lowLatency] {
            let model = model(snapshot)
            for row in model.rows.indices { #expect(model.item(at: row).flatMap(model.row) == row) }
        }
    }

    @Test("cues before one segment are distinct")
    func twoCues() {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:30\n#EXTINF:4,\na.ts\n"
        let model = model(snapshot(text))
        #expect(
            items(model).filter { if case .cue = $0 { true } else { false } } == [
                .cue(0, ordinal: 0), .cue(0, ordinal: 1),
            ])
    }

    @Test(
        "a filter keeps the rows whose texts match, inverted the others",
        arguments: [
            ("a3/", [PlaylistItem.segment(4714), .segment(4715), .segment(4716)]),
            ("discontinuity", [.segment(4714)]), ("promo", [.dateRange("promo-8")]),
            ("CUE-OUT", [.cue(4714, ordinal: 0)]), ("4712", [.segment(4712)]), ("nowhere", []),
        ])
    func filter(_ typed: String, _ expected: [PlaylistItem]) {
        let model = model(SnapshotSamples.midBreak, filter: typed)
        #expect(items(model).filter { if case .finding = $0 { false } else { true } } == expected)
        let all = self.model(SnapshotSamples.midBreak).rows.count
        #expect(self.model(SnapshotSamples.midBreak, filter: "!" + typed).rows.count == all - model.rows.count)
    }

    @Test("a finding is marked at the segment of its line, those of the playlist's own tags at none")
    func flags() {
        let model = model(SnapshotSamples.midBreak)
        #expect(model.flags[3]?.map(\.rule).contains("target-duration-exceeded") == true)
        #expect(model.flags[2]?.map(\.rule).contains("gap-segment") == true)
        #expect(model.flags[0] == nil)
        let header = "#EXTM3U\n#EXT-X-TARGETDURATION:x\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:4,\na.ts\n"
        #expect(self.model(snapshot(header)).flags.isEmpty)
    }

    @Test("findings of one rule are one entry with their number; findings of reloads come last")
    func rules() {
        var snapshot = SnapshotSamples.midBreak
        let earlier = Finding(rule: "window-jump", severity: .warning, message: "two segments are missing")
        let other = Finding(rule: "L13", severity: .error, message: "not of the playlist")
        snapshot.findings = [
            FindingView(
                finding: earlier, count: 2, first: SnapshotSamples.now, last: SnapshotSamples.now, source: .playlist),
            FindingView(finding: other, count: 2, first: SnapshotSamples.now, last: SnapshotSamples.now),
        ]
        snapshot.playlistDetail?.text.findings += [
            Finding(rule: "gap-segment", severity: .info, message: "another", line: 20)
        ]
        let rules = model(snapshot).findings
        #expect(rules.first { $0.finding.rule == "gap-segment" }?.countInText == 2)
        #expect(rules.last?.finding.rule == "window-jump")
        #expect(rules.last?.countInText == 0)
        #expect(rules.last?.seen?.count == 2)
        #expect(!rules.contains { $0.finding.rule == "L13" })
    }

    @Test("rows are rebuilt for another text, other findings or another filter, and only then")
    func fits() {
        var snapshot = SnapshotSamples.midBreak
        let model = model(snapshot)
        #expect(model.fits(snapshot, filter: ""))
        snapshot.at = snapshot.at.advanced(by: .seconds(1))
        #expect(model.fits(snapshot, filter: ""))
        #expect(!model.fits(snapshot, filter: "a"))
        snapshot.findings = [
            FindingView(
                finding: Finding(rule: "x", severity: .info, message: ""), count: 1, first: snapshot.at,
                last: snapshot.at, source: .playlist)
        ]
        #expect(!model.fits(snapshot, filter: ""))
        #expect(!model.fits(SnapshotSamples.lowLatency, filter: ""))
    }
}
