import Fleet
import ModeledStore

/// A run of the model: the same plan gives the same run.
struct FleetPlan {
    var seed: UInt64
    var span = Duration.seconds(150)
    var viewers = 3
    var hasFaults = true
    var kinds = FleetFault.usual
    /// By how much wall clocks differ and are stepped.
    var wallStep = Duration.seconds(3_600)
    /// Whether outages last up to a minute, which is more than seven leases; otherwise up to 20 s, and those of the store up to 4 s.
    var areOutagesLong = false
    /// Whether sessions list what became due since the viewer was left (FLT-15), and starts do not move; otherwise they list the last twenty
    /// seconds, whatever a successor knows.
    var resumes = false
    /// Whether the first two agents, and the first two viewers, are of a region each; the others are of any.
    var hasRegions = false
    /// Guards that are left out.
    var removed: Set<FleetGuard> = []

    func has(_ fault: FleetFault) -> Bool { hasFaults && kinds.contains(fault) }
}

/// What goes wrong, each at a moment that the seed draws.
enum FleetFault: String, CaseIterable {
    case pause, freeze, kill, cut, restart, failover, standbyAway, storeClock, drain
    case lateCalls, lostAnswers, doubleCalls, slowClaims
    /// The process ends in order, and another one starts later.
    case end
    /// Killed between any two of the effects that it carries out.
    case killAmid
    /// Connections break while an answer is on its way: the call fails at once, and the next one may follow at once.
    case breaks
    /// Cuts in one direction, between agent and store: calls do not arrive and answers do, and the other way. No connection is made then.
    case cutCalls, cutAnswers
    /// Between agent and tracker, in a direction that is drawn; between agent and origin.
    case cutTracker, cutOrigin
    /// The standby has what is written, and the primary does not hear so.
    case standbyUnheard
    /// The standby is promoted, and the old primary lives on: it takes connections and cannot commit.
    case oldPrimary
    /// An agent's wall clock is stepped.
    case wallClock
    /// A channel of the list is removed or added again, added, or has another address.
    case list
    /// A process is replaced by one of another version, or the upgrade is finished.
    case versions
    /// The store takes no outcomes, and spools are small; a later process of the place delivers what its disk has.
    case spool

    /// All but `end`: with those every beacon arrives, or has a claim, a minute after the last fault.
    static let usual = allCases.filter { $0 != .end }
    /// Those between which the absence of most guards shows.
    static let basic: [FleetFault] = [
        .pause, .freeze, .kill, .cut, .restart, .failover, .standbyAway, .storeClock, .drain, .lateCalls, .lostAnswers,
        .doubleCalls, .slowClaims,
    ]
}

/// What happens next in a run.
enum FleetEvent {
    case tick(slot: Int, process: Int)
    case execute(StoreCall, origin: FleetOrigin)
    case commit(StoreModel.ClaimTransaction, origin: FleetOrigin)
    case confirm(Int, StoreAnswer, origin: FleetOrigin)
    case answer(StoreAnswer, hasWarning: Bool, origin: FleetOrigin)
    case broke(origin: FleetOrigin)
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
    /// The version of the process: a later one in its slot may have another when the call is executed.
    var version: Int
    /// Which server the call is at; 0 before it was sent.
    var server = 0
}
