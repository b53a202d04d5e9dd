import AdTracking
import Ports

/// Opening the session: its addresses once they are known, and the next attempt until then.
struct SessionPart {
    var addresses: SessionAddresses?
    /// Uptime of the next attempt after all steps failed.
    var retryAt: Duration?
    var backOff: BackOff
    var problem: String?
    /// Whether a playlist showed another service than the one whose session was opened, which is reported once.
    var showsOtherService = false

    init(seed: UInt64) {
        backOff = BackOff(seed: seed)
    }
}
