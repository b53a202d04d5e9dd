import Ports
import Testing

@testable import AdTracking

/// Events whose URLs every document lists in another order, with other cache busters, or not at all (TRK-16).
@Suite struct RefreshedURLTests {
    /// A break from 20 s on with three events, and what `urls` gives for each.
    private static func document(_ urls: (EventType) -> [String]) -> [AdBreak] {
        let events = [(EventType.start, Int64(20_000)), (.midpoint, 25_000), (.complete, 30_000)].map { type, start in
            var event = TrackingEvent.test(type, start)
            event.urls = urls(type)
            return event
        }
        return [.test("b", 20_000, 10_000, [.test("a", 20_000, 10_000, events)])]
    }

    /// Polls with cache busters from `first` on, one every four seconds.
    private static func watch(
        _ viewer: inout AdViewer, polls: Int, _ urls: (_ poll: Int, _ type: EventType) -> [String]
    ) {
        for poll in 0..<polls {
            viewer.metadata(document { urls(poll, $0) }, range: 0...60_000)
            viewer.play(Int64(poll) * 4_000, Int64(poll + 1) * 4_000)
        }
    }

    private static func slots(_ viewer: AdViewer) -> [[URLDelivery]] {
        viewer.tracker.ledger.entries.values.map(\.delivery.urls)
    }

    /// Another order is no other value of a cache buster: the ids of the beacons would be taken for some.
    @Test(arguments: ["cb", "zx"], [["111111", "222222"], ["1", "2"]])
    func anotherOrderTeachesNothing(_ name: String, _ ids: [String]) {
        var viewer = AdViewer()
        Self.watch(&viewer, polls: 12) { poll, type in
            let urls = ids.enumerated().map { place, id in
                "https://t.example/\(type.rawValue)?id=\(id)&\(name)=\(7_000_000 + poll * 2 + place)"
            }
            return poll.isMultiple(of: 2) ? urls : urls.reversed()
        }
        let sent = viewer.requests.map { $0.replacing(/&.*/, with: "") }
        let all = ["start", "midpoint", "complete"].flatMap { type in
            ids.map { "https://t.example/\(type)?id=\($0)" }
        }
        #expect(sent.sorted() == all.sorted())
    }

    /// A URL that may not be requested is one refusal, however often its cache buster changes.
    @Test func aRefusalCountsOnce() {
        var viewer = AdViewer(gate: SendGate(allowedHosts: ["t.example"]))
        Self.watch(&viewer, polls: 20) { poll, type in
            ["https://t.example/\(type.rawValue)?cb=\(poll)", "https://u.example/\(type.rawValue)?cb=\(poll)"]
        }
        #expect(viewer.requests.count == 3)
        #expect(viewer.unsent.map(\.reason) == Array(repeating: .hostNotAllowed, count: 3))
    }

    /// Two URLs of an event that differ in a cache buster are one beacon, and are observed once.
    @Test func whatIsObservedCountsOnce() {
        var viewer = AdViewer(mode: .observe)
        Self.watch(&viewer, polls: 20) { poll, type in
            [0, 1].map { "https://t.example/\(type.rawValue)?cb=\(poll * 2 + $0)" }
        }
        #expect(viewer.unsent.map(\.state) == Array(repeating: .observed, count: 3))
        let members = viewer.tracker.ledger.insertions.all.map(\.members.count)
        #expect(members.allSatisfy { $0 <= 1 }, "\(members)")
    }

    /// What a document leaves out and the next one lists again is the same beacon, in the same slot.
    @Test func whatIsListedAgainHasItsSlot() {
        var viewer = AdViewer()
        Self.watch(&viewer, polls: 20) { poll, type in
            let urls = ["a", "b"].map { "https://t.example/\(type.rawValue)/\($0)?cb=\(poll)" }
            return poll.isMultiple(of: 2) ? urls : [urls[0]]
        }
        #expect(Self.slots(viewer).allSatisfy { $0.count == 2 })
        #expect(Set(viewer.requests.map { $0.replacing(/\?.*/, with: "") }).count == viewer.requests.count)
        #expect(viewer.requests.count == 6)
    }

    /// A server that lists other URLs with each poll, for as long as it likes, does not fill the memory.
    @Test(arguments: [ReportingMode.observe, .fire]) func recordsOfUnlistedURLsAreBounded(_ mode: ReportingMode) {
        var viewer = AdViewer(mode: mode)
        Self.watch(&viewer, polls: 300) { poll, type in
            poll.isMultiple(of: 2) ? ["https://t.example/\(type.rawValue)/\(poll)"] : []
        }
        #expect(Self.slots(viewer).allSatisfy { $0.count <= Ledger.unlistedKept + 1 })
        #expect(Set(viewer.requests).count == viewer.requests.count)
    }

    /// What was sent moves as far as its event, once for all of its URLs.
    @Test func aBeaconOfTwoURLsMovesOnce() {
        func urls(_ poll: Int) -> [String] { [0, 1].map { "https://t.example/1?cb=\(poll * 2 + $0)" } }
        var ledger = LedgerTests.ledger(urls(0))
        #expect(LedgerTests.claim(&ledger).count == 1)
        for poll in 1...4 {
            ledger.register(
                LedgerTests.event, key: LedgerTests.key, type: .start, urls: urls(poll),
                at: EventPlacement(start: .ms(5_000 + Int64(poll) * 8_000)))
            ledger.identify()
        }
        let sent = ledger.insertions.all.filter { $0.sent != nil }
        #expect(sent.map(\.start) == [.ms(37_000)])
    }
}
