import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on a stream whose best variant the server refuses (HLS-31).
@Suite struct VariantEndToEndTests {
    @Test func aBestVariantThatDoesNotExistIsReplaced() async throws {
        let origin = try await WatchedOrigin { $0.stream.lacksBest = true }
        let state = try TemporaryFolder()
        // Without a condition the dump ends with the first complete frame: that is the one of the other variant.
        let first = try await origin.open(["--observe"], state: state.path).end()
        #expect(first.status == 0, "\(first.errors)")
        #expect(DumpedSession(json: try first.json()).phase == "running")
        let session = try await origin.dump(["--until", "6-beacons", "--for", "60s"], state: state.path)
        await origin.stop()
        #expect(session.phase == "running" && session.findings.contains("variant-refused"))
        let playlist = session["playlist"]
        #expect(playlist?["variant"]?["resolution"] == "640x360" && playlist?["variant"]?["steppedDown"] == true)
        #expect(playlist?["variants"]?.arrayValue?.count == 2)
        #expect(session.log.contains { $0.hasPrefix("the variant was rejected (answered 404): following variant 1") })
        #expect(origin.duplicates.isEmpty && !origin.receipts.isEmpty)
    }

    @Test func aVariantThatGoesInMidStreamLosesNothing() async throws {
        let origin = try await WatchedOrigin()
        let state = try TemporaryFolder()
        let program = try origin.watch(state: state.path)
        try await origin.waitForNewBreaks(1)
        let port = try #require(URL(string: origin.streamURL)?.port)
        _ = await LoopbackClient(port: port).request("POST", "/outages?file=02.m3u8&status=410")
        try await origin.waitForNewBreaks(2)
        let run = try await program.interrupt()
        await origin.stop()
        let session = DumpedSession(json: try run.json())
        #expect(session["playlist"]?["variant"]?["number"] == 1 && session["session"]?["renewals"] == 0)
        #expect(session.findings.contains("variant-refused") && !session.findings.contains("timeline-reset"))
        #expect(origin.duplicates.isEmpty)
        // What was played was reported: the ranges have no gap.
        #expect(session.played.count == 1, "\(session.played)")
        try session.expectNothingForgotten()
    }

    @Test func theWantedVariantIsFollowed() async throws {
        let origin = try await WatchedOrigin()
        let state = try TemporaryFolder()
        let session = try await origin.dump(["--variant", "360p", "--observe", "--for", "3s"], state: state.path)
        #expect(session["playlist"]?["variant"]?["resolution"] == "640x360")
        #expect(session["playlist"]?["variant"]?["wanted"] == "360p")
        let run = try await origin.watch(["--variant", "4320", "--observe", "--for", "5s"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 3)
        #expect(
            run.errors.contains(
                "variant '4320': there is none such; choose one of 640x360 900 kbit/s 01.m3u8, 1280x720 3,200 kbit/s 02.m3u8"
            ),
            "\(run.errors)")
    }

    @Test func aBadWishIsAUsageError() async throws {
        let run = try await AdtopProcess.run(["http://127.0.0.1:9/x.m3u8", "--variant", "a b", "--dump"])
        #expect(run.status == 2 && run.errors.contains("--variant: 'a b' is not best, worst, a height such as 720"))
    }
}

extension OneAtATime {
    @Suite struct VariantKeyTests {
        @Test func theCommandFollowsAnotherVariant() throws {
            let demo = try RunningDemo(["--scenario", "sprint", "--poll", "500ms"])
            try demo.waitForBreaks(1)
            demo.terminal.type(":variant 360p\r")
            try demo.terminal.read(waitingFor: "the line of the log") {
                String(decoding: demo.terminal.transcript, as: UTF8.self).contains("variant 360p chosen")
            }
            try demo.waitForBreaks(2, besides: Set(demo.receipts().map(\.breakID)))
            #expect(demo.receipts().allSatisfy { !$0.isDuplicate })
            demo.terminal.type("Q")
            #expect(try demo.terminal.waitForExit() == .status(0))
        }
    }
}
