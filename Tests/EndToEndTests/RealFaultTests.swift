import Foundation
import Ports
import TestSupport
import Testing

extension OneAtATime {
    /// What happens to the machine around the real program: it is stopped for a while, its terminal closes, its clock is set.
    /// Nothing is sent twice and nothing is forgotten.
    @Suite struct RealFaultTests {
        /// Longer than any two beacons of `sprint` lie apart, so that some fall due while the process stands still. `make soak`
        /// lets it stand for a minute (`ADTOP_STANDSTILL`, in seconds), longer than every time-out there is.
        private static let standstill: Duration = .seconds(
            ProcessInfo.processInfo.environment["ADTOP_STANDSTILL"].flatMap { Int($0) } ?? 3)

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test func aStoppedProcessCatchesUpAndDoublesNothing() async throws {
            let stream = try await WatchedOrigin()
            let child = try stream.watch(state: folder.path)
            try await stream.waitForReceipts(1)
            child.signal(SIGSTOP)
            // Nothing else shows that time passes for a process that does not run.
            try await Task.sleep(for: Self.standstill)
            let stopped = stream.receipts.count
            try await Task.sleep(for: .milliseconds(500))
            #expect(stream.receipts.count == stopped)
            child.signal(SIGCONT)
            try await stream.waitForNewBreaks(2)
            let run = try await child.interrupt()
            await stream.stop()
            #expect(run.status == AdtopProcess.interrupted)
            let document = DumpedSession(json: try run.json())
            // What was on its way when the process stopped has run out of time when it continues: whether it reached the
            // collector is unknown, so it is not sent again.
            #expect(stream.duplicates.isEmpty)
            #expect(stream.receipts.count > stopped)
            #expect(document.phase == "running")
            try document.expectNothingForgotten()
        }

        /// A terminal that closes sends SIGHUP: a headless program ends in order, and the next one goes on where it stopped.
        @Test func aHangUpEndsInOrderAndTheNextGoesOn() async throws {
            let stream = try await WatchedOrigin()
            let first = try stream.watch(state: folder.path)
            try await stream.waitForReceipts(2)
            first.signal(SIGHUP)
            let run = try await first.end()
            #expect(run.status == AdtopProcess.interrupted)
            #expect(DumpedSession(json: try run.json()).phase == "running")
            _ = try await stream.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
            await stream.stop()
            #expect(stream.duplicates.isEmpty)
            // Both runs were closed: nothing of the first was left for a repair.
            let report = try await AdtopProcess.run(["report", folder.file("adtop/journal.sqlite"), "--json"])
            #expect(try report.json()["totals"]?["open"]?.integerValue == 0)
        }

        #if os(Linux)
            /// The wall clock goes back by ten minutes while ads play. All waiting is by uptime, so the stream goes on; what
            /// is shown of dates is the machine's.
            @Test func aClockSetBackDoublesNothing() async throws {
                let stream = try await WatchedOrigin()
                let offset = folder.file("offset")
                try "0".write(toFile: offset, atomically: true, encoding: .utf8)
                let child = try stream.watch(
                    ["--log-level", "debug"], state: folder.path,
                    environment: ["LD_PRELOAD": BuiltProduct.path("libClockShift.so"), "CLOCK_SHIFT_FILE": offset])
                try await stream.waitForReceipts(1)
                let before = stream.receipts.count
                try "-600".write(toFile: offset, atomically: true, encoding: .utf8)
                try await stream.waitForNewBreaks(2)
                let run = try await child.interrupt()
                await stream.stop()
                #expect(run.status == AdtopProcess.interrupted)
                let document = DumpedSession(json: try run.json())
                #expect(stream.duplicates.isEmpty)
                #expect(stream.receipts.count > before)
                let log = document.log
                #expect(log.contains { $0.hasPrefix("the clock of this machine jumped by -") }, "\(log.suffix(20))")
                #expect(document.phase == "running")
                try document.expectNothingForgotten()
            }
        #endif
    }
}
