/// Whose turn it is when requests may only follow each other at a rate: beacons first, each kind in its order.
///
/// Times are nanoseconds of any clock that only goes forward.
package struct PaceQueue: Sendable {
    /// Most requests that wait.
    package static let limit = 10_000

    /// What follows for a request that wants to leave.
    package enum Entry: Equatable, Sendable {
        case go, wait, full
    }

    private let interval: Int64
    private var next: Int64 = .min
    private var beacons: [Int] = []
    private var others: [Int] = []

    /// - Parameter perSecond: requests each second, more than zero.
    package init(perSecond: Double) {
        interval = Int64((1e9 / max(perSecond, 1e-6)).rounded(.up))
    }

    /// When the next request may leave; nil when none waits.
    package var wakeTime: Int64? { beacons.isEmpty && others.isEmpty ? nil : next }

    /// A request wants to leave.
    package mutating func enter(_ id: Int, isBeacon: Bool, at now: Int64) -> Entry {
        if wakeTime == nil, now >= next {
            next = now.addingSaturating(interval)
            return .go
        }
        guard beacons.count + others.count < Self.limit else { return .full }
        if isBeacon { beacons.append(id) } else { others.append(id) }
        return .wait
    }

    /// The request that may leave now; nil when none may leave yet.
    package mutating func release(at now: Int64) -> Int? {
        guard let wakeTime, now >= wakeTime else { return nil }
        next = now.addingSaturating(interval)
        return beacons.isEmpty ? others.removeFirst() : beacons.removeFirst()
    }

    /// A waiting request was cancelled.
    package mutating func leave(_ id: Int) {
        beacons.removeAll { $0 == id }
        others.removeAll { $0 == id }
    }
}
