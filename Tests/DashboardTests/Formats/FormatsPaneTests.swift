import AdFormats
import Ports
import Screen
import Session
import TestSupport
import Testing

@testable import Dashboard

/// The view of the ad spaces: its screens and its keys.
@Suite struct FormatsPaneTests {
    @Test("every format in every state", arguments: [(80, 24), (120, 40), (200, 60), (40, 8)])
    func all(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(try FormatsSamples.all(), columns, rows)
        try sample.press("9 Esc")
        expectGolden("formats", sample.frame.grid, [sample.panes])
    }

    @Test(
        "the detail of a rewarded video and of a native ad",
        arguments: [("Esc G k k k k", "rewarded"), ("Esc G k k", "native")])
    func detail(keys: String, name: String) throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("9 \(keys)")
        expectGolden("formats-\(name)", sample.frame.grid, [sample.panes])
    }

    @Test("rewarded video in its phases") func phases() throws {
        var sample = DashboardSample(try FormatsSamples.phases(), 120, 40)
        try sample.press("9 Esc")
        expectGolden("formats-phases", sample.frame.grid, [sample.panes])
    }

    @Test("a server that is down, a pane that is hidden") func down() throws {
        var sample = DashboardSample(try FormatsSamples.down(), 80, 24)
        try sample.press("9")
        expectGolden("formats-down", sample.frame.grid, [sample.panes])
    }

    @Test("a screen banner as high as on its device, its place without an ad", arguments: [(80, 24), (120, 40)])
    func screenBanner(_ columns: Int, _ rows: Int) throws {
        var samples = [("on a phone", try FormatsSamples.screenBanner())]
        if rows > 24 {
            samples.append(("on a tablet", try FormatsSamples.screenBanner(on: .tablet, isThere: true)))
            samples.append(("without an ad", try FormatsSamples.screenBanner(on: .tablet, isThere: false)))
        }
        let sections = try samples.map { title, snapshot in
            var sample = DashboardSample(snapshot, columns, rows)
            try sample.press("9")
            return GoldenSection(title: title, grid: sample.frame.grid, parts: [sample.panes])
        }
        expectGolden("formats-strip", Size(columns: columns, rows: rows), sections)
    }

    @Test("plugins that serve, hang and die", arguments: [(80, 24), (120, 40)])
    func plugins(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(try FormatsSamples.plugins(), columns, rows)
        try sample.press("9 G")
        expectGolden("formats-plugins", sample.frame.grid, [sample.panes])
    }

    @Test("a session without ad spaces shows how to add some") func none() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("9")
        #expect(TextWriter.text(of: sample.frame.grid).contains("this session has no ad spaces"))
    }

    @Test(
        "keys act on the ad space under the cursor",
        arguments: [
            ("l", FormatAction.load), ("s", .show), ("x", .dismiss), ("R", .reload), ("r", .replay), ("m", .mute),
            ("p", .pause), ("Space", .pause), ("Enter", .click), ("h", .hidden(true)), ("v", .visibility(0)),
        ])
    func keys(key: String, action: FormatAction) throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("9 Esc \(key)")
        #expect(sample.effects == [.format(slot: "inline-1", action)])
    }

    @Test("v cycles through the shares") func shares() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("9 Esc j v")
        #expect(sample.effects == [.format(slot: "inline-2", .visibility(0.5))])
    }

    @Test("Tab cycles through the ad spaces, then moves to the next pane") func tab() throws {
        var sample = DashboardSample(try FormatsSamples.down(), 120, 40)
        try sample.press("9 Tab")
        #expect(sample.state.focus != .formats)
        var many = DashboardSample(try FormatsSamples.all(), 120, 40)
        try many.press("9 Esc Tab Tab Tab")
        #expect(many.state.views.formats.list.model.selected == .slot("idle") && many.state.focus == .formats)
    }

    @Test("in other views those keys name their view") func elsewhere() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("s")
        #expect(sample.effects.isEmpty && sample.state.toasts.last?.isGood == false)
    }

    @Test("focus lost and regained, stop and continue are reported once each") func lifecycle() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        let steps: [(InputEvent, LifecycleEvent?)] = [
            (.focus(true), nil), (.focus(false), .willResignActive), (.focus(false), nil),
            (.stopping, .didEnterBackground), (.continued, .willEnterForeground), (.focus(true), nil),
            (.focus(false), .willResignActive), (.focus(true), .didBecomeActive), (.stopping, .didEnterBackground),
            (.focus(true), nil), (.continued, .willEnterForeground), (.continued, nil),
        ]
        for (event, told) in steps {
            sample.send(.input(event))
            #expect(sample.effects == (told.map { [.format(slot: "", .lifecycle($0))] } ?? []), "\(event)")
        }
        var none = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        none.send(.input(.focus(false)))
        #expect(none.effects.isEmpty)
    }

    @Test("a turned terminal is reported once") func turned() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        #expect(sample.effects == [.format(slot: "", .turned(.landscape))])
        sample.send(.input(.resize(Size(columns: 100, rows: 50))))
        #expect(sample.effects.isEmpty)
        sample.send(.input(.resize(Size(columns: 80, rows: 50))))
        #expect(sample.effects == [.format(slot: "", .turned(.portrait))])
        #expect(DashboardSample(SnapshotSamples.midBreak, 120, 40).effects.isEmpty)
    }

    @Test("a filter keeps matching rows") func filter() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("9 Esc /")
        sample.type("native")
        #expect(sample.state.views.formats.list.model.rows == [.head, .slot("feed-3"), .line("feed-3", 0)])
    }
}
