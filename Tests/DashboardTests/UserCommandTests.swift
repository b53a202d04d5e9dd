import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The user's own commands on keys.
@Suite struct UserCommandTests {
    private func sample(_ command: UserCommand, _ snapshot: Snapshot = SnapshotSamples.midBreak) -> DashboardSample {
        var sample = DashboardSample(snapshot, 120, 40)
        sample.state.settings.commands = [command]
        return sample
    }

    private static let ticket = UserCommand(
        key: KeyPress(.f(5)), words: ["ticket", "--at={url}", "{host}", "{event}"], summary: "open a ticket")

    @Test("the question shows each argument; y runs exactly these, n nothing")
    func question() throws {
        var sample = sample(Self.ticket)
        try sample.press("!")
        try sample.press("F5")
        guard case .run(let run)? = sample.state.confirmation else {
            Issue.record("no question: \(sample.state.toasts.map(\.text))")
            return
        }
        #expect(run.arguments.count == 4 && run.arguments[0] == "ticket")
        let (url, host) = (String(run.arguments[1].dropFirst("--at=".count)), run.arguments[2])
        #expect(try WebURL(url).host == host)
        let rows = TextWriter.rows(of: sample.frame.grid)
        #expect(
            rows.contains { $0.contains("Run open a ticket? y yes  n no") }
                && rows.contains { $0.contains("--at=http") })
        try sample.press("y")
        #expect(sample.effects == [.run(run)])
        try sample.press("F5 n")
        #expect(sample.effects == [] && sample.state.toasts.last?.text == "the command was not run")
    }

    @Test("answers are whole at any width, and what has no room is counted")
    func narrowQuestion() throws {
        let long = UserCommand(
            key: KeyPress(.f(5)), words: ["ticket"] + (1...30).map { "--field-\($0)=a-value-of-many-columns-\($0)" },
            summary: "open a ticket with everything that is known of it")
        for (columns, rows) in [(60, 20), (80, 24)] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
            sample.state.settings.commands = [long]
            try sample.press("F5")
            let text = TextWriter.text(of: sample.frame.grid)
            #expect(text.contains("y yes  n no") && text.contains("--field-1="), "\(text)")
            #expect(text.contains("more lines have no room") && !text.contains("--field-30="), "\(text)")
        }
        var sessions = SessionTableSample(SessionTableSamples.some, 60, 20)
        try sessions.press("Q")
        #expect(TextWriter.text(of: sessions.frame.grid).contains("y yes  n no"))
    }

    @Test("the key of a command cannot be given to an action, which would never get it")
    func bound() throws {
        var sample = sample(Self.ticket)
        try sample.press(":")
        sample.type("bind freeze F5")
        try sample.press("Enter")
        #expect(sample.state.toasts.last?.text == "F5 runs a command of your own: choose another key")
        #expect(sample.state.settings.keymap.action(for: KeyPress(.f(5))) == nil)
    }

    @Test("a script gets values as arguments and never as text")
    func script() throws {
        let command = UserCommand(
            key: KeyPress(.f(5)), words: ["curl \"$1\" | jq .", "{url}"], usesShell: true, asks: false)
        let run = try command.filled([.url: "https://t.example/?a=$(reboot)&b='\""])
        #expect(
            run.arguments == ["/bin/sh", "-c", "curl \"$1\" | jq .", "adtop", "https://t.example/?a=$(reboot)&b='\""])
    }

    @Test("a value is filled in once, is no option, and has no control characters")
    func values() throws {
        func filled(_ words: [String], _ values: [UserCommand.Placeholder: String]) throws(UserCommand.Problem)
            -> [String]
        {
            try UserCommand(key: KeyPress(.f(5)), words: words).filled(values).arguments
        }
        #expect(
            try filled(["p", "{event}{host}", "{\"a\":1}", "{"], [.event: "{host}", .host: "h"]) == [
                "p", "{host}h", "{\"a\":1}", "{",
            ])
        #expect(throws: UserCommand.Problem.unusable(.event)) { try filled(["p", "{event}"], [.event: "-rf"]) }
        #expect(throws: UserCommand.Problem.unusable(.event)) { try filled(["p", "{event}"], [.event: "-\u{301}rf"]) }
        #expect(try filled(["p", "--event={event}"], [.event: "-rf"]) == ["p", "--event=-rf"])
        #expect(throws: UserCommand.Problem.unusable(.ad)) { try filled(["p", "{ad}"], [.ad: "a\u{0}b"]) }
        #expect(throws: UserCommand.Problem.missing(.url)) { try filled(["p", "{url}"], [:]) }
    }

    @Test("a row without what the command needs, and read-only, run nothing and say why")
    func refused() throws {
        var empty = sample(Self.ticket, SnapshotSamples.starting)
        try empty.press("F5")
        #expect(empty.effects == [] && empty.state.confirmation == nil)
        #expect(empty.state.toasts.last?.text == "the command needs a beacon's address: select a beacon")
        var snapshot = SnapshotSamples.observing
        snapshot.session.canArm = false
        var readonly = sample(UserCommand(key: KeyPress(.f(5)), words: ["true"], asks: false), snapshot)
        try readonly.press("F5")
        #expect(readonly.effects == [] && readonly.state.toasts.last?.text == "read-only: commands are not run")
    }

    @Test("without a question it runs at once; both helps name it")
    func atOnce() throws {
        var sample = sample(UserCommand(key: KeyPress(.f(5)), words: ["true"], asks: false, summary: "does nothing"))
        try sample.press("F5")
        #expect(sample.effects == [.run(CommandRun(summary: "does nothing", arguments: ["true"]))])
        sample.send(.input(.resize(Size(columns: 120, rows: 200))))
        for keys in ["?", "?"] {
            try sample.press(keys)
            let text = TextWriter.text(of: Renderer.pane(.help, sample.snapshot, sample.state, now: sample.now))
            #expect(text.contains("does nothing"))
        }
    }
}
