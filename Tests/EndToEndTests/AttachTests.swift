import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// The real program on running sessions of which it has the tracking data alone (PRV-48).
@Suite struct AttachTests {
    /// The address of the tracking data of a session that another player has opened.
    private static func tracking(_ origin: WatchedOrigin, _ dialect: SessionShape.Dialect) async throws -> String {
        let client = LoopbackClient(port: origin.port)
        let root = "http://127.0.0.1:\(origin.port)"
        let opened = await client.get(origin.streamURL.replacing(root, with: ""))
        guard dialect == .mediatailor else {
            let items = QueryItems(try WebURL(origin.streamURL).query)
            let service = try #require(items["bpkio_serviceid"])
            return
                "\(origin.streamURL.prefix { $0 != "?" })?bpkio_serviceid=\(service)&bpkio_sessionid=s0123456789abcde&bk-ml=2.0"
        }
        return root + (try #require(JSONReader.read(opened.body)["trackingUrl"]?.stringValue))
    }

    /// The breaks are there and on air, all that was due would have been sent, and nothing was.
    @Test(arguments: [SessionShape.Dialect.mediatailor, .broadpeak])
    func aSessionIsFollowedAndNothingIsSent(_ dialect: SessionShape.Dialect) async throws {
        let origin = try await WatchedOrigin { $0.session.dialect = dialect }
        let state = try TemporaryFolder()
        let url = try await Self.tracking(origin, dialect)
        let run = try await AdtopProcess.run(
            [
                "attach", url, "--dump", "--format", "json", "--unredacted", "--for", "16s", "--record",
                state.file("session.adtop"),
            ], state: state.path)
        #expect(run.status == 0, "\(run.errors)")
        let document = DumpedSession(json: try run.json())
        #expect(document["session"]?["provider"] == .string(dialect == .mediatailor ? "mediatailor" : "broadpeak"))
        #expect(document["playlist"]?["kind"] == "clock" && document["session"]?["initPath"] == "tracking")
        #expect(document.mode == "observe" && document["session"]?["canArm"] == false)
        #expect(document.states.values.filter { $0 == "observed" }.count > 5, "\(document.states)")
        try document.expectNothingForgotten()
        #expect(origin.receipts == [])
        await origin.stop()
        let replay = try await AdtopProcess.run(["replay", state.file("session.adtop"), "--dump", "--format", "json"])
        let replayed = DumpedSession(json: try replay.json())
        #expect(replayed["playlist"]?["kind"] == "clock" && replayed["breaks"]?.arrayValue?.isEmpty == false)
    }

    /// One sentence for whatever cannot be followed, without a request.
    @Test(
        arguments: [
            (["https://x.example/v1/tracking/9f8e7d6c5b4a3928/c/s", "--fire"], "--fire: another player reports"),
            (["https://x.example/v1/tracking/9f8e7d6c5b4a3928/c/s", "--fire-anyway"], "--fire-anyway: another player"),
            (["https://x.example/live/index.m3u8"], "is the address of a playlist"),
            (["https://content.uplynk.com/session/ping/1.json"], "a ping is itself a beacon"),
            (["https://x.example/metadata", "--provider", "none"], "needs a provider"),
            (["https://x.example/metadata", "--provider", "dai"], "without times"),
            (["https://x.example/metadata", "--pdt-offset", "soon"], "'soon' is not a duration"),
            (["https://x.example/metadata", "--pdt-offset", "2999-01-01T00:00:00Z"], "is not within the last 7 days"),
            (["not-an-address"], "'not-an-address'"), (["ftp://x.example/"], "'ftp'"), ([], "url"),
        ] as [([String], String)])
    func oneSentenceForWrongInput(_ arguments: [String], _ words: String) async throws {
        let run = try await AdtopProcess.run(["attach"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }

    /// Answers that are no tracking data end a dump with one sentence.
    @Test(
        arguments: [
            ("text/html", "<html><body>Log in</body></html>", "metadata: the body", 4),
            ("application/json", "", "metadata: the body", 4),
            ("application/json", #"{"status":"ok"}"#, "is JSON without 'adBreaks' and 'dataRange'", 4),
        ] as [(String, String, String, Int32)])
    func whatIsNoTrackingDataIsSaid(_ type: String, _ body: String, _ words: String, _ status: Int32) async throws {
        let server = try await ScriptedServer { _ in [.answer("200 OK", ["Content-Type: \(type)"], body: body)] }
        let run = try await AdtopProcess.run(
            ["attach", server.url("/live/metadata?sessid=1"), "--dump", "--for", "3s", "--no-journal"])
        try await server.stop()
        #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}
