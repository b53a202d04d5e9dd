import Testing

@testable import Ports

@Suite struct PaceQueueTests {
    @Test func requestsKeepTheirDistanceAndBeaconsGoFirst() {
        var queue = PaceQueue(perSecond: 10)
        let step: Int64 = 100_000_000
        #expect(queue.enter(1, isBeacon: false, at: 0) == .go)
        #expect(queue.enter(2, isBeacon: false, at: 1) == .wait)
        #expect(queue.enter(3, isBeacon: true, at: 2) == .wait)
        #expect(queue.enter(4, isBeacon: true, at: 3) == .wait)
        #expect(queue.wakeTime == step)
        #expect(queue.release(at: step - 1) == nil)
        #expect(queue.release(at: step) == 3)
        #expect(queue.release(at: step) == nil)
        #expect(queue.release(at: 2 * step) == 4)
        #expect(queue.release(at: 3 * step) == 2)
        #expect(queue.release(at: 9 * step) == nil && queue.wakeTime == nil)
        #expect(queue.enter(5, isBeacon: false, at: 3 * step + 1) == .wait)
        #expect(queue.enter(6, isBeacon: false, at: 9 * step) == .wait)
        #expect(queue.release(at: 9 * step) == 5)
    }

    @Test func aPauseIsNotSavedUp() {
        var queue = PaceQueue(perSecond: 1)
        #expect(queue.enter(1, isBeacon: false, at: 0) == .go)
        #expect(queue.enter(2, isBeacon: false, at: 60_000_000_000) == .go)
        #expect(queue.enter(3, isBeacon: false, at: 60_000_000_001) == .wait)
    }

    @Test func whatIsCancelledLosesItsTurn() {
        var queue = PaceQueue(perSecond: 1)
        _ = queue.enter(1, isBeacon: false, at: 0)
        _ = queue.enter(2, isBeacon: false, at: 0)
        _ = queue.enter(3, isBeacon: false, at: 0)
        queue.leave(2)
        #expect(queue.release(at: .max) == 3)
    }

    @Test func theQueueIsLimited() {
        var queue = PaceQueue(perSecond: 1)
        _ = queue.enter(0, isBeacon: false, at: 0)
        for id in 1...PaceQueue.limit { #expect(queue.enter(id, isBeacon: true, at: 0) == .wait) }
        #expect(queue.enter(.max, isBeacon: true, at: 0) == .full)
    }
}
