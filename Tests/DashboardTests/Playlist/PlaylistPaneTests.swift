import HLS
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct PlaylistPaneTests {
    private func sample(_ snapshot: Snapshot = SnapshotSamples.midBreak, _ columns: Int = 120, _ rows: Int = 40) throws
        -> DashboardSample
    {
        var sample = DashboardSample(snapshot, columns, rows)
        try sample.press("6")
        return sample
    }

    private func selection(_ sample: DashboardSample) -> PlaylistItem? {
        sample.state.views.playlist.list.model.item(at: sample.state.views.playlist.list.model.selectedRow)
    }

    private func text(_ sample: DashboardSample) -> String { TextWriter.text(of: sample.frame.grid) }

    @Test("the cursor is at the playhead and follows it")
    func follow() throws {
        var sample = try sample()
        #expect(selection(sample) == .segment(4713))
        sample.now = sample.now.advanced(by: .seconds(1))
        sample.send(.ticked)
        #expect(selection(sample) == .segment(4714))
    }

    @Test("moving ends following, and F returns to the playhead")
    func breakFollow() throws {
        var sample = try sample()
        try sample.press("j")
        #expect(selection(sample) == .cue(4714, ordinal: 0))
        #expect(!sample.state.views.playlist.list.follows)
        sample.now = sample.now.advanced(by: .seconds(1))
        sample.send(.ticked)
        #expect(selection(sample) == .cue(4714, ordinal: 0))
        try sample.press("F")
        #expect(selection(sample) == .segment(4714))
    }

    @Test("a reload keeps the cursor on its segment and the rows where they are")
    func reload() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.long(segments: 200, first: 0))
        snapshot.playhead.stream = StreamTime(microseconds: 700_000_000)
        var sample = try sample(snapshot)
        try sample.press("k")
        let item = selection(sample)
        let line = sample.state.views.playlist.list.model.selectedRow - sample.state.views.playlist.list.offset
        sample.snapshot.playlistDetail = PlaylistSamples.detail(
            PlaylistSamples.long(segments: 200, first: 0), PlaylistSamples.long(segments: 200, first: 3))
        sample.send(.snapshotArrived)
        #expect(selection(sample) == item)
        #expect(sample.state.views.playlist.list.model.selectedRow - sample.state.views.playlist.list.offset == line)
    }

    @Test("braces move from marker to marker, ! from finding to finding")
    func jumps() throws {
        var sample = try sample()
        try sample.press("}")
        #expect(selection(sample) == .cue(4714, ordinal: 0))
        try sample.press("}")
        #expect(selection(sample) == .dateRange("promo-8"))
        try sample.press("}")
        #expect(selection(sample) == .dateRange("promo-8"))
        try sample.press("{ { {")
        #expect(selection(sample) == .dateRange("b2"))
        try sample.press("!")
        #expect(selection(sample) == .segment(4713))
        try sample.press("g !")
        #expect(selection(sample) == .finding(rule: "target-duration-exceeded"))
    }

    @Test("without findings ! reports that")
    func noFindings() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.long(segments: 20))
        snapshot.playlistDetail?.text.findings = []
        var sample = try sample(snapshot)
        try sample.press("!")
        #expect(sample.state.toasts.last?.text == "the playlist has no findings")
    }

    @Test("a filter while it is typed, and Esc clears it")
    func filter() throws {
        var sample = try sample()
        try sample.press("/")
        sample.type("a3/")
        #expect(sample.state.views.playlist.list.model.rows.count == 3)
        try sample.press("Enter Esc")
        #expect(sample.state.views.playlist.list.filter.isEmpty)
        #expect(sample.state.views.playlist.list.model.rows.count > 3)
    }

    @Test("the detail shows the URI, the tags as received and the message as a tree")
    func detail() throws {
        var sample = try sample(SnapshotSamples.midBreak, 200, 60)
        try sample.press("}")
        let marker = text(sample)
        #expect(marker.contains("EXT-X-CUE-OUT-CONT   a break continues"))
        #expect(marker.contains("0x34 Provider Placement Opportunity Start  5m07s  1207959694"))
        try sample.press("2 G")
        #expect(text(sample).contains("type_name  Provider Placement Opportunity Start"))
        try sample.press("6 j")
        let segment = text(sample)
        #expect(segment.contains("#EXT-X-DISCONTINUITY"))
        #expect(segment.contains("https://cdn.example.net/live/ch7/a3/seg_4714.m4s"))
        #expect(segment.contains("rfc8216bis-22 4.4.3.1"))
    }

    @Test("a date range that one of another ID ends has its end in the details")
    func endOfAnotherRange() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:40:54.400Z
            #EXT-X-DATERANGE:ID="b3",START-DATE="2026-11-21T12:40:56.400Z",SCTE35-OUT=0xFC
            #EXT-X-DATERANGE:ID="b3-end",START-DATE="2026-11-21T12:41:02.400Z",SCTE35-IN=0xFC
            #EXTINF:6.000,
            1.ts
            #EXTINF:6.000,
            2.ts

            """
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(text)
        var sample = try sample(snapshot, 200, 60)
        try sample.press("g")
        #expect(self.text(sample).contains("by daterange  12:40:56.4 - 12:41:02.4"))
        try sample.press("}")
        #expect(selection(sample) == .dateRange("b3"))
        #expect(self.text(sample).contains("end       2026-11-21 12:41:02.4"))
    }

    @Test("the detail of an interstitial shows its requests, its assets and which of them plays")
    func interstitialDetail() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.interstitials = [
            InterstitialView(
                id: "promo-8", start: snapshot.at.wall, state: .playing, elapsed: .seconds(4), assetIndex: 1,
                requests: [
                    InterstitialRequestView(
                        url: "https://ads.example.net/list?id=8", at: snapshot.at.wall, status: 200,
                        took: .milliseconds(31), isAnswered: true)
                ],
                assets: [
                    InterstitialAssetView(
                        uri: "https://ads.example.net/one.m3u8", duration: .seconds(5), hasSignaling: true),
                    InterstitialAssetView(
                        uri: "https://ads.example.net/two.m3u8", duration: .seconds(10), hasSignaling: false),
                ])
        ]
        var sample = try sample(snapshot, 200, 60)
        try sample.press("} }")
        let detail = text(sample)
        #expect(detail.contains("state     playing  played 4.0s"))
        #expect(detail.contains("200  31ms"))
        #expect(detail.contains("https://ads.example.net/one.m3u8  5.0s  with tracking"))
        #expect(detail.contains("https://ads.example.net/two.m3u8  10.0s  playing"))
    }

    @Test("secrets are masked in exports, in raw tags too")
    func redaction() throws {
        var sample = try sample(SnapshotSamples.midBreak, 200, 60)
        sample.state.settings.redactsURLs = true
        for keys in ["g", "}", "}", "G", "k k"] {
            try sample.press(keys)
            #expect(!text(sample).contains("s3cret"))
            #expect(!text(sample).contains("7f3a91c2"))
        }
    }

    @Test("a variable that is a parameter of the address is as secret as that")
    func variables() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(
            """
            #EXTM3U
            #EXT-X-VERSION:11
            #EXT-X-TARGETDURATION:6
            #EXT-X-DEFINE:QUERYPARAM="sid"
            #EXT-X-DEFINE:NAME="path",VALUE="a2"
            #EXTINF:6.000,
            {$path}/seg_1.m4s

            """)
        var sample = try sample(snapshot, 200, 60)
        try sample.press("g")
        #expect(text(sample).contains("sid = 7f3a91c2") && text(sample).contains("path = a2"))
        sample.state.settings.redactsURLs = true
        #expect(text(sample).contains("sid = ***") && text(sample).contains("path = a2"))
        #expect(!text(sample).contains("7f3a91c2"))
    }

    @Test("y copies the address of the row; rows without one report that")
    func copy() throws {
        var sample = try sample()
        try sample.press("y")
        #expect(sample.effects == [.copy("https://cdn.example.net/live/ch7/a2/seg_4713.m4s", .url)])
        try sample.press("} y")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.text == "the selected row has no URL")
    }

    @Test("a click selects the row under it, the wheel scrolls")
    func mouse() throws {
        var sample = try sample()
        let content = Layout(sample.state).content(of: .playlist)
        let point = Point(x: content.x + 3, y: content.y)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
        #expect(selection(sample) == .head)
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.long(segments: 400))
        sample.snapshot = snapshot
        sample.send(.snapshotArrived)
        sample.send(.input(.mouse(MouseEvent(kind: .wheelDown, button: .none, point: point))))
        #expect(sample.state.views.playlist.list.offset == 3)
        #expect(sample.state.views.playlist.list.model.selectedRow == 3)
    }

    @Test("only visible rows are drawn: six hours show the window around the playhead")
    func long() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.long(segments: 5_400))
        snapshot.playhead.stream = StreamTime(microseconds: 10_000_000_000)
        let sample = try sample(snapshot, 200, 60)
        #expect(selection(sample) == .segment(2_500))
        let content = Layout(sample.state).content(of: .playlist)
        let shown = text(sample)
        #expect(shown.contains("seg_2500.ts"))
        #expect(!shown.contains("seg_\(2_500 + content.height).ts"))
    }
}
