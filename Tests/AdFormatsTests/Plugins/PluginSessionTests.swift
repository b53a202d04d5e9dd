import AdFormats
import Ports
import Testing

/// The host's side of a plugin process: greeting, lines, hangs, floods and exits (FMT-25).
@Suite struct PluginSessionTests {
    private func started() -> PluginSession {
        var session = PluginSession()
        _ = session.started(configuration: ["unit": "x"], parameters: [:], at: .zero)
        return session
    }

    private func ready() -> PluginSession {
        var session = started()
        _ = session.received(Self.readyLine.utf8, at: .seconds(1))
        return session
    }

    private static let readyLine =
        #"{"type":"ready","provider":"acme","capabilities":["banner"],"sizes":{"WIDE":[640,50]}}"# + "\n"

    @Test func theGreetingNamesProtocolConfigurationAndParameters() {
        var session = PluginSession()
        #expect(
            session.started(configuration: ["key": 1], parameters: ["o": "p"], at: .zero) == [
                .write(#"{"type":"hello","protocol":1,"configuration":{"key":1},"parameters":{"o":"p"}}"# + "\n")
            ])
    }

    @Test func whatIsSaidBeforeReadyWaits() {
        var session = started()
        #expect(session.send(.show(presenter: "s"), at: .seconds(1)).isEmpty)
        let outputs = session.received(Self.readyLine.utf8, at: .seconds(1))
        #expect(
            outputs == [
                .deliver(
                    .ready(
                        provider: "acme", capabilities: [.banner],
                        sizes: NamedSizes(["WIDE": PixelSize(width: 640, height: 50)]))),
                .write(#"{"type":"show","presenter":"s"}"# + "\n"),
            ])
        #expect(session.state == .ready && session.nextDue == nil)
    }

    @Test func linesMayComeInPieces() {
        var session = ready()
        let line = Array((#"{"type":"state","presenter":"s","state":"closed"}"# + "\r\n").utf8)
        #expect(session.received(line.prefix(10), at: .seconds(2)).isEmpty)
        #expect(
            session.received(line.dropFirst(10), at: .seconds(2)) == [.deliver(.state(presenter: "s", .closed))])
    }

    @Test func aPluginThatNeverGreetsIsEnded() {
        var session = started()
        #expect(session.advance(to: .milliseconds(4_999)).isEmpty)
        #expect(
            session.advance(to: .seconds(5)) == [
                .terminate, .ended(reason: "the plugin did not send ready within 5s"),
            ])
    }

    @Test func timeInWhichNothingRanIsNotItsOwn() {
        var greeting = started()
        greeting.stoodStill(for: .seconds(60))
        #expect(greeting.nextDue == .seconds(65) && greeting.advance(to: .milliseconds(64_999)).isEmpty)
        #expect(!greeting.advance(to: .seconds(65)).isEmpty)
        var asked = ready()
        for name in ["a", "b", "c"] { _ = asked.send(.load(presenter: name, config: [:]), at: .seconds(1)) }
        asked.stoodStill(for: .seconds(60))
        #expect(asked.nextDue == .seconds(71) && asked.advance(to: .milliseconds(70_999)).isEmpty)
        #expect(asked.advance(to: .seconds(71)).first == .terminate)
        var closing = ready()
        _ = closing.close("over", at: .seconds(2))
        closing.stoodStill(for: .seconds(60))
        #expect(closing.nextDue == .seconds(64))
        var idle = ready()
        idle.stoodStill(for: .seconds(60))
        #expect(idle.nextDue == nil)
    }

    @Test func aFloodEndsIt() {
        var session = ready()
        let flood = [UInt8](repeating: UInt8(ascii: "x"), count: PluginSession.maximumLineBytes)
        #expect(session.received(flood, at: .seconds(2)).isEmpty)
        #expect(
            session.received([UInt8(ascii: "x")], at: .seconds(2)) == [
                .kill, .ended(reason: "a line of its output is longer than 1 MiB"),
            ])
        #expect(session.received(flood, at: .seconds(3)).isEmpty)
    }

    @Test func linesThatCannotBeReadAreNotedAndThenTooMany() {
        var session = ready()
        #expect(
            session.received("nonsense\n".utf8, at: .seconds(2)) == [
                .note(.warning, "a line of the plugin is not JSON: expected 'null' at column 1")
            ])
        var last: [PluginSession.Output] = []
        for _ in 1..<PluginSession.maximumBadLines { last = session.received("x\n".utf8, at: .seconds(2)) }
        #expect(last.suffix(2) == [.kill, .ended(reason: "too many lines are invalid")])
    }

    @Test func unknownMessagesAreIgnored() {
        var session = ready()
        #expect(session.received((#"{"type":"weather"}"# + "\n").utf8, at: .seconds(2)).isEmpty)
        #expect(
            session.received(Self.readyLine.utf8, at: .seconds(2)) == [.note(.warning, "the plugin sent ready twice")])
    }

    @Test func itsDeathIsTold() {
        var session = ready()
        #expect(session.exited("ended with status 3") == [.ended(reason: "the plugin ended with status 3")])
        #expect(session.exited("again").isEmpty && session.send(.show(presenter: "s"), at: .seconds(1)).isEmpty)
    }

    @Test func closingWaitsTwoSecondsOfSilence() {
        var session = ready()
        #expect(session.close("done", at: .seconds(10)) == [.write(#"{"type":"bye","reason":"done"}"# + "\n")])
        _ = session.received("\n".utf8, at: .seconds(11))
        #expect(session.advance(to: .seconds(12)).isEmpty)
        #expect(session.advance(to: .seconds(13)) == [.kill, .ended(reason: "killed after 2s of silence")])
    }

    @Test func aPluginThatTalksOnIsKilledAllTheSame() {
        var session = ready()
        _ = session.close("done", at: .seconds(10))
        for second in 11...14 {
            _ = session.received("\n".utf8, at: .seconds(second))
            #expect(session.advance(to: .seconds(second)).isEmpty)
        }
        #expect(session.nextDue == .seconds(15))
        #expect(session.advance(to: .seconds(15)) == [.kill, .ended(reason: "killed 5s after bye")])
    }

    @Test func anOrderlyEndNeedsNoKill() {
        var session = ready()
        _ = session.close("done", at: .seconds(10))
        #expect(session.exited("ended with status 0") == [.ended(reason: "closed")])
    }

    @Test func aFloodOfLinesEndsThePlugin() {
        var session = ready()
        let line = Array((#"{"type":"weather"}"# + "\n").utf8)
        for _ in 0..<PluginSession.maximumLinesPerSecond { #expect(session.received(line, at: .seconds(5)).isEmpty) }
        // Each second has its own limit, which both outputs share.
        for _ in 1..<PluginSession.maximumLinesPerSecond {
            #expect(session.complained("\n".utf8, at: .seconds(6)).isEmpty)
        }
        #expect(session.received(line, at: .seconds(6)).isEmpty)
        let reason = "the plugin writes more than 200 lines or 4 MiB per second"
        #expect(session.received(line, at: .milliseconds(6_900)) == [.kill, .ended(reason: reason)])
    }

    @Test func aFloodOfComplaintsEndsThePlugin() {
        var session = ready()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: PluginSession.maximumBytesPerSecond)
        #expect(session.complained(bytes, at: .seconds(5)).isEmpty)
        #expect(session.complained("x".utf8, at: .seconds(5)).first == .kill)
    }

    @Test func onceItIsDeafItIsGivenUp() {
        var session = ready()
        #expect(session.wentDeaf() == [.kill, .ended(reason: "the plugin does not read its input")])
        #expect(session.wentDeaf().isEmpty)
    }

    @Test func complaintsGoToTheLog() {
        var session = ready()
        #expect(session.complained("half".utf8, at: .seconds(2)).isEmpty)
        #expect(session.complained(" a line\n".utf8, at: .seconds(2)) == [.note(.info, "half a line")])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func anyBytesAreSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = ["{", "}", "\"type\":", "\"loaded\"", ",", "\"presenter\":\"s\"", "\n", "[", "null", "\u{0}", "é"]
        var session = ready()
        for _ in 0..<2_000 {
            let bytes = Array(parts[Int(random.next() % UInt64(parts.count))].utf8)
            for output in session.received(bytes, at: .seconds(2)) {
                if case .deliver(let message) = output { #expect(message.presenter == "s", "seed \(seed)") }
            }
        }
    }
}
