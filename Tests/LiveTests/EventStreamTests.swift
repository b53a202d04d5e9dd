import AdTracking
import Foundation
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Monitoring
@testable import Session

@Suite struct EventStreamTests {
    private let folder: TemporaryFolder
    private let key = SessionKey("http://h:80 secret-session")

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func claim(_ number: Int) -> JournalClaim {
        let beacon = JournalBeacon(
            session: "s", breakName: "=b1", adName: "5000000:2", adStart: UnixTime(milliseconds: 1), type: "start",
            start: UnixTime(milliseconds: 1_000), url: "http://x/\(number)?token=hidden&n=1")
        return JournalClaim(
            number: number, beacon: beacon, round: 0, attempt: 1, at: UnixTime(milliseconds: 1_020),
            late: .milliseconds(20))
    }

    private func lines(_ name: String = "events") throws -> [JSONValue] {
        try String(contentsOfFile: folder.file(name), encoding: .utf8).split(separator: "\n")
            .map { try JSONReader.read(String($0)) }
    }

    /// A full disk or a power loss cuts the last line of a file, and the next process appends to it.
    @Test(arguments: ["{\"kind\":\"cl", "{}\n", ""]) func aLineThatWasCutEndsThere(left: String) async throws {
        try folder.write(left, to: "cut")
        let stream = try EventStream(path: folder.file("cut"))
        stream.write("{\"kind\":\"x\"}")
        #expect(await stream.finish() == nil)
        let text = try String(contentsOfFile: folder.file("cut"), encoding: .utf8)
        #expect(text == left + (left.hasSuffix("cl") ? "\n" : "") + "{\"kind\":\"x\"}\n")
    }

    /// The time may be over just when the last line was written: nothing is missing then.
    @Test func anEndWithoutMissingLinesIsNoFailure() async throws {
        let stream = try EventStream(path: folder.file("events"))
        for _ in 0..<200 { #expect(await stream.finish(within: .zero) == nil) }
    }

    @Test func keepsTheJournalsContract() async throws {
        let stream = try EventStream(path: folder.file("events"))
        let storage = InMemoryJournal.Storage()
        try await JournalContract {
            EventStreamJournal(InMemoryJournal(storage: storage), stream: stream, isRedacted: true)
        }.check()
    }

    @Test func everythingIsALine() async throws {
        let stream = try EventStream(path: folder.file("events"))
        let journal = EventStreamJournal(InMemoryJournal(), stream: stream, isRedacted: true)
        _ = try await journal.open(key)
        try await journal.writeClaims([Self.claim(7)])
        try await journal.writeOutcomes([
            JournalOutcome(
                claim: 7, state: "acknowledged", status: 204, at: UnixTime(milliseconds: 1_060), late: .seconds(4))
        ])
        try await journal.writeNotes([
            JournalNote(at: UnixTime(milliseconds: 3), .action("mute")),
            JournalNote(at: UnixTime(milliseconds: 4), .log(.info, "see http://x/?token=hidden now")),
            JournalNote(
                at: UnixTime(milliseconds: 5),
                .finding(Finding(rule: "L03", severity: .warning, message: "m", line: 4), source: .metadata)),
        ])
        await journal.close()
        #expect(await stream.finish() == nil)
        let lines = try lines()
        #expect(lines.map { $0["kind"]?.stringValue } == ["opened", "claim", "outcome", "action", "log", "finding"])
        #expect(lines.allSatisfy { $0["session"]?.stringValue == "http://h:80 ***" })
        #expect(Set(lines.map { $0["sessionHash"]?.stringValue }).count == 1)
        let claim = lines[1]
        #expect(claim["atMs"]?.integerValue == 1_020)
        #expect(claim["break"]?.stringValue == "b1")
        #expect(claim["ad"]?.stringValue == "5000000:2")
        #expect(claim["url"]?.stringValue == "http://x/7?token=***&n=1")
        #expect(claim["lateMs"]?.integerValue == 20)
        #expect(lines[2]["claim"]?.integerValue == 7)
        #expect(lines[2]["status"]?.integerValue == 204 && lines[2]["lateMs"]?.integerValue == 4_000)
        #expect(lines[4]["message"]?.stringValue == "see http://x/?token=*** now")
        #expect(lines[5]["line"]?.integerValue == 4)
        let text = try String(contentsOfFile: folder.file("events"), encoding: .utf8)
        #expect(!text.contains("hidden") && !text.contains("secret-session"))
    }

    /// What waits for the journal together is written claims first, then outcomes, then notes, so that later lines can be earlier ones;
    /// docs/events.md has the rule.
    @Test func linesComeInTheOrderInWhichTheJournalTakesThem() async throws {
        let stream = try EventStream(path: folder.file("events"))
        var queue = JournalQueue(EventStreamJournal(InMemoryJournal(), stream: stream, isRedacted: true))
        let notes = [1_001, 1_002].map { JournalNote(at: UnixTime(milliseconds: $0), .action("mute")) }
        let outcome = JournalOutcome(claim: 6, state: "acknowledged", status: 204, at: UnixTime(milliseconds: 1_010))
        let effects: [Effect] = [
            .openJournal(key, holding: []), .writeClaims([Self.claim(6)]), .writeNotes(notes),
            .writeOutcomes([outcome]),
            .writeClaims([Self.claim(7)]),
        ]
        for effect in effects { _ = queue.append(effect) }
        while let work = queue.next() { _ = await work.perform(queue.port) }
        #expect(await stream.finish() == nil)
        let lines = try lines().dropFirst()
        #expect(lines.compactMap { $0["atMs"]?.integerValue } == [1_020, 1_020, 1_010, 1_001, 1_002])
        #expect(lines.map { $0["kind"]?.stringValue } == ["claim", "claim", "outcome", "action", "action"])
        #expect(lines.prefix(2).map { $0["claim"]?.integerValue } == [6, 7])
        let rule = "the journal takes claims first, then outcomes, then everything else"
        #expect(try DocumentationPage.text("events").contains(rule))
    }

    /// Each text of a line may have an address in it.
    @Test func everyTextIsMasked() {
        let writer = EventLine(session: key, isRedacted: true)
        let (at, secret) = (UnixTime(milliseconds: 3), "../a.ts?token=hidden")
        let finding = Finding(rule: "L03", severity: .warning, message: secret, path: secret)
        let lines = [
            writer.note(JournalNote(at: at, .finding(finding, source: .playlist))),
            writer.note(JournalNote(at: at, .action(secret))), writer.note(JournalNote(at: at, .log(.info, secret))),
            writer.failed(JournalProblem(.lost, secret), at: at),
            writer.opened(JournalOpening(entries: [], notice: secret), at: at),
        ]
        #expect(lines.allSatisfy { $0.contains("token=***") && !$0.contains("hidden") }, "\(lines)")
    }

    /// What a journal calls the pings of a session has its identifier.
    @Test(arguments: [(true, "ping/***"), (false, "ping/secret-session")])
    func pingsAreNotNamedByTheirSession(isRedacted: Bool, name: String) throws {
        let writer = EventLine(session: key, isRedacted: isRedacted)
        var beacon = Self.claim(7).beacon
        (beacon.breakName, beacon.type) = ("=ping/secret-session", "ping")
        let unsent = JournalNote.Unsent(beacon: beacon, state: DeliveryState.observed.rawValue, reason: nil)
        let line = try JSONReader.read(writer.note(JournalNote(at: UnixTime(milliseconds: 3), .unsent(unsent))))
        #expect(line["break"]?.stringValue == name)
    }

    /// Lines are for programs: they have the stable name of a state, and docs/events.md lists it.
    @Test(arguments: DeliveryState.allCases) func aStateHasItsStableName(state: DeliveryState) throws {
        let writer = EventLine(session: key, isRedacted: true)
        let at = UnixTime(milliseconds: 1_060)
        let page = try DocumentationPage.text("events")
        switch state {
        case .acknowledged, .rejected, .failed, .unknown:
            let outcome = JournalOutcome(claim: 7, state: state.rawValue, status: nil, at: at)
            let line = try JSONReader.read(writer.outcome(outcome))
            #expect(line["kind"] == "outcome" && line["state"]?.stringValue == state.rawValue)
        case .observed, .skipped:
            let unsent = JournalNote.Unsent(
                beacon: Self.claim(7).beacon, state: state.rawValue, reason: SkipReason.observeMode.rawValue)
            let line = try JSONReader.read(writer.note(JournalNote(at: at, .unsent(unsent))))
            #expect(line["kind"]?.stringValue == state.rawValue && line["reason"] == "observe-mode")
        case .planned, .claimed, .sent, .waiting: return
        }
        #expect(page.contains("`\(state.rawValue)`"))
    }

    /// Who reports in the session, where its provider has several ways.
    @Test(arguments: [nil, "pings"] as [String?]) func aSessionHasItsMode(_ mode: String?) throws {
        var session = JournalNote.Session(name: "s", mediaURL: "http://x/", provider: "uplynk", mode: "fire")
        session.serviceMode = mode
        let note = JournalNote(at: UnixTime(milliseconds: 5), .session(session))
        let line = try JSONReader.read(EventLine(session: key, isRedacted: true).note(note))
        #expect(line["kind"] == "session" && line["provider"] == "uplynk" && line["mode"] == "fire")
        #expect(line["serviceMode"] == JSONValue.optional(mode))
    }

    @Test func nothingIsMaskedWhereThatIsWanted() async throws {
        let stream = try EventStream(path: folder.file("events"))
        let journal = EventStreamJournal(InMemoryJournal(), stream: stream, isRedacted: false)
        _ = try await journal.open(key)
        try await journal.writeClaims([Self.claim(7)])
        #expect(await stream.finish() == nil)
        let lines = try lines()
        #expect(lines.last?["session"]?.stringValue == key.text)
        #expect(lines.last?["url"]?.stringValue == "http://x/7?token=hidden&n=1")
    }

    /// A record that the journal rejects is not written, and the rejection is a line.
    @Test func failuresAreLines() async throws {
        let stream = try EventStream(path: folder.file("events"))
        let storage = InMemoryJournal.Storage()
        let holder = InMemoryJournal(storage: storage)
        _ = try await holder.open(key)
        let journal = EventStreamJournal(InMemoryJournal(storage: storage), stream: stream, isRedacted: true)
        await #expect(throws: JournalProblem.self) { _ = try await journal.open(key) }
        await #expect(throws: JournalProblem.self) { try await journal.writeClaims([Self.claim(1)]) }
        #expect(await stream.finish() == nil)
        #expect(try lines().map { $0["kind"]?.stringValue } == ["journalFailed", "journalFailed"])
    }

    @Test func aFileIsAppendedTo() async throws {
        for number in 1...2 {
            let stream = try EventStream(path: folder.file("events"))
            stream.write("{\"n\":\(number)}")
            #expect(await stream.finish() == nil)
        }
        #expect(try lines().map { $0["n"]?.integerValue } == [1, 2])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("events"))
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }

    /// Standard output may be a pipe that does not block. Its reader gets all that fits the buffer, and then how much was dropped.
    @Test(arguments: [2_000, 3 * EventStream.linesWaiting])
    func aReaderThatIsSlowGetsEveryLineThatWaited(count: Int) async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let stream = EventStream(descriptor: writing, place: "pipe")
        let line = String(repeating: "x", count: 99)
        for _ in 0..<count { stream.write(line) }
        // Ends with the last line, which the test writes itself.
        let reader = Task.detached { Self.text(from: reading, upTo: "end\n") }
        #expect(await stream.finish() == nil)
        try #require(fcntl(writing, F_SETFL, 0) == 0 && write(writing, "end\n", 4) == 4)
        let lines = await reader.value.split(separator: "\n").dropLast()
        let dropped = lines.filter { $0 != line }.compactMap { text in
            (try? JSONReader.read(String(text)))?["lines"]?.integerValue
        }
        #expect(dropped.isEmpty == (count <= EventStream.linesWaiting))
        #expect(lines.count - dropped.count + Int(dropped.reduce(0, +)) == count)
    }

    private static func text(from descriptor: Int32, upTo end: String) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whoever follows a session for such a reader stops then.
    @Test func aReaderThatHasGoneIsReportedAndIsNoFailure() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let stream = EventStream(descriptor: ends[1], place: "pipe", isStandardOutput: true)
        stream.write("line")
        for await _ in stream.untilReaderLeaves {}
        #expect(await stream.finish() == nil)
    }

    @Test func aPathThatCannotBeOpenedIsReported() {
        #expect(throws: FileProblem.self) { try EventStream(path: folder.file("none/events")) }
    }
}
