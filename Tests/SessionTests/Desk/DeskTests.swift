import AdTracking
import Ports
import Testing

@testable import Session

/// What the parts share: requests get numbers, claims pass the journal, notes go to the log and the history.
@Suite struct DeskTests {
    private static let now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))

    private static func desk(_ change: (inout MonitorConfiguration) -> Void = { _ in }) throws -> Desk {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
        change(&configuration)
        return Desk(configuration, seed: 1)
    }

    private static let claim = ClaimRecord(
        id: ClaimID(7),
        key: URLKey(
            event: EventKey(
                session: "s", breakName: .given("b"), adName: .given("a"), adStart: now.wall, type: "start",
                start: now.wall), url: "http://127.0.0.1/b"),
        round: 0, attempt: 1, at: now)

    @Test func everyRequestHasANumberOfItsOwn() throws {
        var desk = try Self.desk()
        let url = try WebURL("http://127.0.0.1/x")
        let first = desk.fetch(.metadata, url, limit: 10, at: Self.now)
        let second = desk.fetch(.bid, HTTPRequest(url: url, maximumBodyBytes: 10), at: Self.now)
        #expect([first.number, second.number] == [1, 2])
        #expect(desk.requests.mapValues(\.purpose) == [first: .metadata, second: .bid])
        #expect(desk.takeEffects().count == 2 && desk.takeEffects().isEmpty)
    }

    @Test func claimsWaitUntilTheJournalIsOpen() throws {
        var desk = try Self.desk()
        for state in [JournalPart.State.closed, .opening] {
            desk.journal.state = state
            #expect(desk.writeClaims([Self.claim]).isEmpty && desk.takeEffects().isEmpty)
            #expect(desk.beacons.unwritten == [Self.claim.id])
        }
        desk.journal.state = .open
        #expect(desk.writeClaims([Self.claim]).isEmpty)
        #expect(desk.takeEffects() == [.writeClaims([JournalClaim(Self.claim)])])
    }

    @Test func claimsReturnWhenTheJournalHasFailed() throws {
        var desk = try Self.desk()
        desk.journal.failed(.cannotWrite)
        #expect(desk.writeClaims([Self.claim]) == [Self.claim.id])
        #expect(desk.takeEffects().isEmpty && desk.beacons.unwritten.isEmpty)
        #expect(!desk.journalAllowsSending)
    }

    /// What the journal has must end there, also if it fails between claim and outcome; of other claims it knows nothing.
    @Test func outcomesOfWhatTheJournalHasArePassedOnWhenItHasFailed() throws {
        let outcome = OutcomeRecord(
            id: Self.claim.id, key: Self.claim.key, round: 0, attempt: 1, state: .acknowledged, status: 204,
            at: Self.now)
        var desk = try Self.desk()
        desk.journal.state = .open
        _ = desk.writeClaims([Self.claim])
        desk.journal.failed(.cannotWrite)
        desk.writeOutcomes([outcome])
        #expect(desk.takeEffects().last == .writeOutcomes([JournalOutcome(outcome)]))
        #expect(desk.beacons.journaled.isEmpty)
        _ = desk.writeClaims([Self.claim])
        desk.writeOutcomes([outcome])
        #expect(desk.takeEffects().isEmpty)
    }

    /// A claim that was not granted has no outcome; one whose request did not leave has one.
    @Test func refusedClaimsWaitForNoOutcome() throws {
        var desk = try Self.desk()
        desk.journal.state = .open
        _ = desk.writeClaims([Self.claim])
        desk.beacons.inFlight[Self.claim.id] = BeaconPart.InFlight(event: EventID(1), host: "127.0.0.1")
        desk.noteKept(Self.claim.id)
        #expect(desk.beacons.journaled == [Self.claim.id])
        desk.noteKept(Self.claim.id)
        #expect(desk.beacons.journaled.isEmpty)
    }

    @Test func whatWasSentBeforeMustBeKnownToSendWithoutAJournal() throws {
        let kinds: [(JournalProblem.Kind, atFirst: Bool, later: Bool)] = [
            (.cannotWrite, true, true), (.cannotOpen, true, true), (.inUse, false, false), (.damaged, false, true),
            (.lost, false, true), (.busy, false, true), (.unread, false, true),
        ]
        for (kind, atFirst, later) in kinds {
            var desk = try Self.desk { $0.sending.sendsWithoutJournal = true }
            desk.journal.failed(kind)
            #expect(desk.journalAllowsSending == atFirst, "\(kind)")
            desk.journal.isSentUnknown = false
            desk.journal.wasOpen = true
            desk.journal.failed(kind)
            #expect(desk.journalAllowsSending == later, "\(kind)")
        }
    }

    @Test func theHistoryRepeatsTheLog() throws {
        var desk = try Self.desk { $0.writesHistory = true }
        desk.noteError(.network, "lost", at: Self.now)
        #expect(desk.log.view.count == 1 && desk.errors.latest?.message == "lost")
        desk.writeHistory()
        #expect(desk.takeEffects() == [.writeNotes([JournalNote(at: Self.now.wall, .log(.error, "lost"))])])
        desk.writeHistory()
        #expect(desk.effects.isEmpty)
    }

    @Test("a length is cut, as the screen cuts it")
    func lengths() {
        let lengths: [(Int64, String)] = [(29_970, "29.9s"), (15_015, "15.0s"), (0, "0.0s"), (-500, "-0.5s")]
        for (milliseconds, text) in lengths {
            #expect(Wording.seconds(.milliseconds(milliseconds)) == text)
        }
    }

    @Test(
        "a length is cut towards zero, in both directions and with or without a sign",
        arguments: [
            (-50, "0.0s", "+0.0s"), (-40, "0.0s", "+0.0s"), (50, "0.0s", "+0.0s"), (949, "0.9s", "+0.9s"),
            (950, "0.9s", "+0.9s"), (-949, "-0.9s", "-0.9s"), (-100, "-0.1s", "-0.1s"), (-101, "-0.1s", "-0.1s"),
        ] as [(Int64, String, String)])
    func cutTowardsZero(milliseconds: Int64, length: String, signed: String) {
        #expect(Wording.seconds(.milliseconds(milliseconds)) == length)
        #expect(Wording.signedSeconds(.milliseconds(milliseconds)) == signed)
    }

    @Test("a length with a sign is cut, as the screen cuts it")
    func signed() {
        let lengths: [(Int64, String)] = [(1_399, "+1.3s"), (-1_399, "-1.3s"), (0, "+0.0s"), (3_600_000, "+3,600.0s")]
        for (milliseconds, text) in lengths {
            #expect(Wording.signedSeconds(.milliseconds(milliseconds)) == text)
        }
    }
}
