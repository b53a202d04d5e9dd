/// A viewer that an agent has, in its epoch.
struct FollowedViewer: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable {
        /// Taken; nothing is claimed before its claims were read (FLT-5).
        case reading
        case following
        /// Claims nothing more, and is given when the store has answered (FLT-6).
        case giving
    }

    /// How often the store gets a playhead whose motion did not change, and how often it gets the health of a viewer that is as before.
    /// After a kill a successor goes back to that playhead, so that it must be less than ``StoreAnswer/TakenViewer/longestGap`` ago, the
    /// time until the take included.
    static let playheadInterval = Duration.seconds(20)
    static let healthInterval = Duration.seconds(30)
    /// After how long a health is owed again that may not have been saved: a call that fails each time must not hold everything else up.
    static let healthPause = Duration.seconds(2)

    var taken: StoreAnswer.TakenViewer
    var phase = Phase.reading
    /// Claims that were read and those asked in this epoch; empty where the sessions judge.
    var known: [StoredClaim] = []
    /// Those of the parts that were read while more may follow, and the key up to which.
    var partlyRead: [StoredClaim] = []
    var readThrough: ClaimKey?
    /// The number of the last call that asked for them, 0 for none, and when they may be asked for again.
    var lastReading = 0
    var readsFrom = Duration.zero
    var nextNumber = 1
    /// What the store does not have yet, and what it has.
    var playhead: PlayheadReading?
    var savedPlayhead: PlayheadReading?
    /// What the session reported last, whether the store has it or not.
    var newestPlayhead: PlayheadReading?
    var health: ViewerHealth?
    var savedHealth: ViewerHealth?
    var healthSavedAt: Duration?
    /// Whether an ad was on air when its health was read last.
    var isOnAir = false
    /// What the session is, for a successor; nil when the store has it.
    var session: [UInt8]?
    /// The number of the last call that carried it, 0 for none.
    var lastSession = 0
    /// Since when it is about to be given; nil once its session has ended.
    var releasedAt: Duration?
    /// When a grant came last while it is about to be given: its session may not use it any more.
    var grantedAt: Duration?
    /// Grants that were not used and whose outcome the store does not have, and until when it is waited for.
    var unused: Set<ClaimKey> = []
    var unusedUntil = Duration.zero

    init(_ taken: StoreAnswer.TakenViewer) {
        self.taken = taken
    }

    /// Whether its successor could try again what was granted and not used, once the store has those outcomes (FLT-5). What its session does
    /// with a grant is known after the moment in which it came.
    func owesOutcomes(at now: Duration) -> Bool {
        grantedAt.map { now <= $0 } ?? false || !unused.isEmpty && now < unusedUntil
    }

    /// The outcome of an own claim.
    mutating func record(_ claim: StoredClaim) {
        guard let place = known.lastIndex(where: { $0.request.key == claim.request.key }) else { return }
        known[place].outcome = claim.outcome
    }

    /// The claim to ask for a beacon; nil if the beacon is done (FLT-5).
    /// - Parameter isSame: nil where the session that lists the beacon has judged.
    mutating func claim(_ beacon: DueBeacon, isSame: FleetAgent.Likeness?) -> ClaimRequest? {
        var beacon = beacon
        if let isSame {
            var last: ClaimKey?
            for earlier in known where isSame(earlier.request, beacon) {
                guard earlier.outcome == .failed else { return nil }
                if last.map({ $0.attempt < earlier.request.key.attempt }) ?? true { last = earlier.request.key }
            }
            if let last {
                // The next attempt of that very key, so that a second one cannot begin elsewhere.
                beacon.key = last
                beacon.key.attempt += 1
            }
        }
        let request = ClaimRequest(beacon, epoch: taken.id.epoch, number: nextNumber)
        nextNumber += 1
        if isSame != nil { known.append(StoredClaim(request: request)) }
        return request
    }

    /// Where the viewer is, if that is before all that may be claimed in this epoch: the dates of the stream have stepped back, and claims of
    /// those dates were not read. The next owner begins there (FLT-3). Nil otherwise.
    /// - Parameter beacon: one that is due.
    func playheadBehindEpoch(_ beacon: DueBeacon, at now: Duration) -> PlayheadReading? {
        // What has no media date is not late, either.
        guard let from = taken.dueFrom, let late = beacon.late, beacon.key.due + late < from else { return nil }
        return PlayheadReading(media: beacon.key.due + late, readAt: now)
    }

    /// Whether the store should get the playhead: its motion changed, or its time has come.
    func owesPlayhead(at now: Duration) -> Bool {
        guard let playhead, phase == .following else { return false }
        guard let savedPlayhead else { return true }
        return playhead.rate != savedPlayhead.rate || now - savedPlayhead.readAt >= Self.playheadInterval
    }

    /// A playhead that was sent may not be in the store: it, or a newer one, is owed at once.
    mutating func wasNotSaved(_ head: PlayheadReading, in epoch: ViewerEpoch) {
        guard taken.id == epoch else { return }
        playhead = playhead ?? savedPlayhead ?? head
        savedPlayhead = nil
    }

    /// A health that was sent may not be in the store.
    mutating func healthWasNotSaved(at now: Duration) {
        healthSavedAt = now - Self.healthInterval + Self.healthPause
    }

    /// Whether the store should get the health: it is another one, or its time has come.
    func owesHealth(at now: Duration) -> Bool {
        guard let health else { return false }
        guard let savedHealth, let healthSavedAt else { return true }
        return health.differs(from: savedHealth) || now - healthSavedAt >= Self.healthInterval
    }
}
