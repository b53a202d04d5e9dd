/// A viewer that an agent has, in its epoch.
struct FollowedViewer: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Taken; nothing is claimed before its claims were read (FLT-5).
        case reading
        case following
        /// Claims nothing more, and is given when the store has answered (FLT-6).
        case giving
    }

    var taken: StoreAnswer.TakenViewer
    var phase = Phase.reading
    /// Claims that were read and those asked in this epoch.
    var known: [StoredClaim] = []
    var nextNumber = 1
    var playhead: Duration?

    init(_ taken: StoreAnswer.TakenViewer) {
        self.taken = taken
        playhead = taken.playhead
    }

    /// The outcome of an own claim.
    mutating func record(_ claim: StoredClaim) {
        guard let place = known.lastIndex(where: { $0.request.key == claim.request.key }) else { return }
        known[place].outcome = claim.outcome
    }

    /// The claim to ask for a beacon; nil if the beacon is done (FLT-5).
    mutating func claim(_ beacon: DueBeacon, isSame: FleetAgent.Likeness) -> ClaimRequest? {
        let earlier = known.filter { isSame($0.request, beacon) }
        guard earlier.allSatisfy({ $0.outcome == .failed }) else { return nil }
        var key = beacon.key
        if let last = earlier.max(by: { $0.request.key.attempt < $1.request.key.attempt }) {
            // The next attempt of that very key, so that a second one cannot begin elsewhere.
            key = last.request.key
            key.attempt += 1
        }
        let request = ClaimRequest(
            key: key, epoch: taken.id.epoch, number: nextNumber, type: beacon.type, url: beacon.url)
        nextNumber += 1
        known.append(StoredClaim(request: request))
        return request
    }
}
