import Foundation
import OriginServer
import Ports
import ScriptedServers
import TestSupport
import Testing

extension OneAtATime {
    /// Notices of auctions leave at most once, also when the process dies before their answers come: the real program, its
    /// journal and sockets.
    @Suite struct NoticeRecoveryTests {
        @Test func whatWasToldBeforeAKillIsNotToldAgain() async throws {
            let origin = try await WatchedOrigin()
            // The win notice is answered, the billing notice never is.
            let bidder = try await ScriptedServer { request in
                request.line.contains("/win") ? [.answer("204 No Content")] : []
            }
            let folder = try TemporaryFolder()
            try folder.write(Self.document(bidder.port), to: "auction.json")
            let auction = ["--auction", folder.file("auction.json"), "--fire"]

            let first = try origin.watch(auction, state: folder.path)
            try await bidder.wait(for: "both notices") { $0.count >= 2 }
            // The journal is written in order: when a beacon leaves that was claimed after the answer to the first notice,
            // that answer is in it. Those of the break after the next one were claimed long after.
            try await origin.waitForNewBreaks(2)
            try await first.kill()

            let document = try await origin.dump(auction + ["--until", "3-beacons"], state: folder.path)
            await origin.stop()
            let lines = bidder.requests.map(\.line).sorted()
            try await bidder.stop()
            #expect(lines == ["GET /bill", "GET /win?p=1.2"])
            let notices = document["auction"]?["notices"]?.arrayValue ?? []
            #expect(notices.map { $0["kind"]?.stringValue } == ["nurl", "burl"])
            #expect(notices.map { $0["state"]?.stringValue } == ["done", "unknown"])
            #expect(notices.allSatisfy { $0["earlier"] == true })
        }

        /// Recorded bids: both runs hold the same auction.
        private static func document(_ port: Int) -> String {
            """
            {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]}, "events": ["display"],
             "rtb": [{"bidder": "one", "response": {"id": "a", "seatbid": [{"bid": [{"id": "b1", "impid": "1", "price": 1.2, "crid": "c",
              "adm": "x", "nurl": "http://127.0.0.1:\(port)/win?p=${AUCTION_PRICE}", "burl": "http://127.0.0.1:\(port)/bill"}]}]}}]}
            """
        }
    }
}
