import Testing

@testable import DemoOrigin

@Suite struct RingTests {
    @Test func theNewestAreKeptOldestFirst() {
        var ring = Ring<Int>(capacity: 3)
        #expect((1...3).map { ring.append($0) } == [nil, nil, nil])
        #expect(ring.elements == [1, 2, 3])
        #expect((4...8).map { ring.append($0) } == [1, 2, 3, 4, 5])
        #expect(ring.elements == [6, 7, 8])
        #expect(ring.dropped == 5)
    }

    @Test func aRingHoldsAtLeastOne() {
        var ring = Ring<Int>(capacity: 0)
        ring.append(1)
        #expect(ring.elements == [1])
    }
}
