import AdTracking
import Ports
import Session
import Testing

/// A session whose journal fails: what it does, and that beacons are still sent at most once (ADR 0011).
@Suite struct JournalPolicyTests {
    @Test func aLostJournalIsRebuiltAndSendingContinues() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        let before = Set(session.urls)
        #expect(!before.isEmpty)
        session.losesJournal = true
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().counters.events == [.done: 18])
        #expect(session.urls.count == Set(session.urls).count)
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
        #expect(session.journal.allSatisfy { $0.outcome == "acknowledged" })
        #expect(session.snapshot().findings.contains { $0.finding.rule == "journal-lost" })
        #expect(session.log.contains("error: journal: deleted: rebuilding it from memory"))
        var second = try MonitorHarness(MainPathTests.twoBreaks, joinAt: 103_000)
        second.journal = session.journal
        second.start()
        second.run(untilEdge: 240_000)
        #expect(second.urls.isEmpty)
    }

    /// A beacon in flight when the journal is lost is in the new one, and so is its answer.
    @Test func whatIsInFlightIsHeld() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.losesAnswers = true
        session.run(untilEdge: 100_500)
        let open = session.journal.filter { $0.outcome == nil }.map(\.beacon.url)
        #expect(!open.isEmpty)
        session.losesJournal = true
        session.run(untilEdge: 112_000)
        #expect(!session.losesJournal)
        let known = Dictionary(session.journal.map { ($0.beacon.url, $0.outcome) }) { first, _ in first }
        for url in open { #expect(known[url] == .some(nil), "\(url)") }
    }

    @Test func sendingResumesWithAReopenedJournal() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.journalFails = "journal: disk full"
        session.run(untilEdge: 103_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(!session.snapshot().session.canArm)
        let failed = session.urls.count
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.log.contains("warning: journal: reopened, sending resumed"))
        #expect(session.urls.count > failed)
        #expect(session.urls.count == Set(session.urls).count)
        // Beacons that were due without a journal were observed and stay observed.
        #expect(session.snapshot().events.contains { $0.state == .observed })
        #expect(Set(session.journal.map(\.beacon.url)).isSuperset(of: session.urls))
    }

    @Test(arguments: [(1, "1 note dropped"), (2_000, "2,000 notes dropped")])
    func lostNotesAreCounted(_ count: Int, _ words: String) throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.submit(.journalFellBehind(dropped: count))
        let finding = session.snapshot().findings.first { $0.finding.rule == "journal-behind" }
        #expect(finding?.finding.message == "the journal is too slow for the session's history: \(words)")
    }

    /// Claims and outcomes that are under way fail one after the other: the next try of the journal is not later for that.
    @Test func failuresWithoutATryDoNotPostponeTheNextOne() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        for _ in 0..<4 { session.submit(.journalFailed("journal: disk full", kind: .cannotWrite)) }
        session.run(for: .milliseconds(1_200))
        #expect(session.log.contains("warning: journal: reopened, sending resumed"))
    }

    /// What was claimed when the journal failed is observed, and counts as due like everything else (TRK-13).
    @Test func whatIsWithdrawnIsDue() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.journalFails = "journal: disk full"
        session.run(untilEdge: 103_000)
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        let beacons = session.health().beacons
        #expect(beacons.sent == session.urls.count)
        #expect(beacons.due == 18)
    }

    /// It observes already, because of its journal; an order to observe holds when that is open again.
    @Test func whoAsksToObserveMeanwhileObservesBehindIt() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.journalFails = "journal: disk full"
        session.run(untilEdge: 103_000)
        #expect(session.snapshot().session.mode == .observe)
        session.submit(.modeChosen(.observe))
        let sent = session.urls.count
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.urls.count == sent)
        #expect(session.log.contains("warning: journal: reopened"))
    }

    @Test func whoDisarmsMeanwhileIsNotArmedAgain() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.journalFails = "journal: disk full"
        session.run(untilEdge: 103_000)
        session.submit(.modeChosen(.observe))
        session.submit(.modeChosen(.fire))
        session.journalFails = nil
        session.run(untilEdge: 140_000)
        #expect(session.log.contains("error: cannot arm: no journal is open"))
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.snapshot().session.canArm)
    }

    @Test func sendingContinuesWithoutAJournalIfConfigured() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks) { $0.sending.sendsWithoutJournal = true }
        session.journalFails = "journal: read-only file system"
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().counters.events == [.done: 18])
        #expect(session.urls.count == Set(session.urls).count)
        #expect(session.snapshot().session.canArm)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "journal-failed" })
        #expect(session.log.contains { $0.contains("beacons sent now may be sent again after a restart") })
        // When it is available again, it receives everything.
        session.journalFails = nil
        session.run(untilEdge: 260_000)
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
    }

    @Test func aSessionThatIsStoppedMeanwhileEnds() throws {
        var session = try MonitorHarness.ran(until: 99_000)
        session.losesJournal = true
        while session.losesJournal { session.run(for: .milliseconds(1)) }
        session.submit(.stopped)
        session.run(for: .seconds(10))
        #expect(session.state.isQuiet)
        #expect(session.urls.count == Set(session.urls).count)
    }

    /// Another process released the session: beacons that it sent ahead of this one's playhead are not sent again.
    @Test func whatAnotherProcessSentCountsWhenTheJournalOpensLate() throws {
        let other = try MonitorHarness.ran(until: 112_000)
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.journalFails = "journal: another adtop has this session open"
        session.start()
        session.run(untilEdge: 90_000)
        session.journal = other.journal
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        #expect(Set(other.urls).isDisjoint(with: session.urls))
        #expect(session.snapshot().session.mode == .fire)
        #expect(other.urls.count + session.urls.count <= 18)
        #expect(!session.urls.isEmpty)
    }
}
