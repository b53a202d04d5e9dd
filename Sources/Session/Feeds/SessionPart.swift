import AdTracking
import Ports

/// Opening the session: its addresses once they are known, and the next attempt until then.
struct SessionPart {
    var addresses: SessionAddresses?
    /// Uptime of the next attempt after all steps failed.
    var retryAt: Duration?
    var backOff: BackOff
    var problem: String?

    init(seed: UInt64) {
        backOff = BackOff(seed: seed)
    }
}
