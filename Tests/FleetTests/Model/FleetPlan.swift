import Fleet

/// A run of the model: the same plan gives the same run.
struct FleetPlan {
    var seed: UInt64
    var span = Duration.seconds(150)
    var viewers = 3
    var hasFaults = true
    var kinds = FleetFault.usual
    /// Whether outages last up to a minute, which is more than seven leases; otherwise up to 20 s, and those of the store up to 4 s.
    var areOutagesLong = false
    /// Whether sessions list what became due since the viewer was left (FLT-15), and starts do not move; otherwise they list the last twenty
    /// seconds, whatever a successor knows.
    var resumes = false
    /// Guards that are left out.
    var removed: Set<FleetGuard> = []
}

/// What goes wrong, each at a moment that the seed draws.
enum FleetFault: String, CaseIterable {
    case pause, freeze, kill, cut, restart, failover, standbyAway, storeClock, drain
    case lateCalls, lostAnswers, doubleCalls, slowClaims
    /// The process ends in order, and another one starts later.
    case end

    /// All but `end`: with those every beacon arrives, or has a claim, a minute after the last fault.
    static let usual = allCases.filter { $0 != .end }
}

/// What happens next in a run.
enum FleetEvent {
    case tick(slot: Int, process: Int)
    case execute(StoreCall, origin: FleetOrigin)
    case commit(StoreModel.ClaimTransaction, origin: FleetOrigin, server: Int)
    case confirm(Int, StoreAnswer, origin: FleetOrigin, server: Int)
    case answer(StoreAnswer, hasWarning: Bool, origin: FleetOrigin)
    case hint(slot: Int, process: Int)
    case leave(ClaimRequest, slot: Int, process: Int)
    case ended(ClaimRequest, ClaimOutcome, slot: Int, process: Int)
    case restart(slot: Int, isSamePlace: Bool)
    case endDrain
    case fault
}

/// Which call of which process an event belongs to.
struct FleetOrigin {
    var slot: Int
    var process: Int
    var number: Int
}
