import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of MediaTailor (PRV-14 to PRV-21).
@Suite struct MediaTailorTests {
    private static func origin(_ reporting: SessionShape.Reporting) async throws -> WatchedOrigin {
        try await WatchedOrigin(.mediatailor) { $0.session.reporting = reporting }
    }

    /// Each beacon that was due arrived once, and no other one.
    @Test func whatArrivesIsThePlan() async throws {
        let origin = try await Self.origin(.client)
        let state = try TemporaryFolder()
        let program = try origin.open(["--for", "150s"], state: state.path)
        try await origin.wait(for: "beacons of three breaks") { Set($0.map(\.breakId)).count > 3 }
        let run = try await program.interrupt()
        await origin.stop()
        let document = DumpedSession(json: try run.json())
        #expect(document["session"]?["provider"] == "mediatailor")
        #expect(origin.duplicates.isEmpty)
        #expect(document.states.values.allSatisfy { $0 != "failed" })
        try document.expectNothingForgotten()
    }

    @Test(arguments: 1...14) func dueBeaconsArriveOnce(_ half: Int) async throws {
        let origin = try await Self.origin(.client)
        try await Task.sleep(for: .milliseconds(500 * half))
        let state = try TemporaryFolder()
        let document = DumpedSession(json: try await origin.open(["--for", "16s"], state: state.path).end().json())
        let session = try #require(origin.receipts.first?.session)
        #expect(document.played.count == 1 && document["session"]?["sessionId"]?.stringValue == session)
        try await origin.expectDueOnce(in: document)
    }

    /// The service reports: everything is shown, nothing is sent, and the reason is the service.
    @Test func whatTheServiceReportsIsShownAndNotSent() async throws {
        let origin = try await Self.origin(.service)
        let state = try TemporaryFolder()
        let run = try await origin.open(["--for", "14s"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts == [])
        let document = DumpedSession(json: try run.json())
        let events = (document["breaks"]?.arrayValue ?? []).flatMap { $0["ads"]?.arrayValue ?? [] }
            .flatMap { $0["events"]?.arrayValue ?? [] }
        let own = events.filter { $0["event"] == "impression" || $0["event"] == "complete" }
        #expect(own.count > 3)
        #expect(own.allSatisfy { $0["reason"] == "server-beaconed" }, "\(own.first?.text() ?? "")")
    }

    /// To request an ad segment of the service is to report its ad (PRV-16): no verb that follows a stream does.
    @Test(arguments: [
        ["--dump", "--for", "9s"], ["--dump", "--for", "9s", "--fire"], ["doctor"], ["hls timeline", "--reloads", "2"],
    ])
    func adSegmentsAreNeverRequested(_ arguments: [String]) async throws {
        let origin = try await Self.origin(.service)
        let state = try TemporaryFolder()
        let playlist = try await Self.playlistWithAdSegments(origin)
        let isVerb = arguments.first?.hasPrefix("-") == false
        let verb = isVerb ? arguments[0].components(separatedBy: " ") : []
        let url = verb.first == "hls" ? playlist.url : origin.streamURL
        let flags = arguments.dropFirst(verb.isEmpty ? 0 : 1)
        let run = try await AdtopProcess.run(verb + [url] + flags, state: state.path)
        #expect(run.status < 2, "\(run.errors)")
        #expect(!origin.targets.contains { $0.contains("/v1/segment/") }, "\(origin.targets)")
        // One request would be seen.
        let before = origin.receipts.count
        #expect(await LoopbackClient(port: origin.port).get(playlist.segment).status == 302)
        #expect(origin.receipts.count == before + 1 && origin.targets.last?.hasPrefix("/v1/segment/") == true)
        await origin.stop()
    }

    /// Nor does a monitor of many sessions.
    @Test func adSegmentsAreNeverRequestedForManySessions() async throws {
        let origin = try await Self.origin(.service)
        let folder = try TemporaryFolder()
        _ = try await Self.playlistWithAdSegments(origin)
        try folder.write("ch \(origin.streamURL) count=2\n", to: "list.txt")
        let run = try await AdtopProcess.run(
            ["monitor", folder.file("list.txt"), "--dump", "--no-journal", "--for", "9s", "--spread", "0s"],
            state: folder.path)
        await origin.stop()
        #expect(run.status < 2, "\(run.errors)")
        #expect(!origin.targets.contains { $0.contains("/v1/segment/") }, "\(origin.targets)")
    }

    /// A media playlist of a session and the path of an ad segment in it: the stream had breaks before it began.
    private static func playlistWithAdSegments(_ origin: WatchedOrigin) async throws -> (url: String, segment: String) {
        let client = LoopbackClient(port: origin.port)
        let root = "http://127.0.0.1:\(origin.port)"
        func get(_ url: String) async -> String { await client.get(url.replacing(root, with: "")).body }
        let opened = try JSONReader.read(await get(origin.streamURL))
        let manifest = root + (try #require(opened["manifestUrl"]?.stringValue))
        let variants = await get(manifest).split(separator: "\n")
        let variant = try #require(variants.first { !$0.hasPrefix("#") })
        let url = try WebURL(manifest).resolving(String(variant)).text
        let lines = await get(url).split(separator: "\n")
        let segment = try #require(lines.first { $0.contains("/v1/segment/") }, "\(lines)")
        return (url, String(segment.dropFirst(root.count)))
    }
}
