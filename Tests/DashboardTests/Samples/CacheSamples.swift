import CreativeCache
import Ports
import Session

/// Reports of the creative cache.
enum CacheSamples {
    /// A snapshot with an empty cache.
    static var empty: Snapshot { snapshot { _ in } }

    /// A few creatives, one about to expire, one expired; some requests.
    static var full: Snapshot {
        snapshot { report in
            let now = SnapshotSamples.midBreak.at.wall
            report.records = [
                record("0a6f0a3e-5b1c-4a55-9a51-0d2f3c4b5a69", .banner, 20_480, now - .seconds(12), 300, 3, "osprey"),
                record("3d9c3d61-0c57-4e0e-8f4f-2f1f64a7c3b1", .video, 612, now - .seconds(280), 300, 1, "kestrel"),
                record("Prebid_0A1B", .native, 1_204, now - .seconds(100), 3_600, 0, nil),
                record("279971e4-70f0-4b18-bd65-5c6e7aa75d40", .prebidXML, 14, now - .seconds(61), 60, 0, nil),
            ]
            report.count = 4
            (report.memoryBytes, report.diskBytes) = (22_310, 1_258_291)
            (report.requests, report.hits, report.misses) = (118, 104, 9)
            (report.medianMicroseconds, report.p95Microseconds) = (130, 410)
            report.log = [
                access("0a6f0a3e", 200, 20_480, 130, nil), access("unknown", 404, 9, 41, nil),
            ]
        }
    }

    /// Rejected requests and a full disk.
    static var refused: Snapshot {
        var snapshot = full
        snapshot.cache?.refused = 5
        snapshot.cache?.log.insert(access("x", 403, 14, 22, "host attacker.example"), at: 0)
        snapshot.cache?.log.insert(access("..%2fetc", 400, 11, 18, "bad request"), at: 1)
        snapshot.cache?.problems = [
            "/home/u/.cache/adtop/creatives/ab.creative: the disk is full; the memory tier keeps working"
        ]
        return snapshot
    }

    /// Creatives and two saved zones, one of which expires soon.
    static var withZones: Snapshot {
        var snapshot = full
        let now = snapshot.at.wall
        var young = ZoneRow(
            zone: "zone-9001", storedAt: now - .seconds(41 * 60 + 7), responseBytes: 3_104, mediaBytes: 2_516_582,
            measurement: DownloadMeasurement(seconds: 2.4, quality: .mid, bytes: 2_516_582))
        young.hits = 2
        let old = ZoneRow(
            zone: "rewarded \u{1B}[2J", storedAt: now - .seconds(3_590), responseBytes: 812, mediaBytes: 20,
            measurement: DownloadMeasurement(seconds: 0.012, quality: .low, bytes: 20))
        snapshot.zones = [young, old]
        return snapshot
    }

    private static func snapshot(_ change: (inout CacheReport) -> Void) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        var report = CacheReport(memoryBytes: 0, memoryLimit: 16 << 20, count: 0)
        report.diskLimit = 64 << 20
        report.address = CacheReport.Address(
            port: 16_257, isSecure: true, certificateEnd: snapshot.at.wall + .seconds(83 * 86_400 + 60))
        change(&report)
        snapshot.cache = report
        return snapshot
    }

    private static func record(
        _ id: String, _ kind: CachedCreative.Kind, _ bytes: Int, _ storedAt: UnixTime, _ life: Int, _ hits: Int,
        _ bidder: String?
    ) -> CreativeRecord {
        let creative = CachedCreative(
            id: CreativeID(id) ?? CreativeID.example, kind: kind,
            fallbackURL: "https://cache.example.net/pbc/v1/cache?uuid=\(id)",
            origin: CachedCreative.Origin(auction: bidder.map { _ in "req-100" }, bidder: bidder),
            content: CachedCreative.Content(body: []))
        var record = CreativeRecord(creative, storedAt: storedAt, expiresAt: storedAt + .seconds(life))
        record.byteCount = bytes
        record.hits = hits
        return record
    }

    private static func access(
        _ subject: String, _ status: Int, _ bytes: Int, _ microseconds: Int64, _ reason: String?
    ) -> AccessRecord {
        AccessRecord(
            at: SnapshotSamples.midBreak.at.wall - .seconds(2), method: "GET", subject: subject, status: status,
            bytes: bytes, microseconds: microseconds, origin: status == 200 ? "https://pub.example" : nil,
            isSecure: true, reason: reason)
    }
}

extension CreativeID {
    static var example: CreativeID {
        var random = SplitMix64(seed: 1)
        return .random(using: &random)
    }
}
