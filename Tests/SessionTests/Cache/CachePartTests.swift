import CreativeCache
import Ports
import TestSupport
import Testing

@testable import Session

@Suite struct CachePartTests {
    private static let at = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(5))

    /// A report as the shelf makes it, with every member set.
    private static func report(problems: [String] = []) throws -> CacheReport {
        var limits = StoreLimits()
        limits.diskBytes = 1_000
        let creative = CachedCreative(
            id: try #require(CreativeID("0a6f0a3e")), kind: .video, fallbackURL: "https://c.example/?uuid=1&sid=x",
            origin: CachedCreative.Origin(auction: "req-1", bidder: "osprey"),
            content: CachedCreative.Content(body: [1, 2]))
        var traffic = TrafficRecord()
        let access = AccessRecord(
            at: at.wall + .microseconds(1_234), method: "GET", subject: "0a6f0a3e", status: 403, bytes: 14,
            microseconds: 22, origin: "https://pub.example", isSecure: true, reason: "host attacker.example")
        traffic.note(access)
        var record = CreativeRecord(
            creative, storedAt: at.wall + .microseconds(17), expiresAt: at.wall + .seconds(300))
        record.hits = 3
        var counters = StoreCounters()
        (counters.evicted, counters.expired) = (4, 5)
        return CacheReport(
            address: CacheReport.Address(port: 16_257, isSecure: true, certificateEnd: at.wall), limits: limits,
            memoryBytes: 2, diskBytes: 7, counters: counters, records: [record], count: 9, traffic: traffic,
            problems: problems)
    }

    private func state() throws -> MonitorState {
        MonitorState(MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8")))
    }

    @Test func aReportedStateIsShown() throws {
        var state = try state()
        #expect(state.snapshot(at: Self.at).cache == nil)
        let report = try Self.report()
        #expect(state.apply(.beside(.cacheReported(report)), at: Self.at).isEmpty)
        #expect(state.snapshot(at: Self.at).cache == report)
    }

    @Test func aRecordingContainsEverything() throws {
        for report in [
            try Self.report(problems: ["x: the disk is full"]), CacheReport(memoryBytes: 0, memoryLimit: 1, count: 0),
        ] {
            let line = RecordingFormat.line(RecordedInput(input: .beside(.cacheReported(report)), at: Self.at))
            #expect(try RecordingFormat.readLine(Array(line.utf8)).input == .beside(.cacheReported(report)))
        }
    }

    @Test func aProblemIsLoggedOnce() throws {
        var state = try state()
        for _ in 0..<2 {
            _ = state.apply(.beside(.cacheReported(try Self.report(problems: ["x: the disk is full"]))), at: Self.at)
        }
        let lines = state.snapshot(at: Self.at).log.suffix(100).filter { $0.message.contains("the disk is full") }
        #expect(lines.count == 1 && lines.first?.level == .warning)
    }

    @Test func whatIsSharedHidesSecretsInAddresses() throws {
        var state = try state()
        _ = state.apply(.beside(.cacheReported(try Self.report())), at: Self.at)
        let snapshot = state.snapshot(at: Self.at)
        func url(_ json: SnapshotJSON) -> String? {
            json.value(of: snapshot)["cache"]?["creatives"]?.arrayValue?.first?["fallbackUrl"]?.stringValue
        }
        #expect(url(SnapshotJSON(isRedacted: true)) == "https://c.example/?uuid=1&sid=***")
        #expect(url(SnapshotJSON(isRedacted: false)) == "https://c.example/?uuid=1&sid=x")
    }
}
