/// The state of a tracking event: the aggregate of its URLs. Raw values are the names in JSON, `word` is that of the screen.
///
/// The first four are the reference library's; the others cover cases that library cannot express (TRK-13).
package enum ReportingState: String, Sendable, CaseIterable, Codable {
    case idle
    /// Claimed, in flight or waiting for a retry.
    case connecting
    case done
    case failed
    /// Some URLs were acknowledged, some failed.
    case partial
    /// The process ended between claim and answer; sent again only at a person's request.
    case unknown
    /// Not sent, for a `SkipReason`.
    case skipped
    /// Due and not sent, because the session only observes.
    case observed
}

/// The state of one URL of an event (TRK-13).
package enum DeliveryState: String, Sendable, CaseIterable, Codable {
    case planned
    /// In the journal, flushed, not yet sent.
    case claimed
    case sent
    /// Failed; another attempt is scheduled.
    case waiting
    /// Answered 2xx.
    case acknowledged
    /// Answered with another status.
    case rejected
    /// No answer came.
    case failed
    case unknown
    case skipped
    case observed

    /// Whether it was sent and is not known to have arrived.
    package var isLost: Bool {
        switch self {
        case .rejected, .failed, .unknown: true
        case .planned, .claimed, .sent, .waiting, .acknowledged, .skipped, .observed: false
        }
    }
}

/// Reason why an event or URL was not sent: a closed list (TRK-14). Raw values are the names in JSON, `words` those of the
/// screen.
package enum SkipReason: String, Sendable, CaseIterable, Codable {
    case notReached = "not-reached"
    case seekedOver = "seeked-over"
    case paused
    case rateGate = "rate-gate"
    case noMetadataInTime = "no-metadata-in-time"
    case adCut = "ad-cut"
    case userClass = "user-class"
    case clickClass = "click-class"
    case verificationClass = "verification-class"
    case serverBeaconed = "server-beaconed"
    /// Metadata and a date range list it (TRK-29).
    case twoParties = "two-parties"
    case hostNotAllowed = "host-not-allowed"
    case badURL = "bad-url"
    case macroUnresolved = "macro-unresolved"
    case duplicate
    case observeMode = "observe-mode"
    /// Due longer ago than breaks are kept.
    case expired
    /// As many beacons wait as may (``Limits/beaconQueue``).
    case queueFull = "queue-full"
    case interstitialNotPlaying = "interstitial-not-playing"
    /// The agent of a fleet had no lease when it was due (FLT-12).
    case storeAway = "store-away"
    /// Its viewer went to another agent of the fleet.
    case notOwner = "not-owner"
}

/// Whether due beacons are sent. Observe is the default away from loopback: a monitor that sends impressions would
/// report views that never happened.
package enum ReportingMode: String, Sendable, CaseIterable, Codable {
    case observe
    case fire
}

/// An action in the viewer's player that ad metadata has tracking events for. Raw values are the event names.
package enum UserAction: String, Sendable, CaseIterable, Codable {
    case mute, unmute, pause, resume, rewind, skip, playerExpand, playerCollapse
}
