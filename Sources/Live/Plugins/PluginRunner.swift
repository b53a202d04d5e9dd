import AdFormats
package import Foundation
import Locks
import Monitoring
import Ports
package import Session

/// Runs plugins of a session as processes. A process does not outlive the task that runs it: after a cancellation it
/// has the time of a plugin's shutdown to end by itself.
package final class PluginRunner: PluginPort {
    private let executables: [String: URL]
    private let processes = Locked<[PluginRun: PluginProcess]>([:])

    /// - Parameter executables: executables by the plugin's identifier.
    package init(_ executables: [String: URL]) {
        self.executables = executables
    }

    package func run(_ run: PluginRun, report: @escaping @Sendable (PluginNews) async -> Void) async {
        guard let executable = executables[run.identifier] else {
            return await report(.notStarted("no such plugin"))
        }
        let process: PluginProcess
        do throws(FileProblem) {
            process = try PluginProcess(executable: executable)
        } catch {
            return await report(.notStarted("\(error)"))
        }
        processes.withLock { $0[run] = process }
        await report(.started)
        // Ends with the process, or two seconds after `run` was cancelled, by the task below.
        let following = Task { await Self.follow(process, report) }
        await withTaskCancellationHandler {
            await following.value
        } onCancel: {
            // Ends by itself; a process that has ended is not killed.
            Task {
                try? await Task.sleep(for: PluginSession.shutdownSilence)
                process.kill()
                // A process started by the plugin may keep its output open for ever.
                following.cancel()
            }
        }
        processes.withLock { $0[run] = nil }
    }

    package func tell(_ run: PluginRun, _ line: String) -> Bool {
        processes.withLock { $0[run] }?.write(line) ?? true
    }

    package func terminate(_ run: PluginRun) {
        processes.withLock { $0[run] }?.terminate(within: PluginSession.shutdownSilence)
    }

    package func kill(_ run: PluginRun) {
        processes.withLock { $0[run] }?.kill()
    }

    /// Kills what is left when this process ends: no later code does it.
    package func killAll() {
        for process in processes.withLock({ Array($0.values) }) { process.kill() }
    }

    private static func follow(
        _ process: PluginProcess, _ report: @escaping @Sendable (PluginNews) async -> Void
    ) async {
        var (output, complaints) = (LineBatch(), LineBatch())
        for await event in process.events {
            switch event {
            case .output(let bytes):
                if let lines = output.take(bytes) { await report(.output(lines)) }
            case .complaint(let bytes):
                if let lines = complaints.take(bytes) { await report(.complaint(lines)) }
            case .exited(let how):
                if let rest = output.rest { await report(.output(rest)) }
                if let rest = complaints.rest { await report(.complaint(rest)) }
                await report(.exited(how))
            }
            process.taken()
        }
    }
}

/// Collects bytes until their line is complete, so that text is delivered as text wherever the pipe divided it.
struct LineBatch {
    private var held: [UInt8] = []

    /// Adds bytes and returns the complete lines; a line that exceeds the limit is returned in parts.
    mutating func take(_ bytes: [UInt8]) -> [UInt8]? {
        held += bytes
        guard held.count <= PluginSession.maximumLineBytes else {
            defer { held = [] }
            return held
        }
        guard let end = held.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { held.removeSubrange(...end) }
        return Array(held[...end])
    }

    /// The incomplete last line; nil if there is none.
    var rest: [UInt8]? { held.isEmpty ? nil : held }
}
