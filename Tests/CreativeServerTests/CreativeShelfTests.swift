import CreativeCache
import Foundation
import Locks
import Ports
import TestSupport
import Testing

@testable import CreativeServer

@Suite struct CreativeShelfTests {
    private final class Clock: Sendable {
        let now = Locked(UnixTime(milliseconds: 1_800_000_000_000))
        func advance(_ span: Duration) { now.withLock { $0 += span } }
    }

    private let folder: TemporaryFolder
    private let clock = Clock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func shelf(write: PlainFolder.Write? = nil) throws -> CreativeShelf {
        var limits = StoreLimits()
        limits.diskBytes = 10_000
        limits.memoryBytes = 300
        limits.entryBytes = 200
        let path = folder.file("creatives")
        let plain = try write.map { try PlainFolder(making: path, write: $0) } ?? PlainFolder(making: path)
        let clock = clock
        return CreativeShelf(
            limits: limits, rules: LoopbackRules(), disk: CreativeDisk(folder: plain, entryBytes: 200),
            wallClock: { clock.now.withLock { $0 } })
    }

    private func creative(_ id: String, _ body: String = "body") throws -> CachedCreative {
        CachedCreative(
            id: try #require(CreativeID(id)), kind: .banner, content: CachedCreative.Content(body: Array(body.utf8)))
    }

    private func get(_ id: String, from shelf: CreativeShelf) -> LoopbackAnswer {
        shelf.answer(
            LoopbackRequest(method: "GET", target: "/\(id)", fields: [HTTPField("Host", "localhost:16257")]),
            isSecure: false, took: { .microseconds(120) })
    }

    @Test func aNewProgramHasWhatTheLastOneKept() throws {
        try shelf().put(try creative("a"))
        clock.advance(.seconds(299))
        #expect(get("a", from: try shelf()).body == Array("body".utf8))
        clock.advance(.seconds(1))
        #expect(get("a", from: try shelf()).status == 404)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("creatives")) == [])
    }

    @Test func whatMemoryCannotHoldComesFromDisk() throws {
        let shelf = try shelf()
        for id in ["a", "b", "c"] { shelf.put(try creative(id, String(repeating: id, count: 150))) }
        #expect(shelf.report().memoryBytes == 300 && shelf.report().diskBytes == 450)
        #expect(get("a", from: shelf).body == Array(String(repeating: "a", count: 150).utf8))
    }

    @Test func twoProgramsSeeEachOthersWork() throws {
        let server = try shelf()
        let command = try shelf()
        command.put(try creative("a"))
        #expect(get("a", from: server).status == 200)
        #expect(command.remove(try #require(CreativeID("a"))))
        clock.advance(.seconds(2))
        #expect(get("a", from: server).status == 404)
    }

    @Test func whatAnotherProgramReplacesIsServedAtOnce() throws {
        let server = try shelf()
        let command = try shelf()
        server.put(try creative("a", "old"))
        #expect(get("a", from: server).body == Array("old".utf8))
        command.put(try creative("a", "new"))
        #expect(get("a", from: server).body == Array("new".utf8))
        command.put(try creative("a", "newest"))
        #expect(server.creative(try #require(CreativeID("a")))?.content.body == Array("newest".utf8))
        #expect(command.remove(try #require(CreativeID("a"))))
        #expect(get("a", from: server).status == 404)
    }

    @Test func theEndOfAReplacedCreativeDeletesNoFileOfItsSuccessor() throws {
        let server = try shelf()
        server.put(try creative("a", "old"), life: .seconds(10))
        try shelf().put(try creative("a", "new"), life: .seconds(100))
        clock.advance(.seconds(11))
        _ = server.report()
        #expect(get("a", from: server).body == Array("new".utf8))
        #expect(server.removeAll() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("creatives")) == [])
    }

    @Test func theListHasWhatAnotherProgramReplaced() throws {
        let server = try shelf()
        server.put(try creative("a", "old"))
        try shelf().put(try creative("a", "longer"))
        _ = get("b", from: server)
        #expect(server.records().map(\.byteCount) == [6])
    }

    @Test func aFullDiskIsSaidAndMemoryGoesOn() throws {
        let shelf = try shelf(write: { _, _ in
            errno = ENOSPC
            return -1
        })
        #expect(shelf.put(try creative("a")).isStored)
        #expect(get("a", from: shelf).status == 200)
        let report = shelf.report()
        #expect(report.problems.count == 1 && report.problems[0].contains("the disk is full"))
        #expect(report.diskBytes == 0 && report.memoryBytes == 4)
    }

    @Test func aFileDamagedWhileRunningIsAMissAndSaid() throws {
        let shelf = try shelf()
        for id in ["a", "b", "c"] { shelf.put(try creative(id, String(repeating: id, count: 150))) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("creatives")) {
            try Data("rubbish".utf8).write(to: URL(fileURLWithPath: folder.file("creatives/" + name)))
        }
        #expect(get("a", from: shelf).status == 404)
        #expect(get("c", from: shelf).status == 200)
        #expect(shelf.report().problems.count == 1)
    }

    @Test func theReportCounts() throws {
        let shelf = try shelf()
        shelf.put(try creative("a"))
        _ = get("a", from: shelf)
        _ = get("b", from: shelf)
        _ = get("..", from: shelf)
        let report = shelf.report()
        #expect(report.requests == 3 && report.hits == 1 && report.misses == 1 && report.refused == 1)
        #expect(report.medianMicroseconds == 120 && report.records.first?.hits == 1)
        #expect(report.log.last?.text == "GET a 200 4 B 120 us")
    }

    /// The file of the other program would be written over with what is in memory.
    @Test func extendingKeepsWhatAnotherProgramWrote() throws {
        let server = try shelf()
        let (a, b) = (try #require(CreativeID("a")), try #require(CreativeID("b")))
        server.put(try creative("a", "old"))
        let command = try shelf()
        command.put(try creative("a", "replaced"))
        command.put(try creative("b", "added"))
        #expect(server.extend(a) && server.extend(b))
        #expect(try shelf().creative(a)?.content.body == Array("replaced".utf8))
        #expect(try shelf().creative(b)?.content.body == Array("added".utf8))
        command.remove(a)
        #expect(!server.extend(a))
    }

    @Test func extendingReachesTheDisk() throws {
        let first = try shelf()
        first.put(try creative("a"), life: .seconds(10))
        #expect(first.extend(try #require(CreativeID("a")), life: .seconds(100)))
        clock.advance(.seconds(50))
        #expect(try shelf().creative(try #require(CreativeID("a")))?.content.body == Array("body".utf8))
    }
}
