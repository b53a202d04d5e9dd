import Ports
import Testing

@testable import AdTracking

/// When pings are due (PRV-43).
@Suite struct UplynkPingsTests {
    private static func query(_ ping: UplynkPing?) -> String? {
        ping?.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func next(_ seconds: Int32) -> JSONValue { ["next_time": JSONValue(ExactDecimal(seconds))] }

    /// After the start and its answer, which names second 30.
    private static func running() throws -> UplynkPings {
        var pings = UplynkPings(areWanted: true)
        let start = pings.started(at: .zero)
        #expect(query(start) == "v=3&ev=start&pt=0")
        #expect(pings.answered(next(30), ping: 1) == nil)
        return pings
    }

    @Test func theNextOneIsDueBeyondThePositionAndOnce() throws {
        var pings = try Self.running()
        #expect(pings.started(at: .zero) == nil)
        #expect(pings.moved(to: ExactDecimal(30)) == nil)
        #expect(Self.query(pings.moved(to: try #require(ExactDecimal("31.9")))) == "v=3&pt=31")
        #expect(pings.moved(to: ExactDecimal(60)) == nil && pings.next == .event)
        #expect(pings.answered(Self.next(90), ping: 2) == nil && pings.next == .position(ExactDecimal(90)))
    }

    // MARK: Sessions that another process follows

    private static func successor(of pings: UplynkPings) -> UplynkPings {
        var next = UplynkPings(areWanted: true)
        next.recall(pings.memory)
        return next
    }

    @Test func anotherProcessContinuesAtThePosition() throws {
        var next = Self.successor(of: try Self.running())
        #expect(next.started(at: .zero) == nil && next.next == .position(ExactDecimal(30)))
        #expect(Self.query(next.moved(to: ExactDecimal(31))) == "v=3&pt=31")
    }

    /// Its answer came to no process: the next one follows as behind a ping without an answer.
    @Test func aPingWithoutAnAnswerIsNotRepeatedByAnother() throws {
        var pings = try Self.running()
        #expect(pings.moved(to: ExactDecimal(31)) != nil)
        #expect(Self.successor(of: pings).next == .position(ExactDecimal(41)))
    }

    /// What was sent after the state was handed on is known from the claims.
    @Test func aPingThatWasClaimedLaterCounts() throws {
        var next = Self.successor(of: try Self.running())
        next.sent(at: .zero)
        #expect(next.next == .position(ExactDecimal(30)))
        next.sent(at: ExactDecimal(35))
        #expect(next.next == .position(ExactDecimal(45)))
    }

    @Test func anotherProcessReportsTheStartThatWasNotSent() {
        var pings = UplynkPings(areWanted: true)
        #expect(pings.started(at: .zero) != nil)
        pings.withheld(ping: 1)
        var next = Self.successor(of: pings)
        #expect(Self.query(next.started(at: .zero)) == "v=3&ev=start&pt=0")
    }

    @Test func pingsThatTheServerEndedStayEnded() throws {
        var pings = try Self.running()
        #expect(pings.moved(to: ExactDecimal(31)) != nil && pings.answered([:], ping: 2) != nil)
        #expect(Self.successor(of: pings).next == .never)
    }

    @Test(arguments: [[:], 7, ["hasStarted": true, "position": 7, "distance": "x", "next": []]] as [JSONValue])
    func whatCannotBeReadIsForgotten(_ memory: JSONValue) {
        var next = UplynkPings(areWanted: true)
        next.recall(memory)
        #expect(next.next == .event || next.next == .position(ExactDecimal(10)))
    }

    @Test func aSeekMakesThePositionVoid() throws {
        var pings = try Self.running()
        let seek = pings.sought(from: try #require(ExactDecimal("12.9")), to: ExactDecimal(300))
        #expect(Self.query(seek) == "v=3&ev=seek&pt=300&ft=12")
        #expect(pings.moved(to: ExactDecimal(301)) == nil)
    }

    /// The answer to the ping before the seek names a position that the seek made void.
    @Test func aLateAnswerToAnEarlierPingSaysNothing() throws {
        var pings = try Self.running()
        let due = pings.moved(to: ExactDecimal(31))
        let seek = pings.sought(from: ExactDecimal(31), to: ExactDecimal(5))
        #expect(due != nil && seek != nil && pings.newest == 3)
        #expect(pings.answered(Self.next(40), ping: 2) == nil && pings.next == .event)
        #expect(pings.answered(["next_time": -1], ping: 2) == nil && pings.next == .event)
        #expect(pings.answered(Self.next(20), ping: 3) == nil && pings.next == .position(ExactDecimal(20)))
    }

    @Test(
        arguments: [
            ["next_time": 0], ["next_time": -1], [:], ["next_time": "-1"], ["next_time": "soon"],
            ["next_time": 30, "error": "gone"], .null,
            [],
        ] as [JSONValue]) func theServerEndsThem(_ answer: JSONValue) throws
    {
        var pings = try Self.running()
        let due = pings.moved(to: ExactDecimal(31))
        #expect(due != nil)
        #expect(pings.answered(answer, ping: 2)?.rule == "P08")
        #expect(pings.next == .never && pings.moved(to: ExactDecimal(99)) == nil)
        #expect(pings.sought(from: .zero, to: ExactDecimal(1)) == nil)
    }

    /// Some servers write that there is no error.
    @Test(arguments: [.null, false, 0, ""] as [JSONValue]) func anEmptyErrorIsNone(_ error: JSONValue) throws {
        var pings = try Self.running()
        let due = pings.moved(to: ExactDecimal(31))
        #expect(due != nil)
        #expect(pings.answered(["next_time": 40, "error": error], ping: 2) == nil)
        #expect(pings.next == .position(ExactDecimal(40)))
    }

    /// It may have counted, so the next one is another: as far behind it as the last answer named, but soon.
    @Test func oneWithoutAnAnswerIsNotRepeated() throws {
        var pings = try Self.running()
        let due = pings.moved(to: ExactDecimal(31))
        #expect(due != nil)
        pings.failed(ping: 2)
        #expect(pings.moved(to: ExactDecimal(41)) == nil && pings.next == .position(ExactDecimal(41)))
        #expect(Self.query(pings.moved(to: ExactDecimal(42))) == "v=3&pt=42")
        #expect(pings.answered(Self.next(46), ping: 3) == nil)
        #expect(Self.query(pings.moved(to: ExactDecimal(47))) == "v=3&pt=47")
        pings.failed(ping: 4)
        #expect(pings.next == .position(ExactDecimal(51)))
    }

    /// Before the server named a position, a distance is guessed.
    @Test func aStartWithoutAnAnswerIsFollowedByAPosition() {
        var pings = UplynkPings(areWanted: true)
        #expect(pings.started(at: .zero) != nil)
        pings.failed(ping: 1)
        #expect(pings.next == .position(UplynkPings.usualDistance))
        pings.failed(ping: 1)
        #expect(pings.next == .position(UplynkPings.usualDistance))
    }

    /// The server knows of the start: it gets the position of the moment at which pings may leave again.
    @Test func aPositionThatWasNotSentIsMadeUpFor() throws {
        var pings = try Self.running()
        #expect(pings.moved(to: ExactDecimal(31)) != nil)
        pings.withheld(ping: 2)
        pings.resumed()
        #expect(Self.query(pings.moved(to: ExactDecimal(90))) == "v=3&pt=90")
        pings.resumed()
        #expect(pings.moved(to: ExactDecimal(91)) == nil)
    }

    @Test func aStartThatWasNotSentIsMadeUpFor() {
        var pings = UplynkPings(areWanted: true)
        #expect(pings.started(at: .zero) != nil)
        pings.withheld(ping: 1)
        #expect(pings.started(at: .zero) == nil && pings.sought(from: .zero, to: ExactDecimal(50)) != nil)
        pings.withheld(ping: 2)
        pings.resumed()
        #expect(Self.query(pings.started(at: .zero)) == "v=3&ev=start&pt=0")
    }

    /// The server never learnt where the player is: until pings may leave again, only a seek tells it.
    @Test func oneThatWasNotSentIsFollowedByASeekOnly() throws {
        var pings = try Self.running()
        #expect(pings.moved(to: ExactDecimal(31)) != nil)
        pings.withheld(ping: 2)
        #expect(pings.moved(to: ExactDecimal(90)) == nil && pings.next == .event)
        #expect(pings.sought(from: ExactDecimal(90), to: ExactDecimal(40)) != nil)
    }

    /// A server cannot have a ping with each sample of the playhead.
    @Test(arguments: ["31.001", "31", "0.001"]) func positionsAreNotTooNear(_ named: String) throws {
        var pings = try Self.running()
        #expect(pings.moved(to: ExactDecimal(31)) != nil)
        #expect(pings.answered(["next_time": JSONValue(try #require(ExactDecimal(named)))], ping: 2) == nil)
        #expect(pings.next == .position(ExactDecimal(32)))
    }

    @Test func thereAreNoneThatWereNotAskedFor() {
        var pings = UplynkPings(areWanted: false)
        #expect(pings.started(at: .zero) == nil && pings.moved(to: ExactDecimal(1)) == nil && pings.next == .never)
    }
}
