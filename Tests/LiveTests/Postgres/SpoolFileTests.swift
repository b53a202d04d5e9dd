import Fleet
import Foundation
import TestSupport
import Testing

@testable import Live

/// The contract of `SpoolDisk` on a disk.
@Suite struct SpoolFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("spool") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func rows(_ number: Int, url: String = "http://t.example/1?a=\u{202E}\"\\\u{7F}é") -> SpooledRows {
        let key = ClaimKey(
            viewer: number, due: .microseconds(-1_000_001), beacon: BeaconID(high: .max, low: 9), round: 2, attempt: 3)
        var claim = StoredClaim(
            request: ClaimRequest(DueBeacon(key: key, type: "", url: ""), epoch: 4, number: number), outcome: .rejected,
            status: 503, took: .milliseconds(12))
        var beacon = DueBeacon(
            key: ClaimKey(viewer: number, due: key.due, beacon: key.beacon), type: "start", url: url)
        beacon.ad = ClaimedAd(id: -5, breakName: "=b", name: "=a", firstStart: .seconds(7))
        beacon.host = "t.example"
        beacon.late = .milliseconds(-3)
        let unsent = UnsentRow(beacon: beacon, at: .seconds(9), isSkipped: true, reason: "store-away")
        if number % 2 == 0 { (claim.outcome, claim.status, claim.took) = (.unknown, nil, nil) }
        var note = NoteRow(viewer: number, at: .seconds(-9), kind: "finding", level: "error", rule: "L54", words: url)
        if number % 2 == 0 { (note.level, note.rule) = (nil, nil) }
        return SpooledRows(outcomes: [claim], unsent: [unsent], notes: [note])
    }

    @Test func rowsComeBackAsTheyWere() async throws {
        let first = try SpoolFile(path)
        #expect(await first.read().isEmpty)
        #expect(await first.carryOut(.append(Self.rows(1))) == nil)
        #expect(await first.carryOut(.append(Self.rows(2))) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try SpoolFile(path)
        let both = await second.read()
        #expect(both.outcomes == Self.rows(1).outcomes + Self.rows(2).outcomes)
        #expect(both.unsent == Self.rows(1).unsent + Self.rows(2).unsent)
        #expect(both.notes == Self.rows(1).notes + Self.rows(2).notes)
        #expect(await second.carryOut(.replace(Self.rows(3))) == nil)
        #expect(await second.carryOut(.append(Self.rows(4))) == nil)
        #expect(try await SpoolFile(path).read().outcomes.map(\.request.number) == [3, 4])
        #expect(await second.carryOut(.clear) == nil)
        #expect(try await SpoolFile(path).read().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["spool"])
    }

    /// A process that was killed while it wrote, and a disk that lost something: what is before the damage is there, and what is written
    /// afterwards too.
    @Test(arguments: [0, 3, 9, 40, 150]) func aDamagedEndIsCutOff(_ length: Int) async throws {
        let file = try SpoolFile(path)
        _ = await file.carryOut(.append(Self.rows(1)))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = await file.carryOut(.append(Self.rows(2)))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(whole.count + length)
        try bytes.write(to: URL(fileURLWithPath: path))
        let next = try SpoolFile(path)
        #expect(await next.read() == Self.rows(1))
        _ = await next.carryOut(.append(Self.rows(3)))
        #expect(try await SpoolFile(path).read().outcomes.map(\.request.number) == [1, 3])
        bytes[bytes.startIndex + 12] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await SpoolFile(path).read().isEmpty)
    }

    /// Metadata may have names of any length.
    @Test func aLongRowIsKeptAsOthersAre() async throws {
        let long = Self.rows(1, url: String(repeating: "x", count: 1 << 20))
        let file = try SpoolFile(path)
        #expect(await file.carryOut(.append(long)) == nil)
        #expect(await file.carryOut(.append(Self.rows(2))) == nil)
        let read = try await SpoolFile(path).read()
        #expect(read.outcomes == long.outcomes + Self.rows(2).outcomes)
        // What differs has a megabyte to print.
        let isWhole = read.unsent == long.unsent + Self.rows(2).unsent && read.notes == long.notes + Self.rows(2).notes
        #expect(isWhole)
    }

    /// No row takes more than the spool counts for it.
    @Test func rowsTakeWhatIsCountedForThem() async throws {
        let hostile = String((0..<0x300).compactMap { UnicodeScalar($0).map(Character.init) }) + "\u{202E}\u{1F600}"
        var spool = FleetAgent(name: "a", place: "p", isSame: nil)
        for number in 1...2 {
            let rows = Self.rows(number, url: hostile)
            spool.restore(rows)
            #expect(SpoolRecord.bytes(of: rows).count <= spool.load.spoolBytes)
            spool = FleetAgent(name: "a", place: "p", isSame: nil)
        }
    }

    @Test func aFileThatCannotBeWrittenIsReported() async throws {
        #expect(throws: (any Error).self) { try SpoolFile(folder.file("none/spool")) }
    }
}
