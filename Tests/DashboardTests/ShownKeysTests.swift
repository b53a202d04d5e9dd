import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Every key that is on the screen acts where it is shown, by the keyboard and by a click on it.
@Suite struct ShownKeysTests {
    /// A dashboard in a view, with a pane that has the keys.
    struct Situation: CustomTestStringConvertible, Sendable {
        let view: DashboardView
        let focus: Pane
        let size: Size
        /// Nothing of the session is known yet.
        var isEmpty = false

        var testDescription: String {
            "\(view.rawValue), keys: \(focus.name), \(size.columns)x\(size.rows)\(isEmpty ? ", empty" : "")"
        }

        /// The view with all that it can show, reached as a user would.
        func sample() throws -> DashboardSample {
            var sample = DashboardSample(try snapshot(), size.columns, size.rows)
            if view.pane != sample.state.main, let action = Action.opening(view.pane) {
                sample.send(.input(.key(try key(action))))
            }
            // An ad over the panes has keys of its own.
            if sample.state.presentedAd(sample.snapshot) != nil { try sample.press("Esc") }
            if focus != view.pane { sample.state.focusPane(focus) }
            sample.send(.snapshotArrived)
            return sample
        }

        private func key(_ action: Action) throws -> KeyPress {
            try #require(Keymap.standard.keys(for: action).first)
        }

        private func snapshot() throws -> Snapshot {
            if isEmpty { return SnapshotSamples.starting }
            return switch view {
            case .breaks, .playlist: SnapshotSamples.midBreak
            case .creative: SnapshotSamples.decided
            case .auction: try AuctionSamples.snapshot(AuctionSamples.bidder)
            case .formats: try FormatsSamples.all()
            case .cache: CacheSamples.full
            case .findings: FindingsPaneTests.sample
            }
        }
    }

    static let sizes = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 200, rows: 60)]
    static let situations = sizes.flatMap { size in
        DashboardView.allCases.flatMap { view in
            [view.pane, .detail, .log, .summary, .session].map { Situation(view: view, focus: $0, size: size) }
        }
    }
    static let empty = DashboardView.allCases.flatMap { view in
        [view.pane, .detail].map {
            Situation(view: view, focus: $0, size: Size(columns: 120, rows: 40), isEmpty: true)
        }
    }

    /// Whether something can be seen of a key, or an effect leaves the dashboard. Notices count: they say why not.
    private func acts(_ before: DashboardSample, _ after: DashboardSample) -> Bool {
        if !after.effects.isEmpty || after.state.toasts != before.state.toasts { return true }
        var earlier = before
        earlier.now = after.now
        return after.state.focus != before.state.focus || after.frame.grid != earlier.frame.grid
    }

    private func pressed(_ sample: DashboardSample, _ key: KeyPress) -> DashboardSample {
        var sample = sample
        sample.send(.input(.key(key)))
        return sample
    }

    private func clicked(_ sample: DashboardSample, _ point: Point) -> DashboardSample {
        var sample = sample
        sample.click(point)
        return sample
    }

    /// All hints of a row of cells, each with one of its cells.
    private func hints(_ rect: Rect, _ press: (Point) -> HintPress?) -> [(hint: HintPress, point: Point)] {
        var found: [(HintPress, Point)] = []
        for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX {
                let point = Point(x: x, y: y)
                if let hint = press(point), found.last?.0 != hint { found.append((hint, point)) }
            }
        }
        return found
    }

    private func key(_ hint: HintPress) -> KeyPress? {
        switch hint {
        case .key(let key): key
        case .action(let action): Keymap.standard.keys(for: action).first
        case .invertFilter, .ofHelp: nil
        }
    }

    private func expectThatEachActs(_ hints: [(hint: HintPress, point: Point)], _ sample: DashboardSample) throws {
        for (hint, point) in hints {
            let typed = pressed(sample, try #require(key(hint)))
            #expect(acts(sample, typed), "\(hint)")
            let byMouse = clicked(sample, point)
            #expect(acts(sample, byMouse), "a click on \(hint)")
            #expect(byMouse.effects == typed.effects, "a click on \(hint)")
        }
    }

    @Test("each key of the footer, or it says why not", arguments: situations + empty)
    func footer(_ situation: Situation) throws {
        let sample = try situation.sample()
        let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
        let hints = hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }
        #expect(hints.count > 4)
        let keys = hints.compactMap { key($0.hint) }
        #expect(Set(keys).count == keys.count, "each once")
        try expectThatEachActs(hints, sample)
    }

    @Test("each key below the text of the detail", arguments: situations)
    func detail(_ situation: Situation) throws {
        var sample = try situation.sample()
        let steps = situation.focus == situation.view.pane ? 12 : 1
        for _ in 0..<steps {
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            let hints = hints(frame.layout.panes[.detail] ?? .zero) { DetailPane.press(at: $0, frame) }
            if !frame.main.hasKeys(frame.context) { #expect(hints.isEmpty, "the keys would act on another pane") }
            try expectThatEachActs(hints, sample)
            try sample.press("j")
        }
    }

    @Test(
        "each key of the card of a stream that cannot be opened", arguments: [(80, 24), (120, 40), (200, 60)])
    func card(_ columns: Int, _ rows: Int) throws {
        let sample = DashboardSample(SnapshotSamples.unopened, columns, rows)
        let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
        let rect = try #require(frame.layout.panes[.tree])
        let hints = hints(rect) { frame.main.press(at: $0, frame.context, in: rect) }
        #expect(hints.map(\.hint) == [.action(.retry), .action(.copyURL)])
        let lines = TextWriter.text(of: sample.frame.grid).split(separator: "\n", omittingEmptySubsequences: false)
        for (hint, point) in hints {
            let line = String(lines[point.y])
            #expect(
                line.dropFirst(point.x).hasPrefix(hint == .action(.retry) ? "r try now" : "y copy as curl"), "\(line)")
        }
        try expectThatEachActs(hints, sample)
    }

    @Test(
        "the footer has no key that can do nothing, and the one that tries again",
        arguments: [(80, 24), (120, 40), (200, 60)])
    func unopened(_ columns: Int, _ rows: Int) throws {
        let sample = DashboardSample(SnapshotSamples.unopened, columns, rows)
        func actions(_ sample: DashboardSample) -> Set<Action> {
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            let all = hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }
            return Set(Action.allCases.filter { action in all.contains { $0.hint == .action(action) } })
        }
        #expect(actions(sample).isDisjoint(with: [.mute, .pause, .follow]) && actions(sample).contains(.retry))
        for key in ["m", "p", "F"] {
            var pressed = sample
            try pressed.press(key)
            #expect(pressed.effects.isEmpty && pressed.state.toasts.last?.isGood == false, "\(key)")
        }
        let running = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        #expect(actions(running).contains(.mute) && !actions(running).contains(.retry))
        for (key, action) in [("8", Action.auctionRun), ("9", .formatShow)] {
            var empty = running
            try empty.press(key)
            #expect(!actions(empty).contains(action))
        }
    }

    @Test("each key of the help of a pane, on one of its rows or with a filter", arguments: situations)
    func help(_ situation: Situation) throws {
        let sample = try situation.sample()
        let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
        let keys = PaneHelp.keys(frame)
        #expect(keys.count > 5)
        #expect(Set(keys.compactMap { $0.key(frame.context) }).count == keys.count, "each once")
        var others = [sample]
        for moves in ["g", "g j", "g j j j", "g j j j j j j j", "G", "G k", "G Enter", "l l"] {
            var other = sample
            try other.press(moves)
            if other.state.focus == situation.focus { others.append(other) }
        }
        var zoomed = sample
        try zoomed.press("_")
        others.append(zoomed)
        for key in keys {
            let press = try #require(key.key(frame.context))
            #expect(others.contains { acts($0, pressed($0, press)) }, "\(key.summary.string)")
        }
    }

    @Test(
        "the keys of a view in the footer are in its help, those of its detail in the detail's", arguments: situations)
    func same(_ situation: Situation) throws {
        let sample = try situation.sample()
        let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
        guard situation.focus == situation.view.pane else { return }
        let keys = PaneHelp.keys(frame)
        for hint in frame.main.hints {
            for action in hint.actions { #expect(keys.contains { $0.takes(action, frame.context) }, "\(action)") }
            if let key = hint.key { #expect(keys.contains { $0.keys(frame.context) == key }, "\(key)") }
        }
    }

    @Test("each key of the footer while the help covers the panes", arguments: ["?", "? ?", "f ?"])
    func footerOfHelp(_ keys: String) throws {
        for (columns, rows) in [(80, 24), (120, 40)] {
            var sample = DashboardSample(FindingsPaneTests.sample, columns, rows)
            try sample.press(keys)
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            let hints = hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }
            #expect(hints.count >= 2)
            for (hint, point) in hints {
                // The first line cannot scroll up.
                if key(hint) == Keymap.standard.keys(for: .up).first { continue }
                #expect(acts(sample, pressed(sample, try #require(key(hint)))), "\(keys): \(hint)")
                #expect(acts(sample, clicked(sample, point)), "\(keys): a click on \(hint)")
            }
        }
    }

    @Test("each key of the footer while an ad covers the panes")
    func footerUnderAd() throws {
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            var sample = DashboardSample(try FormatsSamples.all(), columns, rows)
            try sample.press("9")
            #expect(sample.state.presentedAd(sample.snapshot) != nil)
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            try expectThatEachActs(hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }, sample)
        }
    }

    @Test("each key of the footer beside the table of sessions", arguments: [Pane.sessions, .log])
    func table(_ focus: Pane) throws {
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            var sample = SessionTableSample(SessionTableSamples.some, columns, rows)
            sample.state.focusPane(focus)
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            let hints = hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }
            #expect(hints.count > 4)
            for (hint, point) in hints {
                var typed = sample
                let before = sample.frame.grid
                typed.send(.input(.key(try #require(key(hint)))))
                #expect(!typed.effects.isEmpty || typed.frame.grid != before, "\(hint)")
                var byMouse = sample
                byMouse.click(point)
                #expect(byMouse.effects == typed.effects && byMouse.frame.grid == typed.frame.grid, "\(hint)")
            }
        }
    }

    @Test("help, quit and the command line are in the footer of every size, and all keys can be clicked from there")
    func always() throws {
        for (columns, rows) in [(40, 8), (59, 16), (60, 20), (80, 24), (120, 40), (200, 60)] {
            let session = DashboardSample(SnapshotSamples.midBreak, columns, rows)
            try expectTheWays(of: FrameContext(session.snapshot, session.state, now: session.now), .back)
            let table = SessionTableSample(SessionTableSamples.some, columns, rows)
            try expectTheWays(of: FrameContext(table.snapshot, table.state, now: table.now), .quit)
        }
        let small = SessionTableSample(SessionTableSamples.some, 39, 12)
        try expectTheWays(of: FrameContext(small.snapshot, small.state, now: small.now), .quit)
    }

    private func expectTheWays(of frame: FrameContext, _ end: Action) throws {
        let shown = hints(frame.layout.footer) { FooterRow.press(at: $0, frame) }.map(\.hint)
        for action in [Action.help, .command, end] {
            #expect(shown.contains(.action(action)), "\(action) at \(frame.context.size)")
        }
    }

    @Test(
        "each key in the help of a pane can be clicked, and acts as without the help",
        arguments: situations.filter { $0.size.columns == 80 })
    func clickedHelp(_ situation: Situation) throws {
        let sample = try situation.sample()
        var open = sample
        open.send(.input(.key(try #require(Keymap.standard.keys(for: .help).first))))
        // On a finding it is the rule.
        guard open.state.help == .keys else { return }
        let frame = FrameContext(open.snapshot, open.state, now: open.now)
        let rect = HelpPane.rect(frame)
        var found: [(hint: HintPress, point: Point)] = []
        for y in rect.y..<rect.maxY {
            // Entries begin at the border, and in the middle.
            for x in [rect.x + 2, rect.x + rect.width / 2 + 2] {
                let point = Point(x: x, y: y)
                guard let hint = HelpPane.press(at: point, frame) else { continue }
                // What acts on the help itself is no key of the pane.
                if case .ofHelp = hint { continue }
                found.append((hint, point))
            }
        }
        let keys = PaneHelp.keys(frame).filter { $0.action != .back }
        #expect(found.count == keys.count, "\(found.map(\.hint))")
        for (hint, point) in found {
            let typed = pressed(sample, try #require(key(hint)))
            let byMouse = clicked(open, point)
            #expect(byMouse.effects == typed.effects, "\(hint)")
            #expect(byMouse.state.focus == typed.state.focus && byMouse.state.help == typed.state.help, "\(hint)")
        }
    }
}
