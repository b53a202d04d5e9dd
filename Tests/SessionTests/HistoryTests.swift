import AdTracking
import Ports
import Session
import Testing

/// The notes that the journal keeps for its readers.
@Suite struct HistoryTests {
    @Test func nothingIsKeptUnlessItIsWanted() throws {
        #expect(try MonitorHarness.ran { _ in }.notes.isEmpty)
    }

    @Test func sessionBreaksAdsAndPollsAreKept() throws {
        let session = try MonitorHarness.ran { $0.writesHistory = true }
        let notes = session.notes.map(\.content)
        let sessions = notes.compactMap { if case .session(let session) = $0 { session } else { nil } }
        #expect(sessions.map(\.mode) == ["fire"])
        #expect(sessions.first?.provider == "harmonic" && sessions.first?.serviceMode == "client")
        let breaks = notes.compactMap { if case .adBreak(let adBreak) = $0 { adBreak } else { nil } }
        #expect(Set(breaks.map(\.name)) == ["=b1", "=b2"])
        #expect(breaks.allSatisfy { $0.source == "metadata" && !$0.hasVanished })
        let ads = notes.compactMap { if case .ad(let ad) = $0 { ad } else { nil } }
        #expect(Set(ads.map(\.name)) == ["=a1", "=a2", "=a3"])
        #expect(ads.last { $0.name == "=a1" }?.events.map(\.type).contains("midpoint") == true)
        let polls = notes.compactMap { if case .poll(let poll) = $0 { poll } else { nil } }
        #expect(polls.contains { $0.feed == .metadata && $0.changes?.hasPrefix("+1 break, +") == true })
        #expect(polls.contains { $0.feed == .metadata && $0.changes == nil && $0.status == 200 })
        // A playlist is polled every few seconds; one note records that it answers.
        #expect(polls.filter { $0.feed == .playlist }.count == 1)
        #expect(
            notes.contains { if case .log(.info, let text) = $0 { text.contains("break B1 started") } else { false } })
    }

    @Test func whatIsOnlyObservedIsKeptOnceABeacon() throws {
        var session = try MonitorHarness.ran {
            $0.writesHistory = true
            $0.mode = .observe
        }
        let unsent = session.notes.compactMap { if case .unsent(let beacon) = $0.content { beacon } else { nil } }
        #expect(unsent.count == 18)
        #expect(Set(unsent.map(\.beacon)).count == 18)
        #expect(unsent.allSatisfy { $0.state == "observed" && $0.reason == nil && $0.late != nil })
        #expect(session.snapshot().counters.events == [.observed: 18])
    }

    @Test func actionsAndFindingsAreKept() throws {
        var session = try MonitorHarness.ran { $0.writesHistory = true }
        session.submit(.toggled(.mute))
        session.submit(.playerCommanded(.setRate(2)))
        session.submit(.modeChosen(.observe))
        let notes = session.notes.map(\.content)
        #expect(
            notes.compactMap { if case .action(let text) = $0 { text } else { nil } }
                == ["mute", "rate 2.0", "mode observe"])
        let findings = session.snapshot().findings.map(\.finding.rule)
        let kept = notes.compactMap { if case .finding(let finding, _) = $0 { finding.rule } else { nil } }
        #expect(Set(kept) == Set(findings))
        #expect(kept.count == findings.count)
    }

    /// If the journal cannot be opened, notes go to the event stream, once, and wait at the journal, which bounds them.
    @Test func notesWithoutAJournalAreToldOnce() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks) {
            $0.writesHistory = true
            $0.mode = .observe
        }
        session.journalFails = "journal: disk full"
        session.start()
        session.run(untilEdge: 4_000_000)
        let before = session.notes.count
        #expect(before > 1_000)
        session.journalFails = nil
        session.run(for: .seconds(40))
        #expect(session.notes.count <= before + 100)
        let unsent = session.notes.filter { if case .unsent = $0.content { true } else { false } }
        #expect(unsent.count == 18)
    }
}
