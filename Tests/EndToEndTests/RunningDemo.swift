import Foundation
import Ports
import TestSupport
import Testing

/// The built program in a pseudo-terminal on the embedded origin, and the origin's own view of it over HTTP.
final class RunningDemo {
    let terminal: PseudoTerminal
    /// Modes of the terminal before the program ran.
    let modesBefore: PseudoTerminal.Modes
    private(set) var client = LoopbackClient(port: 0)
    private let folder: URL

    /// Starts `adtop demo` and waits until its header names the origin's address.
    init(_ arguments: [String], columns: Int = 120, rows: Int = 40) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("adtop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        modesBefore = terminal.modes
        try terminal.run(
            BuiltProduct.path("adtop"), ["demo"] + arguments,
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/bin:/bin",
                "SWIFT_BACKTRACE": "enable=no",
            ])
        var port: Int?
        try terminal.read(waitingFor: "the origin's address on screen") {
            let text = String(decoding: terminal.transcript, as: UTF8.self)
            // Host and path of an address have styles of their own.
            port = text.firstMatch(of: /127\.0\.0\.1:([0-9]{2,5})(?:\x1B(?:\[[0-9;]*m|\(B))*\//)
                .flatMap { Int($0.output.1) }
            return port != nil
        }
        client = LoopbackClient(port: port ?? 0)
    }

    deinit {
        // A leftover folder in the system's temporary place harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }

    /// A receipt as the collector lists it.
    struct Receipt: Hashable {
        var event: String
        var breakID: String
        var adID: String
        var target: String
        var hop: Int
        var isDuplicate: Bool
        var session: String
        /// Epoch ms.
        var at: Int64

        /// Whether its ad is the long one of `sprint`, 2.5 s.
        var isLong: Bool { adID.hasPrefix("marathon") }
    }

    /// What the collector has got so far of the stream's ads; the ad spaces beside it are another matter.
    func receipts() -> [Receipt] {
        guard let text = client.body(of: "/receipts"), let document = try? JSONReader.read(text) else { return [] }
        // The notices of the demo's auction are no beacons of the stream.
        let beacons = (document["receipts"]?.arrayValue ?? []).filter { $0["scenario"]?.stringValue != "auction" }
        return beacons.map { receipt in
            Receipt(
                event: receipt["event"]?.stringValue ?? "", breakID: receipt["breakId"]?.stringValue ?? "",
                adID: receipt["adId"]?.stringValue ?? "", target: receipt["url"]?.stringValue ?? "",
                hop: Int(receipt["hop"]?.integerValue ?? 0),
                isDuplicate: receipt["duplicate"]?.boolValue ?? false, session: receipt["sessid"]?.stringValue ?? "",
                at: receipt["atMs"]?.integerValue ?? 0)
        }.filter { !$0.target.contains("&ad=zone-") }
    }

    /// The beacons planned for the session of `receipt`, from a little before it to well after it in media time.
    func plan(around receipt: Receipt) -> [(target: String, breakID: String, at: Int64)] {
        let (from, to) = (receipt.at - 60_000, receipt.at + 600_000)
        guard let text = client.body(of: "/plan?sessid=\(receipt.session)&fromMs=\(from)&toMs=\(to)&continues=true"),
            let document = try? JSONReader.read(text)
        else { return [] }
        return (document["beacons"]?.arrayValue ?? []).map { beacon in
            (
                // The plan names whole URLs, receipts what follows the host.
                (beacon["url"]?.stringValue ?? "").replacing("http://127.0.0.1:\(client.port)", with: ""),
                beacon["breakId"]?.stringValue ?? "",
                beacon["atMs"]?.integerValue ?? 0
            )
        }
    }

    /// Breaks of which the last planned beacon is among `receipts`.
    func completedBreaks(_ receipts: [Receipt]) -> [String] {
        guard let first = receipts.first else { return [] }
        let got = Set(receipts.map(\.target))
        let last = Dictionary(plan(around: first).map { ($0.breakID, $0) }) { first, second in
            second.at >= first.at ? second : first
        }
        return last.values.filter { got.contains($0.target) }.map(\.breakID)
    }

    /// Waits until so many breaks besides those have all their beacons.
    func waitForBreaks(_ count: Int, besides known: Set<String> = []) throws {
        try wait(for: "\(count) whole breaks") { Set(completedBreaks($0)).subtracting(known).count >= count }
    }

    /// Expects the beacons of these breaks to be those that are planned, each once.
    func expectThePlan(
        of breaks: Set<String>, in receipts: [Receipt], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let first = try #require(receipts.first, sourceLocation: sourceLocation)
        let planned = plan(around: first).filter { breaks.contains($0.breakID) }
        let sent = receipts.filter { breaks.contains($0.breakID) && $0.hop == 0 }
        #expect(sent.map(\.target).sorted() == planned.map(\.target).sorted(), sourceLocation: sourceLocation)
        #expect(!planned.isEmpty, sourceLocation: sourceLocation)
    }

    /// Reads whatever comes for that long.
    func keepReading(for span: Duration) {
        // Nothing is expected, so the wait runs out.
        try? terminal.read(within: span, waitingFor: "nothing") { false }
    }

    /// Keeps reading the screen until the receipts are as wanted.
    func wait(for what: String, within limit: Duration = .seconds(60), until condition: ([Receipt]) -> Bool) throws {
        try terminal.read(within: limit, waitingFor: what) { condition(receipts()) }
    }
}
