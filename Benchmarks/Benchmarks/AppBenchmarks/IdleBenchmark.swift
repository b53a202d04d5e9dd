import Foundation
import TestSupport

/// Processor time and memory of a live session at 120x40 that nobody touches, between two breaks and inside one: 60 s of both at once,
/// after 10 s of settling. Linux only (/proc).
struct IdleBenchmark {
    let adtop: String

    /// As `steady`, but for when its breaks are: the first begins five minutes after the origin, or at once and is five minutes long.
    private static let places = [
        (name: "between breaks", breaks: "every: 10m, first: 5m, pods: [[city-car, oat-milk, night-train]]"),
        (name: "inside a break", breaks: "every: 20m, first: 0s, pods: [[\(longPod)]]"),
    ]
    private static let longPod = Array(repeating: "city-car", count: 10).joined(separator: ", ")

    func measure() throws {
        let sessions = try Self.places.map { try Session($0.name, breaks: $0.breaks, of: adtop) }
        Self.drain(sessions, for: .seconds(10))
        let before = sessions.map { ProcessFigures($0.viewer.terminal.process) }
        let start = ContinuousClock.now
        Self.drain(sessions, for: .seconds(60))
        let took = (ContinuousClock.now - start) / .seconds(1)
        for (session, before) in zip(sessions, before) {
            let after = ProcessFigures(session.viewer.terminal.process)
            let share = (after.processorSeconds - before.processorSeconds) / took * 100
            print(
                "idle \(session.name), 120x40, 60 s: \(String(format: "%.2f", share)) % of a core (target 0.2 %),"
                    + " RSS \(after.residentKiB / 1_024) MiB (target 36 MiB)")
        }
        for session in sessions { try session.end() }
    }

    /// What a session writes is read every tenth of a second, so that it never waits for its terminal.
    private static func drain(_ sessions: [Session], for span: Duration) {
        let end = ContinuousClock.now + span
        while ContinuousClock.now < end {
            for session in sessions { session.viewer.terminal.drain(for: .milliseconds(100) / sessions.count) }
        }
    }
}

/// A viewer and the origin of its own scenario.
private final class Session {
    let name: String
    let viewer: Viewer
    private let origin: Origin

    init(_ name: String, breaks: String, of adtop: String) throws {
        let path = NSTemporaryDirectory() + "adtop-idle-\(ProcessInfo.processInfo.processIdentifier).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let scenario = """
            name: idle
            summary: \(name)
            stream: {segment: 4s, window: 60s}
            metadata: {window: 4m}
            breaks: {\(breaks)}
            ads:
              city-car: {duration: 30.03s, urls: {impression: 2, start: 2}}
              oat-milk: {duration: 15.015s, urls: {impression: 2}}
              night-train: {duration: 15.015s, urls: {complete: 2}}
            """
        try scenario.write(toFile: path, atomically: true, encoding: .utf8)
        origin = try Origin(adtop, scenario: path)
        self.name = name
        viewer = try Viewer(adtop, origin.streamURL)
        try viewer.start()
    }

    func end() throws {
        try viewer.quit()
        origin.stop()
    }
}

/// Figures of a process from /proc.
private struct ProcessFigures {
    let processorSeconds: Double
    let residentKiB: Int

    init(_ process: pid_t) {
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        processorSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        residentKiB = status.firstMatch(of: /VmRSS:\s+([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
    }
}
