import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What happens to the machine around the real program: it is stopped for a while, its terminal closes, its clock is set.
/// Nothing is sent twice and nothing is forgotten.
@Suite(.serialized) struct RealFaultTests {
    /// Longer than any two beacons of `rush` lie apart, so that some fall due while the process stands still. `make soak`
    /// lets it stand for a minute (`ADTOP_STANDSTILL`, in seconds), longer than every time-out there is.
    private static let standstill: Duration = .seconds(
        ProcessInfo.processInfo.environment["ADTOP_STANDSTILL"].flatMap { Int($0) } ?? 8)

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aStoppedProcessCatchesUpAndDoublesNothing() async throws {
        let stream = try await WatchedOrigin()
        let process = try stream.watch(
            ["--for", "\((Self.standstill + .seconds(22)).components.seconds)s"], state: folder.path)
        try await stream.waitForReceipts(1)
        kill(process.processIdentifier, SIGSTOP)
        // Nothing else shows that time passes for a process that does not run.
        try await Task.sleep(for: Self.standstill)
        let stopped = stream.receipts.count
        try await Task.sleep(for: .milliseconds(500))
        #expect(stream.receipts.count == stopped)
        kill(process.processIdentifier, SIGCONT)
        let document = try await stream.document(of: process)
        await stream.stop()
        #expect(process.terminationStatus == 0)
        // What was on its way when the process stopped has run out of time when it goes on, and is tried again by the rule
        // for beacons without an answer (TRK-15); then the session knows of both tries.
        let tries = tries(document)
        for (target, count) in Dictionary(stream.receipts.map { ($0, 1) }, uniquingKeysWith: +) where count > 1 {
            #expect(tries.contains { $0.key.hasSuffix(target) && $0.value >= count }, "\(target) came \(count) times")
        }
        #expect(stream.receipts.count > stopped)
        #expect(document["session"]?["phase"]?.stringValue == "running")
        try expectNothingForgotten(document)
    }

    /// A terminal that closes sends SIGHUP: a headless program ends in order, and the next one goes on where it stopped.
    @Test func aHangUpEndsInOrderAndTheNextGoesOn() async throws {
        let stream = try await WatchedOrigin()
        let first = try stream.watch(["--for", "120s"], state: folder.path)
        try await stream.waitForReceipts(2)
        kill(first.processIdentifier, SIGHUP)
        let document = try await stream.document(of: first)
        #expect(first.terminationStatus == 5)
        #expect(document["session"]?["phase"]?.stringValue == "running")
        let second = try stream.watch(["--until", "break-end", "--for", "120s"], state: folder.path)
        _ = try await stream.document(of: second)
        await stream.stop()
        #expect(second.terminationStatus == 0)
        #expect(stream.receipts.count == Set(stream.receipts).count)
        // Both runs were closed: nothing of the first was left for a repair.
        let path = folder.file("adtop/journal.sqlite")
        #expect(try report(path)["totals"]?["open"]?.integerValue == 0)
    }

    #if os(Linux)
        /// The wall clock goes back by ten minutes while ads play. All waiting is by uptime, so the stream goes on; what is
        /// shown of dates is the machine's.
        @Test func aClockSetBackDoublesNothing() async throws {
            let stream = try await WatchedOrigin()
            let offset = folder.file("offset")
            try "0".write(toFile: offset, atomically: true, encoding: .utf8)
            let process = try stream.watch(
                ["--for", "25s", "--log-level", "debug"], state: folder.path,
                environment: ["LD_PRELOAD": BuiltProduct.path("libClockShift.so"), "CLOCK_SHIFT_FILE": offset])
            try await stream.waitForReceipts(1)
            let before = stream.receipts.count
            try "-600".write(toFile: offset, atomically: true, encoding: .utf8)
            let document = try await stream.document(of: process)
            await stream.stop()
            #expect(process.terminationStatus == 0)
            #expect(stream.receipts.count == Set(stream.receipts).count)
            #expect(stream.receipts.count > before)
            let log = (document["log"]?.arrayValue ?? []).compactMap { $0["message"]?.stringValue }
            #expect(log.contains { $0.hasPrefix("the clock of this machine jumped by -") }, "\(log.suffix(20))")
            #expect(document["session"]?["phase"]?.stringValue == "running")
            try expectNothingForgotten(document)
        }
    #endif

    /// How often each URL was tried.
    private func tries(_ document: JSONValue) -> [String: Int] {
        let ads = (document["breaks"]?.arrayValue ?? []).flatMap { $0["ads"]?.arrayValue ?? [] }
        let urls = ads.flatMap { $0["events"]?.arrayValue ?? [] }.flatMap { $0["urls"]?.arrayValue ?? [] }
        return Dictionary(
            urls.map { ($0["url"]?.stringValue ?? "", Int($0["attempts"]?.integerValue ?? 0)) }, uniquingKeysWith: max)
    }

    /// No event of an ad that is over waits for anything: it was sent, or a reason says why not.
    private func expectNothingForgotten(_ document: JSONValue) throws {
        let playhead = try #require(document["playhead"]?["pdtMs"]?.integerValue)
        var over = 0
        for adBreak in document["breaks"]?.arrayValue ?? [] {
            let end = (adBreak["startMs"]?.integerValue ?? 0) + (adBreak["durationMs"]?.integerValue ?? 0)
            guard end + 2_000 < playhead else { continue }
            for event in (adBreak["ads"]?.arrayValue ?? []).flatMap({ $0["events"]?.arrayValue ?? [] }) {
                let state = event["reportingState"]?.stringValue ?? ""
                guard state == "idle" || state == "connecting" else {
                    over += 1
                    continue
                }
                #expect(event["reason"]?.stringValue != nil, "\(event)")
            }
        }
        #expect(over > 0)
    }

    private func report(_ journal: String) throws -> JSONValue {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop"))
        process.arguments = ["report", journal, "--json"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONReader.read(Array(data))
    }
}
