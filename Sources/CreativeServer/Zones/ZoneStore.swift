package import CreativeCache
import Crypto
import Foundation
package import Ports

/// Stored answers and videos of rewarded zones, kept for one hour each (CACHE-15). A zone is a video and a record; the
/// video is written first, so that a crash never leaves a record without its file.
package struct ZoneStore: Sendable {
    /// A stored zone.
    package struct Saved: Hashable, Sendable {
        package var record: ZoneRecord
        package var hasMedia: Bool
        package var lastUsed: UnixTime
    }

    private let folder: PlainFolder
    private let quota: Int
    private static let recordSuffix = ".json"
    private static let mediaSuffix = ".mp4"
    /// Length of zone names that are used as file names unchanged.
    private static let plainLength = 1...128
    private static let hashDigits = 32
    private static let maximumRecordBytes = Limits.vastBytes * 2

    /// `quota` is the most bytes of all videos together.
    package init(folder: PlainFolder, quota: Int = ZonePlan.defaultQuota) {
        self.folder = folder
        self.quota = quota
    }

    /// Looks up a zone and whether it may be used. An unusable zone is deleted, except when the clock is wrong.
    package func look(up zone: String, at now: UnixTime) -> (saved: Saved?, verdict: ZoneVerdict) {
        let saved = saved(named: Self.name(of: zone))
        let presence = ZonePresence(
            zone: saved?.record.zone, age: saved.map { now - $0.record.storedAt } ?? .zero,
            hasResponse: saved.map { !$0.record.response.isEmpty } ?? false, hasMedia: saved?.hasMedia ?? false)
        let verdict = presence.verdict(for: zone)
        // The video of an unreadable record can never be used.
        if verdict != .hit, verdict != .miss(.clock) { remove(zone) }
        return (saved, verdict)
    }

    /// The path of the stored video; call ``look(up:at:)`` first.
    package func mediaPath(of zone: String) -> String { folder.file(Self.name(of: zone) + Self.mediaSuffix) }

    /// The first bytes of the stored video, at most `bytes`; empty when it cannot be read.
    package func beginning(of zone: String, bytes: Int) -> [UInt8] {
        (try? folder.read(Self.name(of: zone) + Self.mediaSuffix, limit: bytes, isHead: true))?.bytes ?? []
    }

    /// Stores a zone and evicts others if there is no room. Returns the evicted zones.
    package func save(_ record: ZoneRecord, media: [UInt8]) throws(FileProblem) -> [String] {
        let name = Self.name(of: record.zone)
        guard media.count <= ZonePlan.maximumMediaBytes else {
            throw FileProblem(
                path: mediaPath(of: record.zone), reason: .tooLong(limit: ZonePlan.maximumMediaBytes))
        }
        let items = list().filter { $0.record.zone != record.zone }.map {
            ZonePlan.Item(zone: $0.record.zone, bytes: $0.record.mediaBytes, lastUsed: $0.lastUsed)
        }
        guard let leaving = ZonePlan.evictions(from: items, toFit: media.count, quota: quota) else {
            throw FileProblem(path: mediaPath(of: record.zone), reason: .tooLong(limit: quota))
        }
        leaving.forEach { remove($0) }
        removeStrays(at: record.storedAt)
        folder.remove(name + Self.recordSuffix)
        try folder.replace(name + Self.mediaSuffix, with: media)
        try folder.replace(name + Self.recordSuffix, with: Array(record.json.text(indented: true).utf8))
        return leaving
    }

    /// Records a use of the zone, so that others are evicted before it.
    package func use(_ zone: String) {
        // If the time cannot be set, only the eviction order changes.
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: folder.file(Self.name(of: zone) + Self.recordSuffix))
    }

    /// All readable zones, newest first.
    package func list() -> [Saved] {
        // A folder that cannot be listed shows no zones.
        let names = (try? folder.names()) ?? []
        return names.filter { $0.hasSuffix(Self.recordSuffix) }
            .compactMap { saved(named: String($0.dropLast(Self.recordSuffix.count))) }
            .sorted { $0.record.storedAt > $1.record.storedAt }
    }

    /// The newest measurement of this installation, regardless of the zone: it measures the network connection
    /// (CACHE-16).
    package var newestMeasurement: DownloadMeasurement? { list().first?.record.measurement }

    /// Removes a zone; false when there was none.
    @discardableResult
    package func remove(_ zone: String) -> Bool {
        let name = Self.name(of: zone)
        let hadRecord = folder.remove(name + Self.recordSuffix)
        return folder.remove(name + Self.mediaSuffix) || hadRecord
    }

    /// Removes all zones and returns their number.
    package func removeAll() -> Int {
        let zones = list().map(\.record.zone)
        for name in (try? folder.names()) ?? [] { folder.remove(name) }
        return zones.count
    }

    /// Deletes videos without a record and incomplete files that a crash left, because nothing else would count or
    /// delete them. Files younger than a zone's lifetime may belong to another program that is still writing.
    private func removeStrays(at now: UnixTime) {
        let kept = Set(list().map { Self.name(of: $0.record.zone) })
        // A folder that cannot be listed has no strays to delete.
        for name in (try? folder.names()) ?? [] {
            let isRecordOrMedia = [Self.recordSuffix, Self.mediaSuffix].contains {
                name.hasSuffix($0) && !kept.contains(String(name.dropLast($0.count)))
            }
            guard isRecordOrMedia || name.hasPrefix(PlainFolder.temporaryPrefix),
                let file = try? folder.read(name, limit: 0, isHead: true),
                now - UnixTime(milliseconds: file.changedMilliseconds) > ZonePresence.life
            else { continue }
            folder.remove(name)
        }
    }

    private func saved(named name: String) -> Saved? {
        // An unreadable record counts as missing; the next save replaces it.
        guard let file = try? folder.read(name + Self.recordSuffix, limit: Self.maximumRecordBytes),
            let json = try? JSONReader.read(file.bytes), let record = ZoneRecord(json),
            Self.name(of: record.zone) == name
        else { return nil }
        let media = try? folder.read(name + Self.mediaSuffix, limit: 0, isHead: true)
        return Saved(
            record: record, hasMedia: media?.size == record.mediaBytes,
            lastUsed: UnixTime(milliseconds: file.changedMilliseconds))
    }

    /// The file name of a zone: the zone itself if it is safe, so that users find `9001.mp4`, else a hash of it
    /// (CACHE-15).
    static func name(of zone: String) -> String {
        let bytes = zone.utf8
        let isPlain =
            plainLength.contains(bytes.count) && bytes.first != UInt8(ascii: ".")
            && bytes.allSatisfy { CreativeID.isPlain($0) }
        guard !isPlain else { return zone }
        return "h-" + Array(SHA256.hash(data: Data(bytes))).hexadecimal.prefix(hashDigits)
    }
}
