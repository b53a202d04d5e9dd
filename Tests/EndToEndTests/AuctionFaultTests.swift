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
        ("answer=deep", "malformedResponse"), ("answer=huge", "answerTooLarge"), ("drop=reset", "malformedResponse"),
    ]

    @Test func everyFaultIsAReason() async throws {
        let auction = try await auction(Self.faults.map(\.0) + ["answer=absurd"], time: 60_000)
        // One of the absurd numbers is valid: 0.1e1 is a dollar.
        #expect(auction["winner"]?["id"] == "absurd-6" && auction["winner"]?["cpm"] == "1", "\(auction.text())")
        let reasons = reasons(auction)
        for (fault, reason) in Self.faults { #expect(reasons[fault] == reason, "\(fault)") }
        #expect(reasons["nobody"] == "unreachable")
        // Each of the others loses with its reason.
        let losers = auction["losers"]?.arrayValue ?? []
        #expect(
            !losers.isEmpty && losers.allSatisfy { $0["reason"]?.stringValue?.isEmpty == false }, "\(auction.text())")
    }

    /// A bidder that never answers costs the time of the auction and no more.
    @Test func silenceIsATimeout() async throws {
        let auction = try await auction(["answer=never"], time: 500, status: 3)
        #expect(reasons(auction)["answer=never"] == "timeout")
        #expect(auction["winner"]?["id"] == "li", "\(auction.text())")
    }

    /// An auction of the real program with one bidder for each fault, and with one that nothing listens for.
    /// - Parameters:
    ///   - time: of the auction, in milliseconds.
    ///   - status: the exit code.
    private func auction(_ faults: [String], time: Int, status: Int32 = 0) async throws -> JSONValue {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        let origin = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await origin.start()
        let folder = try TemporaryFolder()
        let bidders = faults.map {
            "{\"bidder\": \"\($0)\", \"url\": \"http://\(address.authority)/openrtb2/bid?\($0)\"}"
        }
        try folder.write(
            """
            {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]}, "auction": {"tmaxMs": \(time)},
             "lineItems": [{"id": "li", "cpm": "0.50"}],
             "rtb": [\(bidders.joined(separator: ",")), {"bidder": "nobody", "url": "http://127.0.0.1:1/"}]}
            """, to: "faults.json")
        let run = try await AdtopProcess.run([
            "auction", "run", folder.file("faults.json"), "--live", "--no-warm", "--json",
        ])
        await origin.stop()
        // No answer of any bidder is a failure of the network.
        #expect(run.status == status, "\(run.errors)")
        return try #require(try run.json()["auctions"]?.arrayValue?.first)
    }

    private func reasons(_ auction: JSONValue) -> [String: String] {
        var reasons: [String: String] = [:]
        for nonBid in auction["nonBids"]?.arrayValue ?? [] {
            reasons[nonBid["seat"]?.stringValue ?? ""] = nonBid["reason"]?.stringValue
        }
        return reasons
    }
}
