package import Ports

/// What a date range says of an ad in a break of the metadata (TRK-29).
package struct SignaledAd: Hashable, Sendable {
    /// The break that the date ranges make, named by the first of them.
    package var breakName: String
    package var name: String?
    package var start: UnixTime
    /// Zero where it is not known.
    package var duration: Duration
    /// Whether the date range lists events at all: some only identify the ad.
    package var hasEvents: Bool
    /// Whether the metadata does not list the ad.
    package var isAlone: Bool

    package var end: UnixTime { start + duration }

    init(_ ad: Ad, of breakName: String, isAlone: Bool) {
        self.breakName = breakName
        (name, start, duration) = (ad.name, ad.start, ad.duration)
        hasEvents = ad.events.contains { !$0.urls.isEmpty }
        self.isAlone = isAlone
    }
}
