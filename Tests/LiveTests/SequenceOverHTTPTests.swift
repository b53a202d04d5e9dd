import AdTracking
import Foundation
import HLS
import Live
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

@testable import adtop_conformance

/// The live sequences of the shared conformance folder with each answer over a socket: the same goldens, the same
/// follower and playhead. Times are those of the sequence, so the tests do not wait.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct SequenceOverHTTPTests {
    static let folders = ConformanceFolder.names(in: "hls/sequences")

    /// Serves a sequence: the n-th request of the playlist receives the n-th answer; asset lists have their own
    /// addresses.
    private static func server(of sequence: PlaybackSequence) async throws -> ScriptedServer {
        let served = Locked(0)
        let lists = sequence.assetLists.sorted { $0.key < $1.key }.map(\.value)
        return try await ScriptedServer { request in
            let path = request.line.dropFirst("GET ".count)
            if path.hasPrefix("/assets/") {
                guard let number = Int(path.dropFirst("/assets/".count)), lists.indices.contains(number) else {
                    return [.answer("404 Not Found")]
                }
                switch lists[number] {
                case .body(let body): return [.answer(body: String(decoding: body, as: UTF8.self))]
                case .status(let status): return [.answer("\(status) Scripted")]
                }
            }
            let number = served.withLock { count in
                defer { count += 1 }
                return count
            }
            guard sequence.answers.indices.contains(number) else { return [.answer("410 Gone")] }
            let answer = sequence.answers[number]
            return [
                .answer(
                    "\(answer.status ?? 500) Scripted", ["Content-Type: application/vnd.apple.mpegurl"],
                    body: String(decoding: answer.body, as: UTF8.self))
            ]
        }
    }

    /// The timeline of `sequence`, played with answers from the server.
    private static func play(
        _ sequence: PlaybackSequence, at server: ScriptedServer, over transport: LiveHTTPTransport
    ) async throws -> JSONValue {
        var asked = sequence
        for (number, url) in sequence.assetLists.keys.sorted().enumerated() {
            let exchange = await transport.send(
                HTTPRequest(url: try WebURL(server.url("/assets/\(number)")), maximumBodyBytes: 1 << 20))
            asked.assetLists[url] = exchange.isSuccess ? .body(exchange.body) : .status(exchange.status ?? 0)
        }
        var replay = SequenceReplay(asked)
        let playlist = try WebURL(sequence.playlistURI)
        for (at, event) in sequence.events {
            guard case .answer(let recorded) = event else {
                replay.take(event, at: at)
                continue
            }
            let request = replay.request(at: at)
            let query = request.directives.added(to: playlist.query).map { "?\($0)" } ?? ""
            let exchange = await transport.send(
                HTTPRequest(
                    url: try WebURL(server.url(playlist.path + query)), totalTimeout: request.timeout,
                    maximumBodyBytes: Limits.playlistBytes))
            var answer = PlaybackSequence.Answer(
                file: recorded.file, at: at, status: exchange.status, body: exchange.body)
            answer.directives = request.directives
            replay.take(.answer(answer), at: at)
        }
        return replay.timeline
    }

    @Test func theFolderHasItsTenSequences() {
        #expect(Self.folders.count == 10)
    }

    @Test(arguments: folders) func sequence(_ name: String) async throws {
        let files = ConformanceFolder.files(in: "hls/sequences/\(name)")
        let sequence = try PlaybackSequence(meta: JSONReader.read(try #require(files["meta.json"])), files: files)
        let server = try await Self.server(of: sequence)
        let transport = LiveHTTPTransport()
        let timeline = try await Self.play(sequence, at: server, over: transport)
        await transport.shutdown()
        try await server.stop()
        let expected = try JSONReader.read(try #require(files["timeline.json"]))
        let differences = Difference.list(expected: expected, actual: timeline, milliseconds: 1)
        #expect(differences.isEmpty, "\(differences.prefix(20).map(\.description).joined(separator: "\n"))")
        #expect(server.requests.count == sequence.answers.count + sequence.assetLists.count)
        let asked = server.requests.map(\.line).filter { $0.contains("_HLS_") }
        #expect(asked == (sequence.isLowLatency ? Self.directives : []))
    }

    /// The requests of the low-latency sequence: its fifth reload arrives 9 s after the fourth, when the next part has
    /// long existed, and the sixth when the copy is too old for a delta update.
    private static let directives = [
        "512&_HLS_part=1&_HLS_skip=v2", "512&_HLS_part=2&_HLS_skip=v2", "512&_HLS_part=3&_HLS_skip=v2",
        "513&_HLS_part=0&_HLS_skip=v2", "515&_HLS_part=1",
    ].map { "GET /ch/v/media.m3u8?_HLS_msn=\($0)" }
}
