import Dispatch
import Locks
import Testing

@Suite struct LockedTests {
    @Test func threadsChangeTheValueOneAtATime() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2_000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 16_000)
    }

    private struct Refusal: Error, Equatable {}

    @Test func anErrorReleasesTheLock() {
        let list = Locked<[Int]>([])
        #expect(throws: Refusal()) {
            try list.withLock { list throws(Refusal) in
                list.append(1)
                throw Refusal()
            }
        }
        #expect(list.withLock { $0 } == [1])
    }

    @Test func theValueEndsWithTheLock() {
        final class Object: Sendable {
            let ended: Locked<Int>
            init(_ ended: Locked<Int>) { self.ended = ended }
            deinit { ended.withLock { $0 += 1 } }
        }
        let ended = Locked(0)
        var lock: Locked<Object>? = Locked(Object(ended))
        #expect(lock != nil && ended.withLock { $0 } == 0)
        lock = nil
        #expect(ended.withLock { $0 } == 1)
    }
}
