import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Recordings whose playlist has dates and whose metadata counts from the start of the content (TRK-4).
@Suite struct ContentOffsetTests {
    private static let breaks: [FakeOrigin.Break] = [
        .init(id: "b1", ads: [.init("a1", start: 8_000, duration: 8_000)]),
        .init(
            id: "b2", ads: [.init("a2", start: 32_000, duration: 8_000), .init("a3", start: 40_000, duration: 12_000)]),
    ]

    enum Slow: String, CaseIterable {
        case nothing, playlist = "/high.m3u8", metadata = "/metadata"
    }

    /// A recording of one minute; its metadata says that it covers `covered` milliseconds.
    private static func origin(
        _ slow: Slow = .nothing, covered: Int64 = 60_000, breaks: [FakeOrigin.Break] = Self.breaks
    ) -> FakeOrigin {
        let stream = FakeOrigin(breaks: breaks, vodDuration: 60_000)
        var origin = stream
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else {
                guard request.url.path.hasSuffix(slow.rawValue) else { return nil }
                var reply = stream.reply(to: request, at: now, count: count)
                reply.delay = .seconds(2)
                return reply
            }
            var reply = FakeOrigin.text(
                offsets(stream.document(breaks, from: 0, to: covered)), type: "application/json", of: request)
            if slow == .metadata { reply.delay = .seconds(2) }
            return reply
        }
        return origin
    }

    /// The document with offsets in place of dates.
    private static func offsets(_ document: String) -> String {
        document.replacing(#/1800000(?<offset>\d{6})/#) { String(Int64($0.offset) ?? 0) }
    }

    @Test func theDocumentHasOffsets() {
        let text = Self.offsets(FakeOrigin().document(Self.breaks, from: 0, to: 60_000))
        #expect(text.hasPrefix(#"{"dataRange":{"start":0,"end":60000},"adBreaks":[{"id":"b1","startTime":8000,"#))
    }

    @Test(arguments: Slow.allCases) func offsetsCountFromTheFirstDate(_ slow: Slow) throws {
        let origin = Self.origin(slow)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(90))
        #expect(session.urls.sorted() == origin.plan)
        let snapshot = session.snapshot()
        #expect(snapshot.breaks.map(\.start) == [8_000, 32_000].map { FakeOrigin.start + .milliseconds($0) })
        #expect(!snapshot.findings.contains { ["L09", "L12"].contains($0.finding.rule) })
        let first = try #require(session.receipts.first { $0.url == FakeOrigin.beacon("a2", "start") })
        let later = try #require(session.receipts.first { $0.url == FakeOrigin.beacon("a3", "start") })
        #expect(((later.at.wall - first.at.wall) - .seconds(8)).magnitude < .milliseconds(50))
    }

    @Test func aRestartSendsNothingAgain() throws {
        let origin = Self.origin()
        var first = try MonitorHarness(origin)
        first.start()
        first.run(for: .seconds(36))
        #expect(first.urls.contains(FakeOrigin.beacon("a2", "start")))
        var second = try MonitorHarness(origin)
        second.journal = first.journal
        second.start()
        second.run(for: .seconds(90))
        #expect((first.urls + second.urls).sorted() == origin.plan)
    }

    /// The break is beyond the end of the recording: the offsets are not its own.
    @Test func offsetsThatDoNotFitAreDates() throws {
        let breaks = Self.breaks + [.init(id: "b3", ads: [.init("a4", start: 300_000, duration: 10_000)])]
        var session = try MonitorHarness(Self.origin(covered: 310_000, breaks: breaks))
        session.start()
        session.run(for: .seconds(90))
        #expect(session.urls.isEmpty)
        let finding = try #require(session.snapshot().findings.first { $0.finding.rule == "L09" })
        #expect(finding.finding.message.contains("its times are no dates of the playlist, nor offsets into it"))
    }

    /// Whatever a later document says, the first one has decided.
    @Test func theDecisionHolds() throws {
        let stream = Self.origin()
        let breaks = Self.breaks + [.init(id: "b3", ads: [.init("a4", start: 300_000, duration: 10_000)])]
        let later = Self.origin(covered: 310_000, breaks: breaks)
        var origin = stream
        origin.override = { request, now, count in
            let isLater = request.url.path.hasSuffix("/metadata") && count >= 3
            return (isLater ? later : stream).override?(request, now, count)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(90))
        #expect(session.urls.sorted() == stream.plan)
    }
}
