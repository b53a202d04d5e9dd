import AdTracking
import Ports

/// Beacons that are being sent.
struct BeaconPart {
    struct InFlight {
        var event: EventID
        var host: String
    }

    /// Sent and not answered.
    var inFlight: [ClaimID: InFlight] = [:]
    /// Passed to the journal and not yet on disk.
    var unwritten: Set<ClaimID> = []
    /// Passed to the journal and not ended: it may have a claim that waits for its outcome.
    var journaled: Set<ClaimID> = []
}
