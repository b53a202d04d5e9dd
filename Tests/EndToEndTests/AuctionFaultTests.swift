import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

/// Faulty bidders over real sockets: the auction has a reason for each of them, and a winner.
@Suite struct AuctionFaultTests {
    /// The requested fault of the origin's bidder, and the resulting reason.
    private static let faults = [
        ("answer=nobid", "noBid"), ("answer=empty", "noBid"), ("answer=nbr", "nbr8"), ("status=503", "httpStatus503"),
        ("status=400", "httpStatus400"), ("answer=malformed", "malformedResponse"),
        ("answer=deep", "malformedResponse"), ("answer=huge", "answerTooLarge"), ("answer=never", "timeout"),
        ("drop=reset", "malformedResponse"),
    ]

    @Test func everyFaultIsAReason() async throws {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        let origin = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await origin.start()
        let folder = try TemporaryFolder()
        let bidders = (Self.faults.map(\.0) + ["answer=absurd"]).map {
            "{\"bidder\": \"\($0)\", \"url\": \"http://\(address.authority)/openrtb2/bid?\($0)\"}"
        }
        try folder.write(
            """
            {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]}, "auction": {"tmaxMs": 2000},
             "lineItems": [{"id": "li", "cpm": "0.50"}],
             "rtb": [\(bidders.joined(separator: ",")), {"bidder": "nobody", "url": "http://127.0.0.1:1/"}]}
            """, to: "faults.json")
        let run = try await AdtopProcess.run([
            "auction", "run", folder.file("faults.json"), "--live", "--no-warm", "--json",
        ])
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        let auction = try #require(try run.json()["auctions"]?.arrayValue?.first)
        // One of the absurd numbers is valid: 0.1e1 is a dollar.
        #expect(auction["winner"]?["id"] == "absurd-6" && auction["winner"]?["cpm"] == "1", "\(auction.text())")
        var reasons: [String: String] = [:]
        for nonBid in auction["nonBids"]?.arrayValue ?? [] {
            reasons[nonBid["seat"]?.stringValue ?? ""] = nonBid["reason"]?.stringValue
        }
        for (fault, reason) in Self.faults { #expect(reasons[fault] == reason, "\(fault)") }
        #expect(reasons["nobody"] == "unreachable")
        // Each of the others loses with its reason.
        let losers = auction["losers"]?.arrayValue ?? []
        #expect(
            !losers.isEmpty && losers.allSatisfy { $0["reason"]?.stringValue?.isEmpty == false }, "\(auction.text())")
    }
}
