import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// Sessions whose journal is lost while it is opened, held by another process, or damaged: metadata is followed in any
/// case, and nothing is sent where it is unknown what was sent.
@Suite struct JournalUnknownTests {
    @Test func aJournalLostWhileItIsOpenedIsOpenedAgain() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.lostOpenings = 1
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.snapshot().counters.events == [.done: 18])
        #expect(session.snapshot().findings.contains { $0.finding.rule == "journal-lost" })
        #expect(session.log.contains("error: journal: deleted: opening it again"))
    }

    /// Metadata is polled in any case, and sending resumes when the journal opens.
    @Test func aJournalLostAgainWhileItIsOpenedFailsAndIsRetried() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.lostOpenings = 5
        session.start()
        session.run(for: .milliseconds(800))
        #expect(session.snapshot().session.mode == .observe)
        #expect(!session.snapshot().session.canArm)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "journal-failed" })
        #expect(session.log.contains("error: journal: deleted: nothing is sent from now on"))
        session.run(untilEdge: 200_000)
        #expect(session.lostOpenings == 0)
        #expect(session.requested.contains { $0.contains("metadata") })
        #expect(session.snapshot().session.mode == .fire)
        #expect(!session.urls.isEmpty)
        #expect(session.urls.count == Set(session.urls).count)
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
    }

    /// A loss while sessions run, and again each time it is reopened: nothing leaves that is not in the journal.
    @Test(arguments: [1, 2, 7]) func aLossDuringReopening(losses: Int) throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.losesJournal = true
        session.lostOpenings = losses
        session.run(untilEdge: 240_000)
        #expect(session.lostOpenings == 0)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.count == Set(session.urls).count)
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
    }

    /// A journal that is lost and then cannot be reopened stops sending.
    @Test func aLostJournalThatCannotBeReopenedStopsSending() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.losesJournal = true
        while session.losesJournal { session.run(for: .milliseconds(1)) }
        session.journalFails = "journal: disk full"
        session.run(for: .seconds(2))
        #expect(session.snapshot().session.mode == .observe)
        let sent = session.urls.count
        session.run(untilEdge: 140_000)
        #expect(session.urls.count == sent)
    }

    /// What the other process sends is unknown, so nothing is sent, whatever the configuration says.
    @Test(arguments: [false, true]) func aSessionInUseElsewhereSendsNothing(sendsWithoutJournal: Bool) throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks) {
            $0.sending.sendsWithoutJournal = sendsWithoutJournal
        }
        session.journalFails = "journal: another adtop has this session open"
        session.journalFailsAs = .inUse
        session.start()
        session.run(untilEdge: 97_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(!session.snapshot().session.canArm && session.snapshot().session.isHeldElsewhere)
        // That is no fault of the journal.
        #expect(session.snapshot().findings.map(\.finding.rule) == ["session-in-use"])
        // The other process ended, but what it wrote cannot be read yet.
        session.journalFailsAs = .cannotWrite
        session.run(untilEdge: 140_000)
        #expect(session.urls.isEmpty)
        session.journalFails = nil
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(!session.urls.isEmpty)
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
    }

    /// However long the other process had it: what is due a moment after its end is sent.
    @Test func aSessionIsTakenOverWithinASecond() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.journalFails = "journal: another adtop has this session open"
        session.journalFailsAs = .inUse
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.urls.isEmpty)
        #expect(session.log.filter { $0.hasSuffix("nothing is sent from now on") }.count == 1)
        session.journalFails = nil
        session.run(for: .milliseconds(1_200))
        #expect(session.snapshot().session.mode == .fire && !session.snapshot().session.isHeldElsewhere)
        session.run(untilEdge: 200_000)
        #expect(MainPathTests.twoBreaks.plan.filter { $0.contains("ad=a3") }.allSatisfy(session.urls.contains))
        #expect(session.urls.count == Set(session.urls).count)
    }

    /// A session that sends without a journal stops when another process takes it over.
    @Test func aSessionTakenOverStopsSending() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks) { $0.sending.sendsWithoutJournal = true }
        session.journalFails = "journal: disk full"
        session.start()
        session.run(untilEdge: 97_000)
        #expect(!session.urls.isEmpty)
        #expect(session.snapshot().session.mode == .fire)
        session.journalFailsAs = .inUse
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().session.mode == .observe)
        let sent = session.urls.count
        session.run(untilEdge: 200_000)
        #expect(session.urls.count == sent)
    }

    /// A journal that failed is missing until it is open, also while it is being opened again: a view of that moment, or a
    /// person who arms in it, must not take it for open.
    @Test func anOpeningAfterAFailureIsNotAnOpenJournal() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.journalFails = "journal: disk full"
        session.start()
        session.run(untilEdge: 90_000)
        #expect(session.snapshot().session.mode == .observe)
        for _ in 0..<60_000 where session.state.desk.journal.state != .opening { session.run(for: .milliseconds(1)) }
        #expect(session.state.desk.journal.state == .opening)
        #expect(!session.snapshot().session.canArm && session.snapshot().session.lacksJournal)
        session.submit(.modeChosen(.observe))
        session.submit(.modeChosen(.fire))
        #expect(session.log.contains("error: cannot arm: no journal is open"))
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.urls.isEmpty)
    }

    @Test(arguments: [false, true]) func aDamagedJournalStopsSendingUntilAPersonArms(
        sendsWithoutJournal: Bool
    ) throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks) {
            $0.sending.sendsWithoutJournal = sendsWithoutJournal
        }
        session.damagedFile = "/j.damaged-1"
        session.start()
        session.run(untilEdge: 97_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.snapshot().session.canArm)
        #expect(session.urls.isEmpty)
        let finding = session.snapshot().findings.first { $0.finding.rule == "journal-damaged" }
        #expect(finding?.finding.message.contains("delete /j.damaged-1") == true)
        #expect(session.log.contains { $0.hasPrefix("error: journal: beacons sent before") })
        // A journal that fails and opens again does not arm it.
        session.journalFails = "journal: disk full"
        session.run(for: .seconds(5))
        session.journalFails = nil
        session.run(for: .seconds(40))
        #expect(session.snapshot().session.mode == .observe)
        session.submit(.modeChosen(.fire))
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(!session.urls.isEmpty)
        #expect(session.urls.count == Set(session.urls).count)
    }

    /// The journal could not be opened at first, and turns out to be damaged.
    @Test func aJournalThatOpensLateAndDamagedDoesNotResumeSending() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.journalFails = "journal: no permission"
        session.damagedFile = "/j.damaged-1"
        session.start()
        session.run(untilEdge: 90_000)
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.urls.isEmpty)
    }

    /// A session that had its entries before the loss knows what it sent.
    @Test func damageWhileASessionRunsDoesNotStopIt() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.losesJournal = true
        session.damagedFile = "/j.damaged-1"
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.snapshot().counters.events == [.done: 18])
    }

    @Test func recordingsKeepTheKindAndTheDamagedFile() throws {
        for damagedFile in [nil, "/j.damaged-1"] {
            var session = try MonitorHarness(MainPathTests.twoBreaks)
            (session.journalFails, session.journalFailsAs) = ("journal: in use", .inUse)
            session.damagedFile = damagedFile
            session.start()
            session.run(untilEdge: 90_000)
            session.journalFails = nil
            session.run(untilEdge: 130_000)
            let recording = try session.recorded(.none)
            #expect(recording.inputs.map(\.input) == session.inputs.map(\.input))
        }
    }
}
