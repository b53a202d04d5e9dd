import AdTracking
import Ports
import Session
import Testing

@testable import Simulation

@Suite struct ClaimCourseTests {
    private static let now = UnixTime(milliseconds: 0)
    private static let url = "http://127.0.0.1/b"

    private static func claim(_ number: Int) -> JournalClaim {
        let beacon = JournalBeacon(
            session: "s", breakName: "=b", adName: "=a", adStart: now, type: "start", start: now, url: url)
        return JournalClaim(number: number, beacon: beacon, round: 0, attempt: 1, at: now)
    }

    private static func send(_ number: Int) throws -> Effect {
        .send(ClaimID(number), HTTPRequest(url: try WebURL(url), maximumBodyBytes: 0))
    }

    private static func end(_ number: Int) -> Effect {
        .writeOutcomes([JournalOutcome(claim: number, state: "acknowledged", status: 204, at: now)])
    }

    /// Observes the steps in order; returns the violations of the last one.
    private static func last(_ steps: [(Input?, [Effect])], isOnDisk: Bool = true) -> [String] {
        var course = ClaimCourse()
        var journal = VirtualJournal()
        if isOnDisk { journal.write(.claims([claim(1)])) }
        return steps.map { course.observe($0.0, $0.1[...], journal: journal) }.last ?? []
    }

    private static let written = Input.claimsWritten([ClaimID(1)])

    @Test func theRightOrderIsFine() throws {
        let steps: [(Input?, [Effect])] = [
            (nil, [.writeClaims([Self.claim(1)])]), (nil, [.writeClaims([Self.claim(1)])]),
            (Self.written, [try Self.send(1)]), (nil, [Self.end(1)]),
        ]
        for count in 1...steps.count { #expect(Self.last(Array(steps.prefix(count))) == []) }
    }

    @Test func beaconsSentBeforeConfirmationAreNamed() throws {
        #expect(
            Self.last([(nil, [.writeClaims([Self.claim(1)]), try Self.send(1)])])
                == ["claim 1 of \(Self.url) was sent before the journal confirmed it"])
        #expect(
            Self.last(
                [(nil, [.writeClaims([Self.claim(1)])]), (Self.written, [try Self.send(1)])], isOnDisk: false)
                == ["\(Self.url) was sent before its claim 1 was on disk"])
    }

    @Test func whatIsSentOrEndsTwiceIsNamed() throws {
        let sent: [(Input?, [Effect])] = [
            (nil, [.writeClaims([Self.claim(1)])]), (Self.written, [try Self.send(1)]),
        ]
        #expect(Self.last(sent + [(nil, [try Self.send(1)])]) == ["claim 1 of \(Self.url) was sent twice"])
        #expect(Self.last(sent + [(nil, [.writeClaims([Self.claim(1)])])]) == ["claim 1 of \(Self.url) was made twice"])
        #expect(Self.last(sent + [(nil, [Self.end(1)]), (nil, [Self.end(1)])]) == ["claim 1 ended twice"])
        #expect(Self.last([(nil, [Self.end(7)])]) == ["claim 7 ended and was never made"])
    }

    /// A journal with an entry of an earlier process, and a claim of this one.
    private static func again(_ outcome: String?, round: Int = 0) -> [String] {
        var journal = VirtualJournal()
        journal.write(.claims([claim(1)]))
        if let outcome {
            journal.write(.outcomes([JournalOutcome(claim: 1, state: outcome, status: nil, at: now)]))
        }
        journal.reopen()
        var second = claim(1)
        second.round = round
        var course = ClaimCourse()
        return course.observe(nil, [.writeClaims([second])], journal: journal)
    }

    @Test func whatAnEarlierProcessSentIsNamed() {
        #expect(
            Self.again("acknowledged")
                == ["\(Self.url) was claimed again, although an earlier process left it acknowledged"])
        #expect(
            Self.again(nil) == ["\(Self.url) was claimed again, although an earlier process left it without an answer"])
        #expect(Self.again("failed") == [])
        #expect(Self.again("acknowledged", round: 1) == [])
    }
}
