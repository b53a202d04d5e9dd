import Foundation
import Live
import Ports
import Session

/// Measures the journal as sessions use it: how soon a claim is on disk while notes arrive, how many notes it accepts, how
/// large it gets, and how long a report takes, alone and printed by the program.
///
///     JournalBenchmarks [BEACONS] [PATH-OF-ADTOP]
@main
struct JournalBenchmarks {
    /// Beacons of the large journal; the target for the report is for a million.
    static let beacons = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    static let adtop = CommandLine.arguments.dropFirst(2).first
    static let key = SessionKey("http://127.0.0.1:8080 0123456789abcdef")

    static func main() async throws {
        let folder = NSTemporaryDirectory() + "adtop-journal-bench-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await measureClaims(folder + "/claims.sqlite")
        try await measureNotes(folder + "/notes.sqlite")
        try await measureReport(folder + "/report.sqlite")
    }

    /// From the call until the claim is on disk, one at a time, while another session writes notes without a pause.
    private static func measureClaims(_ path: String) async throws {
        let file = JournalFile(path: path)
        let (journal, busy) = (file.session(), file.session())
        _ = try await journal.open(key)
        _ = try await busy.open(SessionKey("busy"))
        let notes = Task {
            while !Task.isCancelled { try await busy.writeNotes(Self.notes(100)) }
        }
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in 1...1_000 {
            let start = clock.now
            try await journal.writeClaims([claim(number)])
            times.append(clock.now - start)
            try await journal.writeOutcomes([outcome(number)])
        }
        notes.cancel()
        _ = await notes.result
        await journal.close()
        await busy.close()
        times.sort()
        func figure(_ share: Double) -> String {
            String(format: "%.2f ms", times[min(times.count - 1, Int(Double(times.count) * share))] / .milliseconds(1))
        }
        print("claim until durable, notes beside: median \(figure(0.5)), p99 \(figure(0.99)) (target p99 10 ms)")
    }

    private static func measureNotes(_ path: String) async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        let clock = ContinuousClock()
        let (batches, size) = (100, 500)
        let took = try await clock.measure {
            for _ in 0..<batches { try await journal.writeNotes(notes(size)) }
        }
        await journal.close()
        let rate = Double(batches * size) / (took / .seconds(1))
        print("notes: \(Int(rate)) a second (target 5000)")
    }

    private static func measureReport(_ path: String) async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        let clock = ContinuousClock()
        var number = 0
        let took = try await clock.measure {
            while number < beacons {
                let batch = (number + 1)...min(number + 1_000, beacons)
                try await journal.writeClaims(batch.map(claim))
                try await journal.writeOutcomes(batch.map(outcome))
                number = batch.upperBound
            }
        }
        await journal.close()
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        print("beacons: \(Int(Double(beacons) / (took / .seconds(1)))) a second with outcome, in batches of 1000")
        print("size: \(size / beacons) bytes a beacon (target 400)")
        var due = 0
        let reading = try clock.measure { due = try JournalReader(path: path).report().totals.due }
        print("report on \(due) beacons, read only: \(seconds(reading))")
        for format in [[], ["--json"], ["--csv"], ["--html"]] { try measureProgram(["report", path] + format) }
    }

    /// The whole process, from start to the last byte.
    private static func measureProgram(_ arguments: [String]) throws {
        guard let adtop else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: adtop)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let took = try ContinuousClock().measure {
            try process.run()
            process.waitUntilExit()
        }
        let verb = (arguments.prefix(1) + arguments.dropFirst(2)).joined(separator: " ")
        let end = process.terminationStatus == 0 ? "" : ", ended with \(process.terminationStatus)"
        print("adtop \(verb) on \(beacons) beacons: \(seconds(took))\(end) (target 5 s for 1000000)")
    }

    private static func seconds(_ span: Duration) -> String { String(format: "%.2f s", span / .seconds(1)) }

    /// Ten events of two URLs an ad, four ads a break, ten hosts.
    private static func claim(_ number: Int) -> JournalClaim {
        let (event, ad) = (number / 2, number / 20)
        let start = UnixTime(milliseconds: 1_800_000_000_000 + Int64(ad) * 15_000)
        let names = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "progress"]
        let type = names[event % names.count]
        let url =
            "https://t\(number % 10).ads.example.com/beacon/steady?sessid=0123456789abcdef&break=\(ad / 4)&ad=night-train-\(ad)"
            + "&event=\(type)&n=\(number)"
        let beacon = JournalBeacon(
            session: key.text, breakName: "=\(ad / 4)", adName: "=night-train-\(ad)", adStart: start, type: type,
            start: start + .milliseconds(event % 10 * 1_500), url: url)
        return JournalClaim(
            number: number, beacon: beacon, round: 0, attempt: 1, at: start + .seconds(1),
            late: .milliseconds(number % 300))
    }

    private static func outcome(_ number: Int) -> JournalOutcome {
        JournalOutcome(
            claim: number, state: number % 50 == 0 ? "failed" : "acknowledged", status: number % 50 == 0 ? nil : 200,
            at: UnixTime(milliseconds: 1_800_000_000_000 + Int64(number / 20) * 15_000 + 1_040))
    }

    private static func notes(_ count: Int) -> [JournalNote] {
        (0..<count).map { index in
            JournalNote(
                at: UnixTime(milliseconds: 1_800_000_000_000 + Int64(index)),
                .log(.info, "beacon firstQuartile B\(index)/A1 204 37ms"))
        }
    }
}
