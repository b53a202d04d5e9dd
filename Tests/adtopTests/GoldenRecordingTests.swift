import Foundation
import Live
import Ports
import Screen
import Session
import TestSupport
import Testing

@testable import adtop

/// Fixed recordings and the screens that they must give. `adtop simulate … --record` wrote them: the first with `rush
/// --for 75s --seed 3 --faults reset,4xx,5xx,slow`, the second with `client-side --for 60s`.
@Suite struct GoldenRecordingTests {
    private static let folder = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden/recording")
    static let names = ["rush", "client-side"]

    static func recording(_ name: String) throws -> Recording {
        try RecordingFile.read(folder.appendingPathComponent(name + ".adtop").path)
    }

    /// The output of `adtop replay FILE --dump`; without `withPosition` what the session itself showed then, whatever the
    /// recording has beyond.
    static func screen(
        _ player: ReplayPlayer, _ size: Size = Size(columns: 120, rows: 40), keys: String = "",
        theme: String = "default", as format: FrameOptions.Format = .text, withPosition: Bool = true
    ) throws -> String {
        var player = player
        let flags: [Setting: String] = [.color: "truecolor", .theme: theme]
        let settings = try Settings(SettingTexts(flags: flags, environment: [:], file: nil))
        let frame = HeadlessFrame(
            settings: settings.screen, size: size, pane: nil, keys: try KeySequence.parse(keys).map(InputEvent.key),
            isRedacted: true)
        var snapshot = player.snapshot(real: .zero)
        if !withPosition { snapshot.session.replay = nil }
        return try frame.text(of: snapshot, as: format, playing: player)
    }

    static func player(_ name: String, at seconds: Int) throws -> ReplayPlayer {
        let replay = Replay(try recording(name))
        let span = try #require(replay.span)
        return ReplayPlayer(replay, from: min(span.lowerBound + .seconds(seconds), span.upperBound), real: .zero)
    }

    private func compare(_ text: String, _ name: String, source: SourceLocation = #_sourceLocation) {
        guard let failure = GoldenComparer().compare(text, with: "recording/\(name)").failure else { return }
        Issue.record(Comment(rawValue: failure), sourceLocation: source)
    }

    /// Between breaks, in a break, while everything fails, and afterwards; without the footer, which has goldens of its
    /// own.
    @Test(arguments: [("rush", [0, 10, 42, 55, 75]), ("client-side", [3, 20, 60])])
    func givesItsScreens(name: String, moments: [Int]) throws {
        for seconds in moments {
            let rows = try Self.screen(Self.player(name, at: seconds)).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(rows.count == 41 && rows.last == "")
            compare(rows.dropLast(2).map { $0 + "\n" }.joined(), "\(name)-\(seconds)s.120x40.txt")
        }
    }

    /// One with its footer, and the colours of another.
    @Test func givesAWholeScreenAndColours() throws {
        let player = try Self.player("rush", at: 42)
        compare(try Self.screen(player, Size(columns: 80, rows: 24)), "rush-42s.80x24.txt")
        compare(try Self.screen(Self.player("rush", at: 55), as: .ansi), "rush-55s.120x40.ansi")
    }

    /// The pictures of README and docs are what the program draws today.
    @Test func drawsThePicturesOfTheDocs() throws {
        let folder = ConformanceFolder.projectRoot.appendingPathComponent("docs")
        let list = try String(contentsOf: folder.appendingPathComponent("pictures.txt"), encoding: .utf8)
        let rows = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
        for row in rows {
            let seconds = try #require(Int(row[2]))
            let sides = row[3].split(separator: "x").compactMap { Int($0) }
            let drawn = try Self.screen(
                Self.player(String(row[1]), at: seconds), Size(columns: sides[0], rows: sides[1]),
                keys: row.dropFirst(5).joined(separator: " "), theme: String(row[4]), as: .svg)
            let picture = folder.appendingPathComponent("\(row[0]).svg")
            #expect(
                try String(contentsOf: picture, encoding: .utf8) == drawn,
                "docs/\(row[0]).svg differs from what the program draws; run make pictures and look at it")
        }
        #expect(rows.count == 6)
    }

    @Test func givesItsModel() throws {
        let player = try Self.player("client-side", at: 20)
        compare(try Self.screen(player, as: .json), "client-side-20s.json")
    }

    /// A recording that a crash cut at any point shows everything written before, unchanged.
    @Test(arguments: names) func cutOffItGivesWhatPrecedesTheCut(name: String) throws {
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(name + ".adtop"))
        let whole = try Self.recording(name)
        var replay = Replay(whole)
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.file("cut"))
        var random = SplitMix64(seed: 5)
        let cuts = (0..<40).map { _ in Int(random.next() % UInt64(data.count)) } + [data.count - 1, data.count - 9]
        for length in cuts.sorted() {
            try data.prefix(length).write(to: file)
            let recording: Recording
            do {
                recording = try RecordingFile.read(file.path)
            } catch {
                // The first line is not complete.
                #expect(length < 600, "\(length) bytes: \(error)")
                continue
            }
            #expect(recording.isTruncated, "\(length) bytes")
            let count = recording.inputs.count
            #expect(recording.inputs == Array(whole.inputs.prefix(count)), "\(length) bytes")
            replay.move(to: count)
            let expected = try Self.screen(ReplayPlayer(replay, after: count, real: .zero), withPosition: false)
            let seen = try Self.screen(
                ReplayPlayer(Replay(recording), after: count, real: .zero), withPosition: false)
            #expect(seen == expected, "\(length) bytes")
        }
    }

    /// `client-side-1.adtop` is the beginning of `client-side.adtop`, in the format of version 0.1.0.
    @Test func theOldFormatGivesTheSameScreens() throws {
        let old = try Self.recording("client-side-1")
        let new = try Self.recording("client-side")
        #expect(old.inputs.count == 48)
        #expect(old.inputs == Array(new.inputs.prefix(48)))
        for count in stride(from: 1, through: 48, by: 6) {
            let expected = try Self.screen(ReplayPlayer(Replay(new), after: count, real: .zero), withPosition: false)
            let seen = try Self.screen(ReplayPlayer(Replay(old), after: count, real: .zero), withPosition: false)
            #expect(seen == expected)
        }
    }

    /// Keys that control the replay reach the same position as `--at` or `--step`; the tree does not contain their
    /// toast.
    @Test(arguments: [
        (60, ": s e e k Space - 3 0 s Enter", 30), (10, ": s e e k Space + 1 m Enter", 70),
        (20, ": s e e k Space l i v e Enter", 75), (50, ": s e e k Space 0 8 : 0 0 : 1 2 Enter", 12),
        (30, ": s e e k Space - 2 h Enter", 0), (42, ": p a u s e Enter : p l a y Enter", 42),
        (42, "p p", 42), (42, ": r a t e Space 4 Enter", 42),
    ])
    func keysMoveTheReplay(from start: Int, keys: String, to end: Int) throws {
        let moved = try Self.screen(Self.player("rush", at: start), keys: keys, as: .json)
        let there = try Self.screen(Self.player("rush", at: end), as: .json)
        #expect(moved == there)
    }

    @Test(arguments: [(". . .", 3), (". . ,", 1), (": s t e p Space 2 0 Enter", 20), (": s t e p Space - 7 Enter", -7)])
    func keysStepThroughTheReplay(keys: String, distance: Int) throws {
        let replay = Replay(try Self.recording("rush"))
        let moved = try Self.screen(ReplayPlayer(replay, after: 100, real: .zero), keys: keys, as: .json)
        let there = try Self.screen(ReplayPlayer(replay, after: 100 + distance, real: .zero), as: .json)
        #expect(moved == there)
    }

    @Test func whatTheReplayDidIsSaid() throws {
        let said = [
            ".": "✓ paused at 1:01.4 of 1:14.8, step 149 of 190: timer",
            ". : r a t e Space 4 Enter": "✓ the replay runs at 4.0x",
            "m": "✗ this is a recording: nothing can be changed or sent",
        ]
        for (keys, notice) in said {
            #expect(try Self.screen(Self.player("rush", at: 60), keys: keys).contains(notice), "\(keys)")
        }
    }
}
