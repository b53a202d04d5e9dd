import AdTracking
import CMalloc
import Foundation
import Ports

/// The memory that the decode of one answer of MediaTailor needs at its peak, as a multiple of the answer. Linux only (/proc).
///
/// What a process has freed is used again and would not be seen, so the answer is decoded by a process of its own:
/// `DecodeBenchmarks` runs itself as `DecodeBenchmarks FILE`.
@main
struct DecodeBenchmarks {
    static func main() throws {
        if let path = CommandLine.arguments.dropFirst().first { return try measure(path) }
        let path = NSTemporaryDirectory() + "adtop-decode-\(ProcessInfo.processInfo.processIdentifier).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // 200 avails are about 1 MB.
        try Data(SampleTexts.tracking(avails: 200)).write(to: URL(fileURLWithPath: path))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [path]
        try process.run()
        process.waitUntilExit()
        exit(process.terminationStatus)
    }

    private static func measure(_ path: String) throws {
        let body = try bytes(of: path)
        // The first decode of a process loads code.
        _ = try decode(SampleTexts.tracking(avails: 2))
        malloc_trim(0)
        // The peak is counted from here (proc(5)).
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try kibibytes("VmRSS")
        let document = try decode(body)
        let peak = try kibibytes("VmHWM")
        malloc_trim(0)
        let after = try withExtendedLifetime(document) { try kibibytes("VmRSS") }
        func times(_ kibibytes: Int) -> String {
            String(format: "%.2f", Double((kibibytes - before) * 1_024) / Double(body.count))
        }
        print(
            "tracking data of MediaTailor: \(body.count / 1_000) kB, decode at its peak: \(times(peak)) times its size"
                + " (target 4), what is read of it: \(times(after)) times")
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func decode(_ body: [UInt8]) throws -> DecodedMetadata {
        let address = try WebURL("https://v.example/v1/tracking/9f8e7d6c5b4a3928/channel/session")
        var options = ProviderOptions(mediaURL: address)
        options.isAttached = true
        var provider = MediaTailorProvider(options)
        _ = provider.open()
        let hop = HTTPExchange.Hop(url: address.text, status: 200, fields: [])
        return try provider.read(HTTPExchange(hops: [hop], body: body), on: StreamFacts())
    }

    /// A figure of this process.
    private static func kibibytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        guard let value = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
        else { throw CocoaError(.fileReadCorruptFile) }
        return value
    }
}
