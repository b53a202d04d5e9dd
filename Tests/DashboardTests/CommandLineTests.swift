import AdTracking
import HLS
import Ports
import Screen
import Session
import Testing

@testable import Dashboard

@Suite struct CommandLineTests {
    private let date = SnapshotSamples.playhead

    @Test(
        "every command of the table is understood",
        arguments: [
            ("arm", Command.arm), ("observe", .observe), (" q ", .quit), ("exit", .quit), (":help", .help),
            ("freeze", .freeze), ("session", .session),
            ("play", .player(.play)), ("pause", .player(.pause)), ("seek live", .player(.seek(.live))),
            ("seek -30s", .player(.seek(.by(.seconds(-30))))), ("seek +1m30s", .player(.seek(.by(.seconds(90))))),
            ("seek -5", .player(.seek(.by(.seconds(-5))))), ("seek 60s", .player(.seek(.by(.seconds(60))))),
            ("seek 1m30s", .player(.seek(.by(.seconds(90))))), ("rate 2", .player(.setRate(2))),
            ("rate 0.5x", .player(.setRate(0.5))), ("step", .step(1)), ("step -7", .step(-7)), ("step 20", .step(20)),
            ("report rewind", .report(.rewind)), ("retry", .retry), ("filter brand x", .filter("brand x")),
            ("filter", .filter("")),
            ("copy curl", .copy(.curl)), ("export csv", .export(.csv, file: nil)),
            ("export svg  my file.svg", .export(.svg, file: "my file.svg")), ("theme paper", .theme("paper")),
            ("set wrap off", .set(.wrap(false))), ("set level error", .set(.level(.error))),
            ("set sort failures", .set(.sort(.failures))), ("variant", .variant(nil)),
            ("set ascii yes", .set(.ascii(true))), ("log break", .logBreak), ("log beacons", .log([.beacons])),
            ("bind freeze x", .bind(.freeze, KeyPress(.char("x")))),
            ("bind  page-down  Space", .bind(.pageDown, KeyPress(.char(" ")))),
            ("variant best", .variant(.best)),
            ("variant 720p", .variant(.height(720))), ("variant v/high.m3u8", .variant(.uri("v/high.m3u8"))),
        ])
    func understood(_ line: String, _ command: Command) throws {
        #expect(try CommandLine.parse(line, date: date) == command)
    }

    @Test("a time of day is read as one of the playhead's day, or of the nearer day around midnight")
    func timeOfDay() throws {
        #expect(
            try CommandLine.parse("seek 12:40:31", date: date) == .player(.seek(.date(SnapshotSamples.at(12, 40, 31)))))
        #expect(try CommandLine.parse("seek 12:40", date: date) == .player(.seek(.date(SnapshotSamples.at(12, 40, 0)))))
        // In a recording the times of the scrubber are positions, as far as it is that long.
        let recording = (position: Duration.seconds(34), length: Duration.seconds(102))
        #expect(
            try CommandLine.parse("seek 0:50", date: date, recording: recording) == .player(.seek(.by(.seconds(16)))))
        #expect(
            try CommandLine.parse("seek 50s", date: date, recording: recording) == .player(.seek(.by(.seconds(16)))))
        #expect(throws: CommandProblem.beyond("1h", length: .seconds(102))) {
            try CommandLine.parse("seek 1h", date: date, recording: recording)
        }
        #expect(
            try CommandLine.parse("seek 12:41", date: date, recording: recording)
                == .player(.seek(.date(SnapshotSamples.at(12, 41, 0)))))
        #expect(
            try CommandLine.parse("seek 12:40:31.5", date: date)
                == .player(.seek(.date(SnapshotSamples.at(12, 40, 31.5)))))
        let afterMidnight = SnapshotSamples.at(0, 0, 10)
        let before = SnapshotSamples.at(0, 0, 0) - .seconds(20)
        #expect(try CommandLine.parse("seek 23:59:40", date: afterMidnight) == .player(.seek(.date(before))))
        #expect(
            try CommandLine.parse("seek 2026-11-21T12:40:31Z", date: nil)
                == .player(.seek(.date(SnapshotSamples.at(12, 40, 31)))))
    }

    @Test(
        "a problem names the word",
        arguments: [
            ("fire", CommandProblem.unknown("fire")), ("arm now", .surplus("arm")),
            ("seek", .missing("seek", usage: "-30s | +1m | 12:40:31 | DATE | live")),
            ("seek tomorrow", .bad("tomorrow", usage: "live, -30s, +1m30s, 12:40:31 or a date")),
            ("seek 25:00", .bad("25:00", usage: "live, -30s, +1m30s, 12:40:31 or a date")),
            (
                "seek -99999999999999999999s",
                .bad("-99999999999999999999s", usage: "live, -30s, +1m30s, 12:40:31 or a date")
            ),
            ("variant a b", .bad("a b", usage: VariantWish.forms)), ("variant 0", .bad("0", usage: VariantWish.forms)),
            ("step far", .bad("far", usage: "a number of inputs such as 20 or -1")),
            ("step 0", .bad("0", usage: "a number of inputs such as 20 or -1")),
            ("rate fast", .bad("fast", usage: "a number from 0.1 to 16")),
            ("rate -1", .bad("-1", usage: "a number from 0.1 to 16")),
            ("rate nan", .bad("nan", usage: "a number from 0.1 to 16")),
            ("copy all", .bad("all", usage: "url | curl | json | report")),
            ("set", .missing("set", usage: "NAME VALUE")), ("set wrap", .missing("set wrap", usage: "on | off")),
            ("set wrap maybe", .bad("maybe", usage: "on | off")),
            ("bind", .missing("bind", usage: "ACTION KEY")), ("bind freeze", .missing("bind freeze", usage: "KEY")),
            ("bind frieze x", .bad("frieze", usage: "the name of an action; Tab lists all")),
            ("bind freeze xx", .bad("xx", usage: "a key such as x, G, C-d, F2 or Space")),
            ("bind freeze x y", .bad("x y", usage: "a key such as x, G, C-d, F2 or Space")),
            ("set colour red", .bad("colour", usage: "ascii, wrap, times, follow, level, sort")),
        ])
    func refused(_ line: String, _ problem: CommandProblem) {
        #expect(throws: problem) { try CommandLine.parse(line, date: date) }
    }

    @Test(
        "in a recording a position beyond its end is a problem, and no time of day",
        arguments: ["1:43", "12:40", "59:59"])
    func beyond(_ text: String) {
        let recording = (position: Duration.seconds(34), length: Duration.seconds(102))
        let problem = #expect(throws: CommandProblem.self) {
            try CommandLine.parse("seek \(text)", date: date, recording: recording)
        }
        #expect(problem?.description == "\"\(text)\": the recording is 1:42 long")
        let bad = #expect(throws: CommandProblem.self) {
            try CommandLine.parse("seek tomorrow", date: date, recording: recording)
        }
        #expect(bad?.description == "\"tomorrow\": use M:SS, -30s, +1m30s, 12:40:31 or a date")
    }

    @Test("a recording has more speeds than a session")
    func rates() throws {
        let recording = (position: Duration.zero, length: Duration.seconds(102))
        for (text, rate) in [("0.01", 0.01), ("64x", 64), ("1000", 1_000)] {
            #expect(
                try CommandLine.parse("rate \(text)", date: date, recording: recording) == .player(.setRate(rate)))
            #expect(throws: CommandProblem.bad(text, usage: "a number from 0.1 to 16")) {
                try CommandLine.parse("rate \(text)", date: date)
            }
        }
        #expect(throws: CommandProblem.bad("1001", usage: "a number from 0.01 to 1000")) {
            try CommandLine.parse("rate 1001", date: date, recording: recording)
        }
    }

    @Test("without a date a time of day cannot be reached")
    func noDate() {
        #expect(throws: CommandProblem.noPlace) { try CommandLine.parse("seek 12:40:31", date: nil) }
    }

    @Test("a hostile line is a command within its limits, or names the word that is wrong", arguments: 1...20)
    func hostile(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = [
            "seek", "set", "rate", "step", "export", "-", "+", ":", "99999999999999999999", "1e999", "2", "5s", "é",
            "\u{0}", " ", "T", "Z", ".",
        ]
        var (read, rejected) = (0, 0)
        for _ in 0..<500 {
            let line = (0..<Int(random.next() % 6)).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined(
                separator: random.next() % 2 == 0 ? " " : "")
            do throws(CommandProblem) {
                let date = UnixTime(microseconds: Int64(bitPattern: random.next()))
                expectLimits(try CommandLine.parse(line, date: date), line)
                read += 1
            } catch {
                expectPlace(error, line)
                rejected += 1
            }
        }
        #expect(read > 0 && rejected > 0)
    }

    private func expectLimits(_ command: Command, _ line: String) {
        switch command {
        case .player(.setRate(let rate)): #expect((0.1...16).contains(rate), "\(line)")
        case .step(let count): #expect(count != 0, "\(line)")
        case .player(.seek(.by(let span))): #expect((span < .zero) == line.contains("-") || span == .zero, "\(line)")
        default: break
        }
    }

    private func expectPlace(_ problem: CommandProblem, _ line: String) {
        switch problem {
        case .unknown(let word), .bad(let word, _), .unknownRule(let word, _):
            #expect(word.isEmpty || line.contains(word), "\(line)")
        case .missing(let name, _), .surplus(let name), .ofSession(let name):
            #expect(CommandSpec.named(name) != nil || line.contains(name))
        case .noPlace, .beyond, .notOpened:
            Issue.record("the stream is open, there is a date, and no recording: \(line)")
        }
    }
}

@Suite struct CompletionTests {
    @Test(
        "Tab offers what the table has",
        arguments: [
            ("", CommandSpec.all.map(\.name).filter { $0 != "step" }), ("re", ["report", "retry"]),
            ("ex", ["export", "explain"]),
            ("expo", ["export"]), ("zzz", []),
            ("theme m", ["theme midnight", "theme mono"]),
            ("copy ", ["copy url", "copy curl", "copy json", "copy report"]),
            ("set w", ["set wrap"]), ("set wrap ", ["set wrap on", "set wrap off"]), ("report m", ["report mute"]),
            ("arm ", []),
            ("q ", []),
        ])
    func candidates(_ text: String, _ expected: [String]) {
        let found = Completion.candidates(for: text, themes: ["default", "midnight", "mono"]).map(\.line)
        #expect(Array(found.prefix(expected.count)) == expected)
        #expect(found.isEmpty == expected.isEmpty)
    }

    @Test("a live session has no inputs to step through, a recording has nothing to change or to send")
    func ofRecording() {
        for typed in ["", "st", "step "] {
            let live = Completion.candidates(for: typed, themes: []).map(\.line)
            #expect(!live.contains { $0.hasPrefix("step") }, "\(typed)")
            let recording = Completion.candidates(for: typed, themes: [], isRecording: true).map(\.line)
            #expect(recording.contains { $0.hasPrefix("step") }, "\(typed)")
        }
        let all = Set(CommandSpec.all.map(\.name))
        func listed(isRecording: Bool) -> Set<String> {
            Set(Completion.candidates(for: "", themes: [], isRecording: isRecording).map(\.line))
        }
        #expect(all.subtracting(listed(isRecording: false)) == ["step"])
        #expect(
            all.subtracting(listed(isRecording: true)) == ["arm", "observe", "report", "retry", "open", "freeze"])
    }

    @Test(
        "what does not begin with the letters may contain them, in order, or in its sentence",
        arguments: [
            ("heme", ["theme"]), ("frz", ["freeze"]), ("curl", []), ("header", ["session"]),
            ("theme ght", ["theme midnight"]), ("theme dft", ["theme default"]), ("set sr", ["set sort"]),
        ])
    func fuzzy(_ text: String, _ expected: [String]) {
        #expect(
            Completion.candidates(for: text, themes: ["default", "midnight", "mono"]).map(\.line) == expected)
    }

    @Test("actions with their keys, then keys, those that are free first") func bindings() throws {
        let actions = Completion.candidates(for: "bind ", themes: [])
        #expect(actions.map(\.title) == Action.table.map(\.action.rawValue) && actions.allSatisfy(\.needsArgument))
        let freeze = try #require(Completion.candidates(for: "bind free", themes: []).first)
        #expect(freeze.line == "bind freeze" && freeze.action == .freeze)
        let keys = Completion.candidates(for: "bind freeze ", themes: [])
        #expect(keys.first?.line == "bind freeze c" && keys.first?.summary.string == "free")
        #expect(keys.last { $0.title == "q" }?.summary.string == "now back")
        #expect(Completion.candidates(for: "bind freeze F1", themes: []).map(\.title) == ["F10", "F11", "F12"])
        let (map, _) = Keymap.standard.remapped(["freeze": ["c"]])
        #expect(
            Completion.candidates(for: "bind freeze c", themes: [], keymap: map).first?.summary.string == "now freeze")
        #expect(Completion.candidates(for: "bind freeze x y", themes: []).isEmpty)
    }

    @Test("the list names keys and says which commands need an argument") func facts() throws {
        let rows = Completion.candidates(for: "", themes: [], isRecording: true)
        let theme = try #require(rows.first { $0.line == "theme" })
        #expect(theme.action == .theme && theme.needsArgument && theme.title == "theme NAME")
        #expect(rows.first { $0.line == "step" }?.needsArgument == false)
        #expect(rows.allSatisfy { $0.summary.columns > 0 })
    }
}
