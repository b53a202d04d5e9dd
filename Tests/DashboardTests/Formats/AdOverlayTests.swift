import AdFormats
import Foundation
import Ports
import Screen
import Session
import TestSupport
import Testing

@testable import Dashboard

/// A full-screen ad over the panes: its screens in every phase, and its keys.
@Suite struct AdOverlayTests {
    private func playing(_ columns: Int = 120, _ rows: Int = 40) throws -> DashboardSample {
        let ad = try FormatsSamples.rewarded("overlay", [.show], playedFor: .milliseconds(3_400))
        var sample = DashboardSample(try FormatsSamples.shown(ad), columns, rows)
        try sample.press("9")
        return sample
    }

    @Test("a rewarded video plays", arguments: [(80, 24), (60, 20), (40, 8)])
    func playing(columns: Int, rows: Int) throws {
        let sample = try playing(columns, rows)
        expectGolden("ad-playing", sample.frame.grid, [sample.overlay])
    }

    @Test("it is paused and muted") func paused() throws {
        let ad = try FormatsSamples.rewarded(
            "overlay", [.show, .muteToggled, .pauseToggled], playedFor: .milliseconds(3_400))
        var sample = DashboardSample(try FormatsSamples.shown(ad), 80, 24)
        try sample.press("9")
        expectGolden("ad-paused", sample.frame.grid, [sample.overlay])
    }

    @Test("its end card") func card() throws {
        let ad = try FormatsSamples.rewarded("overlay", [.show], playedFor: .seconds(11))
        var sample = DashboardSample(try FormatsSamples.shown(ad), 80, 24)
        try sample.press("9")
        expectGolden("ad-card", sample.frame.grid, [sample.overlay])
    }

    @Test("without an end card it can be replayed") func replay() throws {
        let ad = try FormatsSamples.rewarded(
            "overlay", [.show], playedFor: .seconds(11), document: FormatsSamples.cardless)
        var sample = DashboardSample(try FormatsSamples.shown(ad), 80, 24)
        try sample.press("9")
        expectGolden("ad-replay", sample.frame.grid, [sample.overlay])
    }

    @Test("an interstitial", arguments: [(80, 24), (40, 8)])
    func interstitial(columns: Int, rows: Int) throws {
        let ad = try FormatsSamples.slot(
            "page", "zone-8001", .interstitial, FormatsSamples.interstitial, [.load, .show])
        var sample = DashboardSample(try FormatsSamples.shown(ad), columns, rows)
        try sample.press("9")
        expectGolden("ad-interstitial", sample.frame.grid, [sample.overlay])
    }

    @Test(
        "keys act on the ad that is shown, wherever the cursor is",
        arguments: [
            ("x", FormatAction.dismiss), ("r", .replay), ("m", .mute), ("p", .pause), ("Space", .pause),
            ("Enter", .click), ("d", .click), ("v", .visibility(0)), ("h", .hidden(true)),
        ])
    func keys(key: String, action: FormatAction) throws {
        var sample = try playing()
        try sample.press(key)
        #expect(sample.effects == [.format(slot: "overlay", action)])
    }

    @Test("covered panes have no keys, keys that lead to other views work") func covered() throws {
        var sample = try playing()
        let row = sample.state.views.formats.list.model.selectedRow
        try sample.press("j j Tab /")
        #expect(
            sample.effects.isEmpty && sample.state.views.formats.list.model.selectedRow == row
                && sample.state.entry == nil)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: 10, y: 12)))))
        #expect(sample.effects.isEmpty && sample.state.views.formats.list.model.selectedRow == row)
        try sample.press("1")
        #expect(sample.state.main == .tree && sample.state.presentedAd(sample.snapshot) == nil)
    }

    @Test("a click closes the ad where its corner is, nine columns and five rows, and nowhere else")
    func closeRegion() throws {
        let ad = try FormatsSamples.slot(
            "page", "zone-8001", .interstitial, FormatsSamples.interstitial, [.load, .show])
        var sample = DashboardSample(try FormatsSamples.shown(ad), 80, 24)
        try sample.press("9")
        for (x, y, isInside) in [(79, 1, true), (71, 5, true), (70, 5, false), (71, 6, false), (79, 0, false)] {
            sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: x, y: y)))))
            #expect(sample.effects == (isInside ? [.format(slot: "page", .dismiss)] : []), "\(x) \(y)")
        }
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .right, point: Point(x: 79, y: 1)))))
        #expect(sample.effects.isEmpty)
        // The smallest screens do not draw it.
        sample = DashboardSample(try FormatsSamples.shown(ad), 40, 8)
        try sample.press("9")
        for _ in 0..<2 { sample.send(.input(.resize(Size(columns: 20, rows: 5)))) }
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: 19, y: 1)))))
        #expect(sample.effects.isEmpty)
    }

    @Test("the list above a line that is typed has the clicks and the wheel, also over an ad") func list() throws {
        var sample = try playing()
        try sample.press(":")
        let rows = TextWriter.rows(of: sample.frame.grid)
        let row = try #require(rows.firstIndex { $0.contains("copy the selected event") })
        sample.send(.input(.mouse(MouseEvent(kind: .wheelDown, button: .none, point: Point(x: 4, y: row)))))
        #expect(sample.state.entry?.selected != nil)
        sample.click(Point(x: 4, y: row))
        #expect(sample.state.entry?.line.text == "copy " && sample.effects.isEmpty)
        sample.click(Point(x: 119, y: 2))
        #expect(sample.state.entry == nil && sample.effects.isEmpty)
    }

    @Test("it covers the line of a first run, whose keys would have no effect") func tip() throws {
        var sample = try playing(80, 24)
        sample.state.settings.showsTip = true
        #expect(TextWriter.rows(of: sample.frame.grid)[22].hasPrefix("┗"))
        try sample.press("Esc")
        #expect(TextWriter.rows(of: sample.frame.grid)[22].contains("Esc hides this"))
    }

    @Test("each key that the ad names can be clicked", arguments: [(80, 24), (120, 40), (40, 8)])
    func clickedKeys(columns: Int, rows: Int) throws {
        for (hint, action) in [("action", FormatAction.click), ("mute", .mute), ("pause", .pause)] {
            var sample = try playing(columns, rows)
            let keys = sample.overlay.splitBottom(rows > 8 ? 2 : 1).bottom.row(0)
            let row = TextWriter.rows(of: sample.frame.grid)[keys.y]
            let range = try #require(row.range(of: hint), "\(row)")
            let point = Point(x: row.distance(from: row.startIndex, to: range.lowerBound), y: keys.y)
            sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
            #expect(sample.effects == [.format(slot: "overlay", action)])
        }
    }

    @Test("Esc shows the panes, s shows the ad again") func behind() throws {
        var sample = try playing()
        try sample.press("Esc")
        #expect(sample.state.presentedAd(sample.snapshot) == nil && sample.state.main == .formats)
        // The ad under the cursor is the banner: it cannot be shown, but the other can.
        try sample.press("j j s")
        #expect(sample.effects.isEmpty && sample.state.presentedAd(sample.snapshot)?.slot.name == "overlay")
    }

    @Test("the next ad is shown even if the panes were shown over the last one") func next() throws {
        var sample = try playing()
        try sample.press("Esc")
        sample.snapshot = try FormatsSamples.shown(try FormatsSamples.rewarded("overlay", []))
        sample.send(.snapshotArrived)
        #expect(!sample.state.views.formats.looksBehindAd)
    }
}
