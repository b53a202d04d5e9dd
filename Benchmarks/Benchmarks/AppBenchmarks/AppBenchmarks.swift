import Foundation
import TestSupport

/// Measures the built program as a whole, as a person uses it: start, idling, reaction to a key. Linux only (/proc).
@main
struct AppBenchmarks {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: AppBenchmarks PATH-OF-ADTOP")
            exit(2)
        }
        let adtop = CommandLine.arguments[1]
        try ChainBenchmark(adtop: adtop).measure()
        try SimulationBenchmark(adtop: adtop).measure()
        let origin = try Origin(adtop)
        try measureStart(adtop, origin)
        try measureKeys(adtop, origin)
        origin.stop()
        try IdleBenchmark(adtop: adtop).measure()
    }

    /// Time from spawning the process to the last row of its first picture, at 120x40.
    private static func measureStart(_ adtop: String, _ origin: Origin) throws {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<21 {
            let viewer = try Viewer(adtop, origin.streamURL)
            let start = clock.now
            try viewer.start()
            try viewer.terminal.expect("quit")
            times.append(clock.now - start)
            try viewer.quit()
        }
        report("start to first complete frame, 120x40", times, target: "30 ms")
    }

    /// Time from typing a key to the first byte painted, at 120x40 on a live session.
    private static func measureKeys(_ adtop: String, _ origin: Origin) throws {
        let viewer = try Viewer(adtop, origin.streamURL)
        try viewer.start()
        try viewer.terminal.expect("metadata poll")
        let clock = ContinuousClock()
        var times: [Duration] = []
        for index in 0..<300 {
            viewer.terminal.settle(for: .milliseconds(20))
            let length = viewer.terminal.transcript.count
            let start = clock.now
            viewer.terminal.type(index.isMultiple(of: 2) ? "?" : "\u{1B}[27u")
            try viewer.terminal.read(waitingFor: "an answer to a key") { viewer.terminal.transcript.count > length }
            times.append(clock.now - start)
        }
        report("key to first painted byte, 120x40", times, target: "p99 5 ms")
        try viewer.quit()
    }

    private static func report(_ name: String, _ times: [Duration], target: String) {
        let sorted = times.sorted()
        func figure(_ share: Double) -> String {
            let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            return String(format: "%.2f ms", value / .milliseconds(1))
        }
        print("\(name): median \(figure(0.5)), p90 \(figure(0.9)), p99 \(figure(0.99)) (target \(target))")
    }
}

/// The embedded origin in its own process.
final class Origin {
    let streamURL: String
    private let process = Process()

    /// - Parameter scenario: name or YAML file.
    init(_ adtop: String, scenario: String = "steady") throws {
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: adtop)
        process.arguments = ["origin", "--scenario", scenario]
        process.standardOutput = pipe
        try process.run()
        var text = ""
        while !text.contains("receipts") {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        streamURL = text.firstMatch(of: /http\S+m3u8/).map { String($0.output) } ?? ""
    }

    func stop() {
        process.terminate()
    }
}

/// The dashboard in a pseudo-terminal.
final class Viewer {
    let terminal: PseudoTerminal
    private let adtop: String
    private let url: String

    init(_ adtop: String, _ url: String) throws {
        terminal = try PseudoTerminal(columns: 120, rows: 40)
        self.adtop = adtop
        self.url = url
    }

    func start() throws {
        try terminal.run(
            adtop, [url, "--no-journal"],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": NSTemporaryDirectory(), "PATH": "/usr/bin:/bin",
            ])
    }

    func quit() throws {
        terminal.type("Q")
        _ = try terminal.waitForExit()
    }
}

extension PseudoTerminal {
    /// Reads all output for that long.
    func drain(for span: Duration) {
        // The wait must run out: nothing is expected.
        try? read(within: span, waitingFor: "nothing") { false }
    }

    /// Reads until there was no output for that long.
    fileprivate func settle(for span: Duration) {
        var length = -1
        while length != transcript.count {
            length = transcript.count
            drain(for: span)
        }
    }
}
