import Dispatch
import Testing

@testable import Live

@Suite struct PostgresLookupTests {
    private static let places = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { address in
        PostgresHost(name: "db.example", address: address, port: "5432")
    }

    private static func lookup(within span: Duration = .seconds(60)) -> PostgresLookup {
        PostgresLookup(end: .now + span)
    }

    @Test func addressesOfAName() {
        var lookup = Self.lookup()
        lookup.resolve = { $0 == "db.example" ? ["192.0.2.1"] : nil }
        #expect(lookup.addresses(of: "db.example") { false } == .addresses(["192.0.2.1"]))
        #expect(lookup.addresses(of: "none.example") { false } == .noHost)
        #expect(Self.lookup().addresses(of: "127.0.0.1") { false } == .addresses(["127.0.0.1"]))
    }

    /// A name server may be silent for minutes.
    @Test func aLookUpHasAnEnd() {
        let silence = DispatchSemaphore(value: 0)
        defer { silence.signal() }
        var lookup = Self.lookup(within: .milliseconds(20))
        lookup.resolve = { _ in
            silence.wait()
            return nil
        }
        #expect(lookup.addresses(of: "db.example") { false } == .silence)
    }

    @Test func aLookUpEndsWithItsCaller() {
        let silence = DispatchSemaphore(value: 0)
        defer { silence.signal() }
        var lookup = Self.lookup()
        lookup.resolve = { _ in
            silence.wait()
            return nil
        }
        #expect(lookup.addresses(of: "db.example") { true } == .silence)
    }

    /// The first address does not answer, the second one rejects: the third one is used, long before the end.
    @Test func aSilentAddressHoldsNothingUp() {
        let silence = DispatchSemaphore(value: 0)
        defer { silence.signal() }
        var lookup = Self.lookup()
        lookup.probe = { place in
            if place.address == "192.0.2.1" { silence.wait() }
            return place.address == "192.0.2.3" ? nil : "connection refused"
        }
        let (places, clause) = lookup.answering(Self.places) { false }
        #expect(places.map(\.address) == ["192.0.2.3"])
        #expect(clause == "connection refused")
    }

    @Test func addressesAreUsedInTheirOrder() {
        var lookup = Self.lookup()
        lookup.probe = { _ in nil }
        #expect(lookup.answering(Self.places) { false }.places == Self.places)
    }

    @Test func noAddressAnswers() {
        var lookup = Self.lookup()
        lookup.probe = { "\($0.address) refused" }
        let (places, clause) = lookup.answering(Self.places) { false }
        #expect(places.isEmpty && clause == "192.0.2.1 refused")
    }
}
