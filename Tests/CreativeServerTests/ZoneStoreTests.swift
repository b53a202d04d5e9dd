import CreativeCache
import CreativeServer
import Foundation
import Ports
import TestSupport
import Testing

@Suite struct ZoneStoreTests {
    private let folder: TemporaryFolder
    private static let now = UnixTime(milliseconds: 1_800_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(quota: Int = 1_000) throws -> ZoneStore {
        ZoneStore(folder: try PlainFolder(making: folder.file("zones")), quota: quota)
    }

    private func record(_ zone: String, bytes: Int, at time: UnixTime = now) -> ZoneRecord {
        ZoneRecord(
            zone: zone, storedAt: time, sourceURL: "http://ads.example/zone", response: Array("<VAST/>".utf8),
            mediaURL: "http://cdn.example/a.mp4", mediaType: "video/mp4", mediaBytes: bytes,
            measurement: DownloadMeasurement(seconds: 2.4, quality: .mid, bytes: bytes), etag: "\"1\"")
    }

    @Test func answerAndVideoAreUsedForAnHour() throws {
        let store = try store()
        #expect(try store.save(record("9001", bytes: 3), media: [1, 2, 3]) == [])
        let (saved, verdict) = store.look(up: "9001", at: Self.now + .seconds(3_599))
        #expect(saved?.record == record("9001", bytes: 3) && verdict == .hit)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.mediaPath(of: "9001"))) == Data([1, 2, 3]))
        #expect(store.look(up: "9001", at: Self.now + .seconds(3_600)).verdict == .miss(.expired))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("zones")) == [])
    }

    @Test func aRecordWithoutItsVideoIsNone() throws {
        let store = try store()
        _ = try store.save(record("9001", bytes: 3), media: [1, 2, 3])
        try FileManager.default.removeItem(atPath: store.mediaPath(of: "9001"))
        #expect(store.look(up: "9001", at: Self.now).verdict == .miss(.mediaMissing))
        _ = try store.save(record("9001", bytes: 3), media: [1, 2, 3])
        try Data([1]).write(to: URL(fileURLWithPath: store.mediaPath(of: "9001")))
        #expect(store.look(up: "9001", at: Self.now).verdict == .miss(.mediaMissing))
    }

    @Test func aClockThatWentBackDeletesNothing() throws {
        let store = try store()
        _ = try store.save(record("9001", bytes: 1), media: [1])
        #expect(store.look(up: "9001", at: Self.now - .seconds(5)).verdict == .miss(.clock))
        #expect(store.look(up: "9001", at: Self.now).verdict == .hit)
    }

    @Test func theLeastRecentlyUsedLeave() throws {
        let store = try store(quota: 10)
        _ = try store.save(record("a", bytes: 5), media: Array(repeating: 1, count: 5))
        _ = try store.save(record("b", bytes: 5), media: Array(repeating: 1, count: 5))
        #expect(try store.save(record("b", bytes: 6), media: Array(repeating: 1, count: 6)) == ["a"])
        #expect(throws: FileProblem.self) {
            try store.save(record("c", bytes: 11), media: Array(repeating: 1, count: 11))
        }
        #expect(store.list().map(\.record.zone) == ["b"])
    }

    @Test(arguments: [
        ("9001", "9001"), ("home_top-1.b", "home_top-1.b"), (String(repeating: "z", count: 128), nil),
        (String(repeating: "z", count: 129), "h-"), ("", "h-"), (".hidden", "h-"), ("..", "h-"), ("a/b", "h-"),
        ("https://ads.example/?z=1", "h-"), ("a\u{0}b", "h-"), ("ä", "h-"),
    ])
    func filesAreCalledAsTheirZoneWhereThatIsSafe(_ zone: String, _ name: String?) throws {
        let store = try store()
        _ = try store.save(record(zone, bytes: 1), media: [1])
        let file = URL(fileURLWithPath: store.mediaPath(of: zone)).deletingPathExtension().lastPathComponent
        #expect(name == "h-" ? file.hasPrefix("h-") && file.utf8.count == 34 : file == zone)
        #expect(store.look(up: zone, at: Self.now).verdict == .hit)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("zones")).count == 2)
    }

    /// A later save removes files that a crash left, but not those that another program may be writing.
    @Test func straysOfACrashAreRemoved() throws {
        let store = try store()
        _ = try store.save(record("kept", bytes: 1), media: [1])
        for name in ["lost.mp4", ".tmp-1-2", "half.json", "other.txt"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.file("zones/\(name)")))
        }
        let written = UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        func names() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.file("zones")))
        }
        _ = try store.save(record("kept", bytes: 1, at: written), media: [1])
        #expect(try names().count == 6)
        _ = try store.save(record("kept", bytes: 1, at: written + .seconds(3_700)), media: [1])
        #expect(try names() == ["kept.json", "kept.mp4", "other.txt"])
    }

    @Test func theNewestMeasurementCountsWhateverTheZone() throws {
        let store = try store()
        #expect(store.newestMeasurement == nil)
        _ = try store.save(record("new", bytes: 2, at: Self.now), media: [1, 2])
        _ = try store.save(record("old", bytes: 1, at: Self.now - .seconds(60)), media: [1])
        #expect(store.newestMeasurement?.bytes == 2)
    }

    @Test func damagedRecordsAreNone() throws {
        let store = try store()
        _ = try store.save(record("9001", bytes: 1), media: [1])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("zones"))
        where name.hasSuffix(".json") {
            try Data("{\"zone\":".utf8).write(to: URL(fileURLWithPath: folder.file("zones/\(name)")))
        }
        #expect(store.look(up: "9001", at: Self.now).verdict == .miss(.responseMissing))
        #expect(store.list() == [] && store.removeAll() == 0)
    }
}
