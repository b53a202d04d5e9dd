import AdFormats
import Ports
import Testing

/// A plugin that does not answer its requests hangs and is ended (FMT-25, BID-22).
@Suite struct PluginQuestionsTests {
    private static let ended = PluginSession.Output.ended(reason: "the plugin did not answer 3 requests in a row")

    private func ready() -> PluginSession {
        var session = PluginSession()
        _ = session.started(configuration: [:], parameters: [:], at: .zero)
        say(#"{"type":"ready","provider":"acme","capabilities":["banner","bid"]}"#, to: &session, at: .zero)
        return session
    }

    private func say(_ line: String, to session: inout PluginSession, at uptime: Duration) {
        _ = session.received((line + "\n").utf8, at: uptime)
    }

    private func bid(_ request: String, to session: inout PluginSession, at uptime: Duration) {
        say(#"{"type":"bid","request":"\#(request)","bid":null}"#, to: &session, at: uptime)
    }

    private func ask(_ request: String, _ session: inout PluginSession, at uptime: Duration) {
        _ = session.send(.bid(request: request, openRTB: [:], within: .milliseconds(300)), at: uptime)
    }

    @Test func theThirdQuestionInARowEndsIt() {
        var session = ready()
        for (second, request) in ["a", "b"].enumerated() {
            ask(request, &session, at: .seconds(second))
            #expect(session.nextDue == .seconds(second) + .milliseconds(301))
            #expect(session.advance(to: .seconds(second) + .milliseconds(301)).isEmpty)
        }
        ask("c", &session, at: .seconds(2))
        #expect(session.advance(to: .milliseconds(2_300)).isEmpty)
        #expect(session.advance(to: .milliseconds(2_301)) == [.terminate, Self.ended])
        #expect(session.isEnded && session.nextDue == nil && !session.hasAnswered)
    }

    @Test func anAnswerInTimeOrLateBeginsTheCountAnew() {
        for late in [false, true] {
            var session = ready()
            ask("a", &session, at: .zero)
            _ = session.advance(to: .seconds(1))
            ask("b", &session, at: .seconds(1))
            if late { _ = session.advance(to: .seconds(2)) }
            bid("b", to: &session, at: .milliseconds(1_200))
            #expect(session.hasAnswered)
            for second in 2...3 {
                ask("c\(second)", &session, at: .seconds(second))
                #expect(session.advance(to: .seconds(second + 1)).isEmpty, "late: \(late)")
            }
            ask("d", &session, at: .seconds(4))
            #expect(session.advance(to: .seconds(5)) == [.terminate, Self.ended])
        }
    }

    @Test func onlyAnswersToItsQuestionsCount() {
        var session = ready()
        for second in 0...2 {
            ask("a\(second)", &session, at: .seconds(second))
            bid("another", to: &session, at: .seconds(second))
            say(#"{"type":"weather"}"#, to: &session, at: .seconds(second))
            say(#"{"type":"state","presenter":"s","state":"closed"}"#, to: &session, at: .seconds(second))
            if second < 2 { #expect(session.advance(to: .milliseconds(second * 1_000 + 500)).isEmpty) }
        }
        #expect(session.advance(to: .seconds(3)) == [.terminate, Self.ended])
    }

    @Test func loadsAreQuestionsWithTimeOfTheirOwn() {
        var session = ready()
        for name in ["one", "two", "three"] { _ = session.send(.load(presenter: name, config: [:]), at: .seconds(1)) }
        _ = session.send(.show(presenter: "one"), at: .seconds(1))
        #expect(session.nextDue == .seconds(1) + PluginSession.loadTime)
        say(#"{"type":"failed","presenter":"two","error":"noFill"}"#, to: &session, at: .seconds(2))
        #expect(session.advance(to: .seconds(11)).isEmpty && session.nextDue == nil)
        _ = session.send(.load(presenter: "two", config: [:]), at: .seconds(20))
        #expect(session.advance(to: .seconds(30)) == [.terminate, Self.ended])
    }

    @Test func timeRunsFromWhenTheQuestionIsHeard() {
        var session = PluginSession()
        _ = session.started(configuration: [:], parameters: [:], at: .zero)
        ask("a", &session, at: .zero)
        #expect(session.nextDue == PluginSession.greetingTime)
        say(#"{"type":"ready","provider":"acme","capabilities":["bid"]}"#, to: &session, at: .seconds(2))
        #expect(session.nextDue == .milliseconds(2_301))
    }

    @Test func nobodyWaitsAfterGoodbye() {
        var session = ready()
        ask("a", &session, at: .seconds(1))
        _ = session.close("done", at: .seconds(1))
        #expect(session.nextDue == .seconds(1) + PluginSession.shutdownSilence)
    }
}
