import DemoOrigin
import Foundation
import OriginServer
import Testing

/// The embedded origin's ad server for the duration of a test.
enum ServedZones {
    /// `body` receives the URL of the zones.
    static func with(_ body: (String) async throws -> Void) async throws {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        let server = DemoServer(
            .init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await server.start()
        do {
            try await body(address.zonesURL)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
