import Ports
import Simulation
import Testing

@Suite struct EventQueueTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func eventsLeaveInOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = EventQueue<Int>()
        var expected: [(at: Duration, event: Int)] = []
        for event in 0..<200 {
            let at = Duration.milliseconds(Int64(random.next() % 40))
            queue.insert(event, at: at)
            expected.append((at, event))
        }
        // A stable sort: events of one instant keep the order of insertion.
        expected = expected.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
        #expect(queue.next == expected.first?.at)
        var left: [Int] = []
        while let next = queue.popFirst() { left.append(next.event) }
        #expect(left == expected.map(\.event), "seed \(seed)")
        #expect(queue.next == nil)
    }
}
