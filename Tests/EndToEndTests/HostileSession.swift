import Foundation
import ScriptedServers
import TestSupport

/// A server whose stream, metadata, ads and answers to beacons have hostile text wherever their formats can carry it.
enum HostileStream {
    /// In header fields HTTP parsers reject ASCII controls.
    private static let field = HostileText.mark + HostileText.notASCII
    private static let fields = [
        "Server: \(field)", "X-Cache: \(field)", "ETag: \"\(field)\"", "Set-Cookie: \(field)=\(field); Path=/\(field)",
        "Warning: 199 \(field)", "Retry-After: \(field)", "Date: \(field)",
    ]

    static func start() async throws -> ScriptedServer {
        let start = Date()
        return try await ScriptedServer { request in
            let line = request.line.dropFirst(4)
            let port = request.head.firstMatch(of: /(?i)host: 127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.output.1) } ?? 1
            switch true {
            case line.hasPrefix("/b/"): return [beacon(line)]
            case line.hasPrefix("/ad.xml"): return [answer("text/xml", HostileFolder.text(of: "ad.xml"))]
            case line.hasPrefix("/vmap.xml"): return [answer("text/xml", HostileFolder.text(of: "vmap.xml"))]
            case line.hasPrefix("/plain"):
                let isPlaylist = line.hasPrefix("/plain.m3u8")
                return isPlaylist ? [answer("text/\(field)", HostileFolder.markedPlaylist(at: start))] : [missing]
            case line.contains("/metadata") && !line.contains("sessid"): return [missing]
            case line.contains("/metadata"):
                return [answer("application/\(field)", HostileFolder.metadata(at: start, port: port))]
            default: return [answer("application/vnd.apple.mpegurl;\(field)", HostileFolder.livePlaylist(at: start))]
            }
        }
    }

    private static let missing = ScriptedServer.Step.answer("404 \(field)", fields, body: HostileText.raw)

    private static func answer(_ type: String, _ body: String) -> ScriptedServer.Step {
        .answer("200 \(field)", ["Content-Type: \(type)"] + fields, body: body)
    }

    /// Beacons are accepted, rejected and redirected in turn.
    private static func beacon(_ line: Substring) -> ScriptedServer.Step {
        switch Int(line.dropFirst(3).prefix { $0.isNumber }).map({ $0 % 3 }) {
        case 1: .answer("503 \(field)", ["Content-Type: \(field)"] + fields, body: HostileText.raw)
        case 2: .answer("302 \(field)", ["Location: http://\(field)/\(field)"] + fields)
        default: .answer("200 \(field)", ["Content-Type: \(field)"] + fields, body: HostileText.raw)
        }
    }
}

/// A session on the hostile stream with all it leaves behind, which several tests read: it runs once.
enum HostileSession {
    struct Outputs: Sendable {
        var folder: TemporaryFolder
        /// What was printed, and the files by their names, as text.
        var texts: [String: String]
    }

    static let outputs = Task { try await run() }

    private static func run() async throws -> Outputs {
        let folder = try TemporaryFolder()
        let server = try await HostileStream.start()
        let url = server.url("/live.m3u8?sessid=\(HostileText.mark)")
        let program = try await AdtopProcess.run([
            url, "--dump", "--format", "json", "--until", "3-beacons", "--for", "60s", "--journal",
            folder.file("journal"), "--record", folder.file("recording"), "--events", folder.file("events"),
            "--log-file", folder.file("log"), "--log-level", "debug", "--retry", "never",
        ])
        try await server.stop()
        var texts = ["output": program.output, "errors": program.errors]
        for name in ["events", "log"] { texts[name] = try String(contentsOfFile: folder.file(name), encoding: .utf8) }
        return Outputs(folder: folder, texts: texts)
    }
}
