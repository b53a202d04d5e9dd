import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A journal that another program has locked for a while stops nothing (ADR 0011).
@Suite struct JournalLockTests {
    @Test(arguments: [6, 30]) func whatIsDueWaitsUntilTheFileCanBeOpened(_ seconds: Int) throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        (session.journalFails, session.journalFailsAs) = ("journal: another program has locked it", .busy)
        session.start()
        session.run(for: .seconds(seconds))
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.isEmpty)
        session.journalFails = nil
        session.run(untilEdge: 200_000)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.log.filter { $0.hasSuffix("locked it: waiting for it") }.count == 1)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "journal-failed" })
    }

    /// Longer than that is a failure like another: the session observes, and sending resumes.
    @Test func theWaitIsBounded() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        (session.journalFails, session.journalFailsAs) = ("journal: another program has locked it", .busy)
        session.start()
        session.run(for: .seconds(75))
        #expect(session.snapshot().session.mode == .observe)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "journal-failed" })
        session.journalFails = nil
        session.run(untilEdge: 400_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.count == Set(session.urls).count)
    }

    /// Without a session identifier the same stream is the same viewer: that nothing is sent again is reported.
    @Test(arguments: [false, true]) func aStreamThatWasWatchedBeforeReportsIt(hasID: Bool) throws {
        var origin = MainPathTests.twoBreaks
        if !hasID {
            origin.override = { request, _, _ in
                request.url.query?.contains("initSession") == true ? FakeOrigin.status(404, request) : nil
            }
        }
        var first = try MonitorHarness(origin) { $0.provider = .harmonic }
        first.start()
        first.run(untilEdge: 200_000)
        #expect(first.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(!first.snapshot().findings.contains { $0.finding.rule == "sent-before" })
        var again = try MonitorHarness(origin) { $0.provider = .harmonic }
        again.journal = first.journal
        again.start()
        again.run(untilEdge: 200_000)
        #expect(again.urls.isEmpty)
        let finding = again.snapshot().findings.first { $0.finding.rule == "sent-before" }
        #expect((finding == nil) == hasID)
        guard !hasID else { return }
        #expect(finding?.finding.message.hasPrefix("18 beacons of this stream were sent in an earlier run") == true)
        #expect(again.log.contains { $0.contains("to begin as a new viewer, name another file with --journal") })
    }

    /// A token that differs at each start does not make another viewer of the same stream.
    @Test func aRotatingTokenIsNoOtherViewer() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            request.url.query?.contains("initSession") == true ? FakeOrigin.status(404, request) : nil
        }
        func watch(_ token: String, _ journal: [JournalEntry]) throws -> MonitorHarness {
            let url = try WebURL("\(FakeOrigin.base)/live/index.m3u8?hdnts=exp=1~hmac=\(token)")
            var session = try MonitorHarness(origin) {
                $0 = MonitorConfiguration(mediaURL: url)
                $0.provider = .harmonic
            }
            session.journal = journal
            session.start()
            session.run(untilEdge: 200_000)
            return session
        }
        let first = try watch("aaaa", [])
        #expect(first.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(try watch("bbbb", first.journal).urls.isEmpty)
    }
}
