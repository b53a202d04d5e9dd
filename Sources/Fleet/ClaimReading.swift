/// How many viewers share a call that reads their claims. A reading that is too large, or takes too long, would be so each time: it is divided.
/// One viewer that has more claims than ``StoreCall/largestPart`` is read in parts, with beats in between.
struct ClaimReading: Hashable, Sendable {
    /// Viewers in one call: with 1,000 claims each of 500 bytes, which is a busy channel of three hours, it answers with 8 MB. The connection
    /// takes 64 MiB.
    static let largest = 16
    /// How long a viewer whose claims did not come, though they were asked for alone, leaves the connection to everything else.
    static let pause = Duration.seconds(10)

    private(set) var limit = largest

    /// Whether there is nothing smaller to ask for.
    var isSmallest: Bool { limit == 1 }

    /// Grows by one viewer at a time: a limit that doubles would meet the same failure with every second call.
    mutating func succeeded() { limit = min(Self.largest, limit + 1) }

    /// - Parameter count: viewers of the call.
    mutating func failed(_ count: Int) { limit = max(1, count / 2) }
}

/// What the agent reads of the viewers that it took (FLT-5).
extension FleetAgent {
    /// Viewers that were never asked for come first, then those that have waited longest since: one that cannot be read holds no other up.
    mutating func nextReading(_ incarnation: Int, at now: Duration) -> StoreCall? {
        let unread = viewers.values.filter { $0.phase == .reading && now >= $0.readsFrom }
            .sorted { ($0.lastReading, $0.taken.id.viewer) < ($1.lastReading, $1.taken.id.viewer) }
        guard let first = unread.first else { return nil }
        // The rest of a viewer is asked for alone: it begins after a key of its own.
        let together = first.readThrough == nil ? unread.filter { $0.readThrough == nil } : [first]
        let ids = together.prefix(work.reading.limit).map(\.taken.id.viewer).sorted()
        for id in ids { viewers[id]?.lastReading = nextCall }
        return .claims(agent: incarnation, viewers: ids, after: first.readThrough)
    }

    /// Until when the answer to a call is waited for.
    func patience(with call: OpenCall) -> Duration {
        let usual = call.askedAt + timing.answer
        guard case .claims = call.call, work.reading.isSmallest, !isEnding, let leaseEnd else { return usual }
        // There is nothing smaller to ask for: as long as a beat can still be answered within the lease.
        return max(usual, leaseEnd - timing.margin - timing.answer)
    }

    mutating func wereRead(_ read: [Int], _ claims: [StoredClaim]) -> [AgentEffect] {
        work.reading.succeeded()
        let byViewer = Dictionary(grouping: claims) { $0.request.key.viewer }
        return read.compactMap { id in
            guard var viewer = viewers[id], viewer.phase == .reading else { return nil }
            let part = byViewer[id] ?? []
            let claims = viewer.partlyRead + part
            guard part.count < StoreCall.largestPart else {
                viewers[id]?.partlyRead = claims
                viewers[id]?.readThrough = part.map(\.request.key).max()
                return nil
            }
            (viewer.partlyRead, viewer.readThrough) = ([], nil)
            if isSame != nil { viewer.known = claims }
            viewer.phase = .following
            let taken = viewer.taken
            // Its follower has it from here on.
            viewer.taken.session = []
            viewers[id] = viewer
            return .follow(taken, claims: claims)
        }
    }

    /// The answer did not come in time, or was too large. The viewers stay as they are.
    mutating func wereNotRead(_ ids: [Int], at now: Duration) {
        if work.reading.isSmallest { for id in ids { viewers[id]?.readsFrom = now + ClaimReading.pause } }
        work.reading.failed(ids.count)
    }
}
