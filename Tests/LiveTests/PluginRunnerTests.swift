import Foundation
import Live
import Locks
import Monitoring
import Ports
import Session
import TestSupport
import Testing

/// The contract of `PluginPort` with real processes.
@Suite struct PluginRunnerTests {
    /// Collects the reports, and runs an action for a report.
    private final class Listener: Sendable {
        private let news = Locked<[PluginNews]>([])
        private let act: @Sendable (PluginNews) -> Void

        init(_ act: @escaping @Sendable (PluginNews) -> Void = { _ in }) { self.act = act }

        func hear(_ new: PluginNews) {
            news.withLock { $0.append(new) }
            act(new)
        }

        var all: [PluginNews] { news.withLock { $0 } }
    }

    private let folder: TemporaryFolder
    private let run = PluginRun("sh", 1)

    init() throws { folder = try TemporaryFolder() }

    /// A runner of one plugin: a shell script.
    private func runner(_ script: String) throws -> PluginRunner {
        try folder.write("#!/bin/sh\n" + script, to: "plugin.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("plugin.sh"))
        return PluginRunner(["sh": URL(fileURLWithPath: folder.file("plugin.sh"))])
    }

    @Test func newsComeInOrder() async throws {
        let runner = try runner("read line; echo \"got $line\"; printf half; exit 3\n")
        let listener = Listener { [run] in if $0 == .started { _ = runner.tell(run, "hello\n") } }
        await runner.run(run) { listener.hear($0) }
        #expect(
            listener.all == [
                .started, .output(Array("got hello\n".utf8)), .output(Array("half".utf8)),
                .exited("ended with status 3"),
            ])
        #expect(runner.tell(run, "to nobody\n"))
    }

    @Test func complaintsComeAsSuch() async throws {
        let runner = try runner("echo oops >&2\n")
        let listener = Listener()
        await runner.run(run) { listener.hear($0) }
        #expect(listener.all.contains(.complaint(Array("oops\n".utf8))))
        #expect(listener.all.last == .exited("ended with status 0"))
    }

    @Test func whoDoesNotReadIsDeaf() async throws {
        let runner = try runner("exec sleep 30\n")
        let heard = Locked(true)
        let listener = Listener { [run] news in
            guard news == .started else { return }
            heard.withLock { $0 = runner.tell(run, String(repeating: "x", count: 1 << 20)) }
            runner.kill(run)
        }
        await runner.run(run) { listener.hear($0) }
        #expect(heard.withLock { $0 } == false)
        #expect(listener.all == [.started, .exited("ended by signal 9")])
    }

    @Test func whoIsAskedToEndMayEndInOrder() async throws {
        let runner = try runner("trap 'echo last words; exit 7' TERM; echo ready; while :; do sleep 0.1; done\n")
        let listener = Listener { [run] in if case .output = $0 { runner.terminate(run) } }
        await runner.run(run) { listener.hear($0) }
        // The output is no longer read.
        #expect(listener.all == [.started, .output(Array("ready\n".utf8)), .exited("ended with status 7")])
    }

    @Test(.timeLimit(.minutes(1))) func whoDoesNotEndWhenAskedIsKilled() async throws {
        let runner = try runner("trap '' TERM; echo ready; while :; do sleep 0.1; done\n")
        let listener = Listener { [run] in if case .output = $0 { runner.terminate(run) } }
        await runner.run(run) { listener.hear($0) }
        #expect(listener.all == [.started, .output(Array("ready\n".utf8)), .exited("ended by signal 9")])
    }

    /// A process that the plugin started keeps its output open; the plugin is over nevertheless.
    @Test(.timeLimit(.minutes(1))) func itIsOverWhenItHasEndedWhateverItStarted() async throws {
        let runner = try runner("sleep 600 & echo $! $$; exit 3\n")
        let listener = Listener()
        await runner.run(run) { listener.hear($0) }
        guard case .output(let line)? = listener.all.dropFirst().first else {
            Issue.record("\(listener.all)")
            return
        }
        let numbers = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
        try #require(numbers.count == 2)
        defer { kill(numbers[0], SIGKILL) }
        #expect(listener.all.last == .exited("ended with status 3"))
        // It was waited for: no process has its number, so nothing can be signalled by mistake.
        #expect(kill(numbers[1], 0) == -1 && errno == ESRCH)
    }

    /// Threads and descriptors of plugins that have ended are freed although their output is still open somewhere.
    @Test(.timeLimit(.minutes(1)), .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "no /proc"))
    func nothingRemainsOfManyRuns() async throws {
        let marker = UUID().uuidString
        try folder.write("", to: marker)
        let runner = try runner("exec 9<\(folder.file(marker)); sleep 600 & echo $!\n")
        func held() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        var children: [Int32] = []
        defer { for child in children { kill(child, SIGKILL) } }
        let before = try held()
        for number in 1...20 {
            let listener = Listener()
            await runner.run(PluginRun("sh", number)) { listener.hear($0) }
            for case .output(let line) in listener.all {
                children += String(decoding: line, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
            }
        }
        #expect(children.count == 20)
        // Other tests of the process may open a few; each run would keep four.
        #expect(try held() < before + 20)
    }

    @Test func aFailedStartReportsTheReason() async throws {
        let listener = Listener()
        await PluginRunner(["sh": URL(fileURLWithPath: folder.file("missing"))]).run(run) { listener.hear($0) }
        guard case .notStarted(let why)? = listener.all.first else {
            Issue.record("\(listener.all)")
            return
        }
        #expect(listener.all.count == 1 && why.contains("missing"))
    }

    @Test(.timeLimit(.minutes(1))) func cancelledItEndsEvenIfThePluginDoesNot() async throws {
        // The child keeps standard output open and is not killed.
        let runner = try runner("trap '' TERM; sleep 20 & echo ready; while :; do sleep 20; done\n")
        let (ready, sink) = AsyncStream<Void>.makeStream()
        let task = Task { [run] in
            await runner.run(run) { if case .output = $0 { sink.finish() } }
        }
        for await _ in ready {}
        task.cancel()
        await task.value
        #expect(runner.tell(run, "anybody?\n"))
    }
}
