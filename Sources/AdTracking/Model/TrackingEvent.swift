package import Ports

/// One tracking event of an ad as metadata plans it. The state of its URLs is in the ``Ledger``.
package struct TrackingEvent: Hashable, Sendable {
    package var type: EventType
    /// The name in metadata.
    package var rawName: String
    /// Media date at which the event is due; for a span, the start of its window.
    package var start: UnixTime
    /// Zero for an instant; impressions and user events have the ad's length.
    package var duration: Duration
    /// URLs as written and in order, including unusable ones.
    package var urls: [String]
    /// Values for the macros in the URLs, filled when they are claimed; nil for metadata, whose URLs are ready.
    package var macros: BeaconMacros?
    /// Whether the viewer's action counts only between `start` and `end`. Windows in metadata have no meaning (lint
    /// L34).
    package var isWindowed = false
    /// Whether the service that inserted the ad reports it itself: it is shown and never sent (TRK-27, PRV-16).
    package var isReportedByService = false
    /// Whether its URLs verify ids that the media carries (PRV-47): whatever else metadata calls the event, each is one beacon.
    package var isVerification = false
    /// Whether a date range lists it, and not the metadata (TRK-29).
    package var isSignaled = false
    /// Those of its URLs that metadata and a date range both list: two parties may report them.
    package var sharedURLs: [String] = []
    /// Unsupported members, such as `prftStartTime`.
    package var extras: JSONObject

    package init(
        type: EventType, rawName: String? = nil, start: UnixTime, duration: Duration = .zero, urls: [String] = [],
        macros: BeaconMacros? = nil, extras: JSONObject = JSONObject()
    ) {
        self.type = type
        self.rawName = rawName ?? type.rawValue
        self.start = start
        self.duration = duration
        self.urls = urls
        self.macros = macros
        self.extras = extras
    }

    /// What identities and the journal call it.
    package var identityName: String { isVerification ? EventType.mediaVerification.rawValue : rawName }
    package var eventClass: EventClass { type.eventClass }
    package var end: UnixTime { start + duration }
    package var isSpan: Bool { duration > .zero }
}
