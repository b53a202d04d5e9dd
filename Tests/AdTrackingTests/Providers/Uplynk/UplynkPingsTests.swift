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
            ["next_time": 0], ["next_time": -1], [:], ["next_time": "30"], ["next_time": 30, "error": "gone"], .null,
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

    /// It may have counted. A seek brings the next one.
    @Test func oneWithoutAnAnswerIsNotRepeated() throws {
        var pings = try Self.running()
        let due = pings.moved(to: ExactDecimal(31))
        #expect(due != nil)
        pings.failed(ping: 2)
        #expect(pings.moved(to: ExactDecimal(32)) == nil && pings.next == .event)
        #expect(pings.sought(from: ExactDecimal(32), to: ExactDecimal(40)) != nil)
    }

    @Test func thereAreNoneThatWereNotAskedFor() {
        var pings = UplynkPings(areWanted: false)
        #expect(pings.started(at: .zero) == nil && pings.moved(to: ExactDecimal(1)) == nil && pings.next == .never)
    }
}
