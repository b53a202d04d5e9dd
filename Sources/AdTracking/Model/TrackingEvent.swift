package import Ports

/// One tracking event of an ad as metadata plans it. What became of its URLs is the ``Ledger``'s to know.
package struct TrackingEvent: Hashable, Sendable {
    package var type: EventType
    /// The name as metadata has it.
    package var rawName: String
    /// Media date at which it is due; for spans, at which its window opens.
    package var start: UnixTime
    /// Zero for a moment; impressions and user events carry the ad's length.
    package var duration: Duration
    /// As written, unusable ones included; in order.
    package var urls: [String]
    /// What fills the macros of the URLs when they are claimed; nil for metadata, whose URLs are ready.
    package var macros: BeaconMacros?
    /// The viewer's action counts only from `start` to `end`. Metadata says nothing by its windows (lint L34).
    package var isWindowed = false
    /// Members nobody reads, `prftStartTime` among them.
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

    package var eventClass: EventClass { type.eventClass }
    package var end: UnixTime { start + duration }
    package var isSpan: Bool { duration > .zero }
}
