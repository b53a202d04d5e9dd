import CreativeCache
import CreativeServer
import Foundation
import Ports
import TestSupport
import Testing

@Suite struct CreativeDiskTests {
    private let folder: TemporaryFolder
    private let disk: CreativeDisk
    private static let now = UnixTime(milliseconds: 1_800_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        disk = CreativeDisk(folder: try PlainFolder(making: folder.file("creatives")), entryBytes: 10_000)
    }

    private func write(_ id: String, _ body: String = "body", bid: String? = nil) throws -> CreativeRecord {
        let creative = CachedCreative(
            id: try #require(CreativeID(id)), kind: .banner, fallbackURL: "https://cache.example/?uuid=1",
            origin: CachedCreative.Origin(auction: "req-1", bidder: "osprey"),
            content: CachedCreative.Content(body: Array(body.utf8), bidJSON: bid.map { Array($0.utf8) }))
        let record = CreativeRecord(creative, storedAt: Self.now, expiresAt: Self.now + .seconds(300))
        try disk.write(record, creative.content)
        return record
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("creatives")).sorted()
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let record = try write("a", "<b>é</b>", bid: #"{"id":"1"}"#)
        let read = try disk.read(record.id)
        #expect(read.record == record)
        #expect(read.content.body == Array("<b>é</b>".utf8) && read.content.bidJSON == Array(#"{"id":"1"}"#.utf8))
        var found = try #require(try disk.found().records.first)
        // The clock of this test is ahead of that of the file system.
        #expect(found.lastUsed >= found.storedAt)
        found.lastUsed = record.lastUsed
        #expect(found == record)
    }

    @Test func onlyTheOwnerMayLookAndNoNameIsAnID() throws {
        let record = try write("secret-id")
        let path = folder.file("creatives")
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o700)
        let name = try #require(try names().first)
        #expect(try mode("\(path)/\(name)") == 0o600)
        #expect(!name.contains(record.id.text) && name.count == 64 + ".creative".count)
    }

    @Test func aFolderThatIsOpenToOthersIsClosed() throws {
        let path = folder.file("open")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        _ = try PlainFolder(making: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    }

    @Test(arguments: ["truncated", "changed", "empty", "no JSON", "another id's"])
    func damagedFilesAreSetAsideAndSaid(_ damage: String) throws {
        let record = try write("a", "0123456789")
        let good = try write("b")
        let path = folder.file("creatives") + "/" + (try name(of: record.id))
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        switch damage {
        case "truncated": bytes.removeLast(3)
        case "changed": bytes[bytes.count - 1] ^= 1
        case "empty": bytes = []
        case "no JSON": bytes[0] = UInt8(ascii: "x")
        default:
            bytes = Array(
                try Data(contentsOf: URL(fileURLWithPath: folder.file("creatives") + "/" + name(of: good.id))))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let problem = #expect(throws: FileProblem.self) { try disk.read(record.id) }
        #expect(problem?.description.contains("moved to damaged/") == true)
        #expect(try names().contains("damaged"))
        let found = try disk.found()
        #expect(found.records.map(\.id) == [good.id] && found.problems == [])
    }

    @Test func damageIsFoundAtTheStart() throws {
        let record = try write("a")
        let path = folder.file("creatives") + "/" + (try name(of: record.id))
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path))
        let found = try disk.found()
        #expect(found.records == [] && found.problems.count == 1)
    }

    @Test func whatACrashLeftIsRemoved() throws {
        try folder.write("half", to: "creatives/.tmp-1-2")
        #expect(try disk.found().records == [])
        #expect(try names() == [])
    }

    @Test func linksAreNotFollowed() throws {
        let record = try write("a")
        let path = folder.file("creatives") + "/" + (try name(of: record.id))
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("elsewhere"))
        #expect(throws: FileProblem(path: path, reason: .notPlain)) { try disk.read(record.id) }
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("creatives"))
        #expect(throws: FileProblem(path: link, reason: .notPlain)) { try PlainFolder(making: link) }
    }

    @Test func aFullDiskLeavesNothingBehind() throws {
        let full = CreativeDisk(
            folder: try PlainFolder(making: folder.file("full")) { _, bytes in
                if bytes.count < 100 { return bytes.count }
                errno = ENOSPC
                return -1
            }, entryBytes: 10_000)
        let creative = CachedCreative(
            id: try #require(CreativeID("a")), kind: .banner, content: CachedCreative.Content(body: []))
        let record = CreativeRecord(creative, storedAt: Self.now, expiresAt: Self.now + .seconds(300))
        let problem = #expect(throws: FileProblem.self) { try full.write(record, creative.content) }
        #expect(problem?.reason == .full)
        #expect(problem?.description.contains("the disk is full") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("full")) == [])
    }

    private func name(of id: CreativeID) throws -> String {
        let shown = try names().first { name in
            guard name.hasSuffix(".creative") else { return false }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("creatives/" + name)))
            return String(decoding: bytes, as: UTF8.self).contains("\"id\":\"\(id.text)\"")
        }
        return try #require(shown)
    }
}
