import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of Uplynk, whose pings are beacons (PRV-42, PRV-43).
@Suite struct PingedProviderTests {
    private static func run(
        _ reporting: SessionShape.Reporting, _ more: [String] = []
    ) async throws -> (origin: WatchedOrigin, document: DumpedSession) {
        let origin = try await WatchedOrigin(.uplynk) { $0.session.reporting = reporting }
        let state = try TemporaryFolder()
        let program = try origin.open(["--for", "18s"] + more, state: state.path)
        return (origin, DumpedSession(json: try await program.end().json()))
    }

    /// Positions of the pings that arrived, in order.
    private static func positions(_ origin: WatchedOrigin) -> [Int] {
        origin.receipts.filter { $0.event == "ping" }.compactMap { receipt in
            receipt.target.split(separator: "&").first { $0.hasPrefix("pt=") }.flatMap { Int($0.dropFirst(3)) }
        }
    }

    /// Each beacon and each ping that was due arrived once, and no other one.
    @Test func dueBeaconsAndPingsArriveOnce() async throws {
        let (origin, document) = try await Self.run(.client)
        try await origin.expectDueOnce(in: document)
        #expect(origin.duplicates == [])
        let positions = Self.positions(origin)
        #expect(origin.targets.first?.contains("ev=start&pt=0") == true)
        #expect(positions.count > 2 && zip(positions.dropFirst(2), positions.dropFirst()).allSatisfy { $0 - $1 >= 4 })
        #expect(document["session"]?["provider"] == "uplynk")
        // The last one may be on its way.
        let ping = document["session"]?["service"]?["ping"]?["state"]?.stringValue ?? ""
        #expect(["acknowledged", "sent"].contains(ping), "\(ping)")
    }

    /// The service reports because of pings: they alone are sent.
    @Test func onlyPingsAreSentWhereTheServiceReports() async throws {
        let (origin, document) = try await Self.run(.service)
        await origin.stop()
        #expect(Self.positions(origin).count > 2 && origin.receipts.allSatisfy { $0.event == "ping" })
        let events = (document["breaks"]?.arrayValue ?? []).flatMap { $0["ads"]?.arrayValue ?? [] }
            .flatMap { $0["events"]?.arrayValue ?? [] }
        let own = events.filter { $0["event"] == "impression" }
        #expect(!own.isEmpty && own.allSatisfy { $0["reason"] == "server-beaconed" })
    }

    @Test func observeModeSendsNoPing() async throws {
        let (origin, document) = try await Self.run(.client, ["--observe"])
        await origin.stop()
        #expect(origin.receipts == [])
        #expect(document["session"]?["service"]?["ping"]?["state"] == "observed")
    }
}
