import AdTracking
import HLS
import Ports

/// Session initialisation: from the media URL to manifest and metadata URL.
struct SessionPart {
    var initialisation: SessionInit
    var addresses: SessionAddresses?
    /// Uptime of the next attempt after all steps failed.
    var retryAt: Duration?
    var backOff: BackOff
    var problem: String?

    init(_ configuration: MonitorConfiguration, seed: UInt64) {
        initialisation = SessionInit(mediaURL: configuration.mediaURL, isInitRequest: configuration.isInitRequest)
        backOff = BackOff(seed: seed)
    }
}
