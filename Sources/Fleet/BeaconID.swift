/// The store's name of a beacon: the first 16 bytes of a hash of what the beacon is (fleet sheet 3.3; docs/fleet.md).
package struct BeaconID: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64 = 0, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// The ad that a claim is for, by which a successor knows the beacon again when its start or its URL moved.
package struct ClaimedAd: Hashable, Sendable {
    /// The first 8 bytes of a hash of break, ad and first start.
    package var id: Int64
    /// Names as in the journal.
    package var breakName: String
    package var name: String
    /// When the ad started as the owner that claimed first saw it: media date since 1970.
    package var firstStart: Duration
    /// Nil where it is not known.
    package var listing: AdListing?

    package init(id: Int64, breakName: String, name: String, firstStart: Duration) {
        self.id = id
        self.breakName = breakName
        self.name = name
        self.firstStart = firstStart
    }
}

/// What metadata lists of an ad and its break, for reports.
package struct AdListing: Hashable, Sendable {
    package var duration: Duration
    /// Media date since 1970.
    package var breakStart: Duration?
    package var breakDuration: Duration?
    /// Where the break is from, in the word of the journal.
    package var source: String?

    package init(duration: Duration) {
        self.duration = duration
    }
}

/// A beacon as the session of a viewer lists it.
package struct DueBeacon: Hashable, Sendable {
    package var key: ClaimKey
    package var type: String
    /// As the document lists it, its macros not filled.
    package var url: String
    /// Nil in models without ads.
    package var ad: ClaimedAd?
    package var host = ""
    /// Media time between the due time and the claim; nil for a beacon without a due time.
    package var late: Duration?
    /// The number by which the asking process finds its claim again; the store does not keep it.
    package var ticket = 0
    /// Since when a session has asked for it, by the clock of the agent; the store does not keep it.
    package var waitsSince = Duration.zero

    package init(key: ClaimKey, type: String, url: String) {
        self.key = key
        self.type = type
        self.url = url
    }
}
