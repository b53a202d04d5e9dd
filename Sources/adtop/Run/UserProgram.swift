import Dashboard
import Foundation
import Live
import Locks

/// Runs the user's own command: without a terminal and without input, for a limited time, with its output as lines. It does not outlive
/// this process; what it has started in the background keeps running once it has ended by itself.
enum UserProgram {
    /// Longest time a command may take.
    static let limit: Duration = .seconds(60)
    /// Most lines of output that are passed on; the rest is read and dropped.
    static let lineLimit = 200
    /// Longest line in bytes.
    static let lineBytes = 2_048

    private struct Running {
        var programs: Set<Started> = []
        /// Whether they end with this process.
        var isRegistered = false
    }

    private static let running = Locked(Running())

    private static let environment = URL(fileURLWithPath: "/usr/bin/env")

    /// Runs the command and passes each line of both its streams to `log`. Returns one sentence about its end.
    static func run(
        _ command: CommandRun, log: @escaping @Sendable (String) async -> Void
    ) async -> (text: String, isGood: Bool) {
        let (name, program) = (command.summary, command.arguments.first ?? "")
        let process = Process()
        process.executableURL = environment
        // For env, a name with = would be a variable, and one with a dash an option.
        guard !program.isEmpty, !program.contains("="), !program.hasPrefix("-") else {
            return ("\(name): '\(program)' is not the name of a program", false)
        }
        process.arguments = command.arguments
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended in
            end.yield(ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus)
            end.finish()
        }
        do {
            try process.runWithoutBlockedSignals()
        } catch {
            return ("\(name): cannot be started", false)
        }
        let started = Started(identifier: process.processIdentifier)
        keep(started)
        let killer = Task {
            // Cancelled when the program has ended by itself.
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            started.end()
        }
        let lines = lines(of: output.fileHandleForReading)
        let logging = Task { for await line in lines { await log("\(name): \(line)") } }
        var status: Int32 = 0
        for await value in ends { status = value }
        killer.cancel()
        running.withLock { _ = $0.programs.remove(started) }
        // What it started in the background may hold its output open.
        _ = await WayOut.within(WayOut.closing) { await logging.value }
        let (result, isGood) = result(of: status)
        return ("\(name): \(result)", isGood)
    }

    /// From now on the program ends with this process.
    private static func keep(_ program: Started) {
        running.withLock { running in
            running.programs.insert(program)
            guard !running.isRegistered else { return }
            running.isRegistered = true
            atexit { UserProgram.endAll() }
        }
    }

    /// Ends the programs that run.
    static func endAll() {
        for program in running.withLock({ $0.programs }) { program.end() }
    }

    /// - Parameter status: negative for the number of a signal.
    private static func result(of status: Int32) -> (text: String, isGood: Bool) {
        switch status {
        case 0: ("done", true)
        case ..<0: ("ended by signal \(-status)", false)
        // What env returns for a program that it does not find.
        case 127: ("not found", false)
        default: ("ended with status \(status)", false)
        }
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(lineLimit))
        // A thread of its own, because reading blocks; it ends with the last writer.
        Thread {
            var line: [UInt8] = []
            var count = 0
            func finish() {
                guard !line.isEmpty else { return }
                count += 1
                if count <= lineLimit { continuation.yield(String(decoding: line, as: UTF8.self)) }
                line = []
            }
            while case let data = handle.availableData, !data.isEmpty {
                for byte in data {
                    if byte == UInt8(ascii: "\n") { finish() } else if line.count < lineBytes { line.append(byte) }
                }
            }
            finish()
            continuation.finish()
        }.start()
        return stream
    }
}

/// A program that was started, and was not waited for.
private struct Started: Hashable {
    let identifier: Int32

    /// Ends it with the processes of its group, where it has one of its own.
    func end() {
        kill(getpgid(identifier) == identifier ? -identifier : identifier, SIGKILL)
    }
}
