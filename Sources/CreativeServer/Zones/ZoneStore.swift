package import CreativeCache
import Crypto
import Foundation
package import Ports

/// Saved answers and videos of rewarded zones, for one hour each (CACHE-15): a video and a record beside
/// it, the video first, so that a crash never leaves a record without its file.
package struct ZoneStore: Sendable {
    /// A zone as it lies there.
    package struct Saved: Hashable, Sendable {
        package var record: ZoneRecord
        package var hasMedia: Bool
        package var lastUsed: UnixTime
    }

    private let folder: PlainFolder
    private let quota: Int
    private static let recordSuffix = ".json"
    private static let mediaSuffix = ".mp4"
    /// Characters of a zone that is a file name as it is.
    private static let plainLength = 1...128
    private static let hashDigits = 32
    private static let maximumRecordBytes = Limits.vastBytes * 2

    /// `quota` is for all videos together.
    package init(folder: PlainFolder, quota: Int = ZonePlan.defaultQuota) {
        self.folder = folder
        self.quota = quota
    }

    /// What is saved for the zone and whether it may be used; what may not is deleted, except where the clock is to blame.
    package func look(up zone: String, at now: UnixTime) -> (saved: Saved?, verdict: ZoneVerdict) {
        let saved = saved(named: Self.name(of: zone))
        let presence = ZonePresence(
            zone: saved?.record.zone, age: saved.map { now - $0.record.storedAt } ?? .zero,
            hasResponse: saved.map { !$0.record.response.isEmpty } ?? false, hasMedia: saved?.hasMedia ?? false)
        let verdict = presence.verdict(for: zone)
        // A record that cannot be read has a video nobody will use.
        if verdict != .hit, verdict != .miss(.clock) { remove(zone) }
        return (saved, verdict)
    }

    /// The saved video; whoever asks has looked first.
    package func mediaPath(of zone: String) -> String { folder.file(Self.name(of: zone) + Self.mediaSuffix) }

    /// The first bytes of the saved video, at most so many; none where it cannot be read.
    package func beginning(of zone: String, bytes: Int) -> [UInt8] {
        (try? folder.read(Self.name(of: zone) + Self.mediaSuffix, limit: bytes, isHead: true))?.bytes ?? []
    }

    /// Saves a zone; others leave when there is no room. Says which.
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

    /// Notes that the zone was used now, so that others leave before it.
    package func use(_ zone: String) {
        // A time that cannot be set only changes who leaves first.
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: folder.file(Self.name(of: zone) + Self.recordSuffix))
    }

    /// All that can be read, the newest first.
    package func list() -> [Saved] {
        // A folder that cannot be listed has nothing to show.
        let names = (try? folder.names()) ?? []
        return names.filter { $0.hasSuffix(Self.recordSuffix) }
            .compactMap { saved(named: String($0.dropLast(Self.recordSuffix.count))) }
            .sorted { $0.record.storedAt > $1.record.storedAt }
    }

    /// The newest measurement of this installation, whatever the zone: it measures the line (CACHE-16).
    package var newestMeasurement: DownloadMeasurement? { list().first?.record.measurement }

    /// False when there was nothing.
    @discardableResult
    package func remove(_ zone: String) -> Bool {
        let name = Self.name(of: zone)
        let hadRecord = folder.remove(name + Self.recordSuffix)
        return folder.remove(name + Self.mediaSuffix) || hadRecord
    }

    /// Says how many zones there were.
    package func removeAll() -> Int {
        let zones = list().map(\.record.zone)
        for name in (try? folder.names()) ?? [] { folder.remove(name) }
        return zones.count
    }

    /// A crash may leave a video without its record, or half a file: nobody would count or delete it. What is younger than a
    /// zone's life may be another program's that is saving now.
    private func removeStrays(at now: UnixTime) {
        let kept = Set(list().map { Self.name(of: $0.record.zone) })
        // A folder that cannot be listed has no strays to find.
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
        // What cannot be read is as good as not there; the next save replaces it.
        guard let file = try? folder.read(name + Self.recordSuffix, limit: Self.maximumRecordBytes),
            let json = try? JSONReader.read(file.bytes), let record = ZoneRecord(json),
            Self.name(of: record.zone) == name
        else { return nil }
        let media = try? folder.read(name + Self.mediaSuffix, limit: 0, isHead: true)
        return Saved(
            record: record, hasMedia: media?.size == record.mediaBytes,
            lastUsed: UnixTime(milliseconds: file.changedMilliseconds))
    }

    /// What a zone's files are called: as it is where that is safe, so that people find `9001.mp4`, else by a hash of it
    /// (CACHE-15).
    static func name(of zone: String) -> String {
        let bytes = zone.utf8
        let isPlain =
            plainLength.contains(bytes.count) && bytes.first != UInt8(ascii: ".")
            && bytes.allSatisfy { CreativeID.isPlain($0) }
        guard !isPlain else { return zone }
        return "h-" + CreativeFile.hexadecimal(SHA256.hash(data: Data(bytes))).prefix(hashDigits)
    }
}
