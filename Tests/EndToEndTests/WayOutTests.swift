import Foundation
import Ports
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension OneAtATime {
    /// Whatever hangs, the real program ends within three seconds, and at once after a second interrupt.
    @Suite struct WayOutTests {
        /// The three seconds of every way out, and what ending a process takes.
        private static let limit: Duration = .milliseconds(3_500)

        /// Interrupts a program, which must then end in time.
        private func endInTime(
            _ program: AdtopChild, by signal: Int32 = SIGINT, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> AdtopProcess {
            let clock = ContinuousClock()
            let begin = clock.now
            program.signal(signal)
            let run = try await program.end()
            #expect(clock.now - begin < Self.limit, sourceLocation: sourceLocation)
            #expect(run.status == AdtopProcess.interrupted, sourceLocation: sourceLocation)
            return run
        }

        @Test(arguments: ["--events", "--log-file"])
        func aReaderThatStandsStillDoesNotKeepTheProgram(option: String) async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            let program = try origin.watch([option, pipe.path], state: state.path)
            try await origin.waitForReceipts(3)
            let run = try await endInTime(program)
            await origin.stop()
            #expect(run.errors.contains("\(pipe.path) is cut short by"), "\(run.errors)")
            // The frame is there, and the journal was closed.
            #expect(DumpedSession(json: try run.json()).mode == "fire")
            #expect(!run.errors.contains("did not end"))
        }

        @Test func aSecondInterruptEndsItAtOnce() async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            let program = try origin.watch([], state: state.path, through: pipe.asStandardOutput)
            try await origin.waitForReceipts(3)
            let clock = ContinuousClock()
            let begin = clock.now
            program.signal(SIGINT)
            // A signal that is still pending takes the second one in.
            try await Task.sleep(for: .milliseconds(100))
            program.signal(SIGINT)
            let run = try await program.end()
            // After one alone it takes three.
            #expect(clock.now - begin < .seconds(2))
            await origin.stop()
            #expect(run.status == AdtopProcess.interrupted)
        }

        @Test func theEndOfItsTimeDoesNotWaitForAReaderEither() async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            let clock = ContinuousClock()
            let begin = clock.now
            let run = try await origin.watch(["--events", pipe.path, "--for", "2s"], state: state.path).end()
            #expect(clock.now - begin < .seconds(2) + Self.limit)
            await origin.stop()
            // What was asked for is not whole.
            #expect(run.status == AdtopProcess.interrupted)
            #expect(run.errors.contains("is cut short by"))
        }

        /// Standard output itself: the frame waits for a reader, but not after an interrupt, an order to end or the loss of the terminal.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aStoppedReaderOfStandardOutputDoesNotKeepTheProgram(signal: Int32) async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            let program = try origin.watch([], state: state.path, through: pipe.asStandardOutput)
            try await origin.waitForReceipts(3)
            _ = try await endInTime(program, by: signal)
            await origin.stop()
        }

        /// The same for the table of many sessions.
        @Test func aStoppedReaderOfTheTableDoesNotKeepTheProgram() async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            try folder.write("ch \(origin.streamURL) count=2 mode=fire\n", to: "list.txt")
            let program = try AdtopChild(
                ["monitor", folder.file("list.txt"), "--dump", "--for", "150s", "--poll", "500ms", "--spread", "1s"],
                state: state.path, through: pipe.asStandardOutput)
            try await origin.waitForReceipts(3)
            _ = try await endInTime(program)
            await origin.stop()
        }

        /// The reader of a recording, or its disk, took the beginning and stands still since.
        @Test func aRecordingThatStandsStillDoesNotKeepTheProgram() async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
            let pipe = try FullPipe(in: folder)
            try pipe.makeRoom(pages: 2)
            let program = try origin.watch(["--record", pipe.path], state: state.path)
            try await origin.wait(for: "a full pipe") { _ in pipe.isFull }
            // A break is many inputs, which no longer fit.
            try await origin.waitForNewBreaks(1)
            let run = try await endInTime(program)
            await origin.stop()
            let loss = "\(pipe.path): the recording is not complete: its disk does not accept it"
            #expect(run.errors.contains(loss), "\(run.errors)")
            // The frame is there, and the session ended in order.
            #expect(DumpedSession(json: try run.json()).mode == "fire")
            #expect(!run.errors.contains("did not end"))
        }

        #if os(Linux)
            /// The disk of the journal takes nothing any more: a claim waits for its flush, and for good.
            @Test func aDiskThatHangsDoesNotKeepTheProgram() async throws {
                let origin = try await WatchedOrigin()
                let state = try TemporaryFolder()
                let program = try origin.watch(
                    state: state.path,
                    environment: [
                        "LD_PRELOAD": BuiltProduct.path("libPowerLoss.so"), "POWER_LOSS_HANGS": state.file("hangs"),
                    ])
                try await origin.waitForReceipts(3)
                try state.write("", to: "hangs")
                let clock = ContinuousClock()
                let begin = clock.now
                func isHanging() -> Bool { FileManager.default.contents(atPath: state.file("hangs"))?.isEmpty == false }
                while !isHanging(), clock.now - begin < .seconds(60) { await Task.yield() }
                #expect(isHanging())
                _ = try await endInTime(program)
                await origin.stop()
            }
        #endif

        /// A plugin that ignores SIGTERM and never answers, of an ad space and of an auction.
        @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"), arguments: ["--slot", "--auction"])
        func aPluginThatNeverAnswersDoesNotKeepTheProgram(option: String) async throws {
            let origin = try await WatchedOrigin()
            let (folder, state) = (try PythonPlugin.folder(), try TemporaryFolder())
            try folder.write(PluginBidderTests.auction("stuck", id: "a"), to: "one.auction")
            let value = option == "--slot" ? "a=banner:stuck@py" : folder.file("one.auction")
            let program = try origin.watch(["--plugins", folder.path, option, value], state: state.path)
            try await origin.wait(for: "a plugin that hangs") { _ in !PythonPlugin.hung(in: folder).isEmpty }
            _ = try await endInTime(program)
            await origin.stop()
            // It was killed. The system may need a moment to take away what is left of it.
            let clock = ContinuousClock()
            let end = clock.now
            while clock.now - end < .seconds(10), PythonPlugin.hung(in: folder).contains(where: { !$0.isGone }) {
                await Task.yield()
            }
            let hung = PythonPlugin.hung(in: folder)
            #expect(hung.count == 1 && hung.allSatisfy { $0.isGone }, "\(hung)")
        }

        /// A server that accepts the connection and never answers.
        @Test func aServerThatNeverAnswersDoesNotKeepTheProgram() async throws {
            let state = try TemporaryFolder()
            let server = try DeafServer()
            let program = try AdtopChild(
                ["http://127.0.0.1:\(server.port)/live.m3u8", "--dump", "--for", "60s"], state: state.path)
            try server.accept()
            _ = try await endInTime(program)
        }

        private final class DeafServer: Sendable {
            let port: UInt16
            private let descriptor: Int32

            init() throws {
                let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                descriptor = listener
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                            && getsockname(listener, $0, &length) == 0
                    }
                }
                try #require(isBound)
                port = UInt16(bigEndian: address.sin_port)
            }

            deinit { close(descriptor) }

            /// Waits for the program's connection.
            func accept() throws {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                try #require(poll(&ready, 1, 30_000) == 1)
            }
        }
    }
}
