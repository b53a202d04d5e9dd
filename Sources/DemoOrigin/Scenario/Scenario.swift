/// What the embedded origin plays: the stream's shape, its ad breaks and everything that goes wrong with them.
///
/// A scenario is data; nothing in it knows the time. Together with a seed and a start time it determines every answer
/// of the origin (``LiveStream``). All durations are milliseconds.
package struct Scenario: Sendable, Equatable {
    /// Short name, used in paths: lower-case letters, digits and `-`.
    package var name: String
    /// One sentence for people, shown by the index page.
    package var summary: String
    /// Segments and sliding window.
    package var stream = StreamShape()
    /// When breaks come and which ads they hold; nil is a stream without ads.
    package var breaks: BreakPattern?
    /// The creatives, by the name pods refer to.
    package var ads: [String: AdCreative] = [:]
    /// What the metadata endpoint does.
    package var metadata = MetadataShape()
    /// What session initialisation does.
    package var session = SessionShape()
    /// How the beacon collector answers; the first rule that matches a beacon wins, none means it is accepted.
    package var beacons: [BeaconRule] = []
    /// How requests for ads are answered; the first rule that matches wins, none means they get their ads.
    package var decisions: [DecisionRule] = []
    /// Path and query of the VAST tag a viewer is to be given, macros and all; nil when the stream needs none.
    package var vastTag: String?
}

/// A break starts every ``everyMs``; pods take turns.
package struct BreakPattern: Sendable, Equatable {
    /// Distance from one break's start to the next one's.
    package var everyMs: Int
    /// Start of the first break after the start of the origin; earlier ones lie in its past, at the same distance.
    package var firstMs: Int
    /// What each break holds, in turn; never empty.
    package var pods: [Pod]
    /// How its ads reach the viewer.
    package var delivery = Delivery.stitched
    /// An interstitial with CUE PRE, played by every viewer who joins; only where pods are interstitials.
    package var preroll: Pod?

    /// How the ads of a stream's breaks reach the viewer.
    package enum Delivery: String, Sendable, CaseIterable {
        /// Their segments stand in the playlist.
        case stitched
        /// They are playlists of their own, played at a date of the primary one.
        case interstitials
    }
}

/// The ads of one break, end to end.
package struct Pod: Sendable, Equatable {
    /// Names of ``Scenario/ads``; one may appear twice (a repeated creative).
    package var ads: [String]
    /// What is wrong with the break's own node in the metadata.
    package var oddities: [NodeOddity] = []
    /// Where its markers differ from what is stitched and what the metadata says.
    package var markerError = MarkerError()
    /// Wrappers an ad server puts around the pod, which then has one ad: each adds URLs of its own.
    package var wrappers = 0
    /// What an interstitial says besides its ads.
    package var interstitial = InterstitialShape()
}

/// How far a break's markers are off.
package struct MarkerError: Sendable, Equatable {
    /// START-DATE is later by this.
    package var lateMs = 0
    /// The announced length is longer by this.
    package var longerMs = 0
}

/// One ad as the scenario plans it.
package struct AdCreative: Sendable, Equatable {
    /// Full length of the creative.
    package var durationMs: Int
    /// Id shown in the metadata instead of `<name>-<break>`; the break number is appended. For hostile text.
    package var displayId: String?
    /// Tracking events, in metadata order.
    package var events: [AdEvent] = AdEvent.standard
    /// When the ad is left out of the metadata, in ms of live edge after the ad's start (half-open).
    ///
    /// `0..<60_000` is late metadata; a later range is an ad that vanishes and returns.
    package var hiddenMs: [Range<Int>] = []
    /// What is wrong with the ad's node in the metadata.
    package var oddities: [NodeOddity] = []
}

/// One tracking event of an ad: which, and how many URLs it has.
package struct AdEvent: Sendable, Equatable {
    /// The event's name as written in the metadata; unknown names are allowed on purpose.
    package var name: String
    /// Number of signalling URLs, 1 to 8.
    package var urlCount = 1
    /// Of a `progress` event: when it is due, from the ad's start.
    package var progressMs: Int?

    /// Name of an event that is due at an offset of its own.
    package static let progressName = "progress"

    /// What a complete Harmonic document lists for an ad (TRK-4), each with one URL.
    package static let standard: [AdEvent] =
        (["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] + userNames + [
            "clickTracking"
        ])
        .map { AdEvent(name: $0) }

    /// The eight events only a viewer's action may report (TRK-7).
    package static let userNames = [
        "mute", "unmute", "pause", "resume", "rewind", "skip", "playerExpand", "playerCollapse",
    ]
}

/// A fault of a break's or an ad's metadata node (findings L03, L04, L05, L13, L27).
package enum NodeOddity: String, Sendable, CaseIterable {
    /// No `id` member.
    case missingId = "missing-id"
    /// `id` is a JSON number.
    case numericId = "numeric-id"
    /// Times and durations, those of the ad's events included, are strings.
    case numbersAsStrings = "numbers-as-strings"
    /// Times and durations carry a fraction of zero (`30030.0`).
    case fractionalNumbers = "fractional-numbers"
    /// Ads only: no `trackingEvents` member.
    case noTrackingEvents = "no-tracking-events"
    /// Ads only: one more tracking event whose `signalingUrls` holds a number, an empty string and a relative path.
    case brokenUrls = "broken-urls"
    /// Members nobody knows, one of them a known name in another case.
    case unknownKeys = "unknown-keys"
}

/// What the metadata covers.
package struct MetadataShape: Sendable, Equatable {
    /// Length of `dataRange`, which ends at the live edge.
    package var windowMs = 120_000
    /// False is a plain origin: no session initialisation, no session in any URL, no metadata.
    package var isServed = true
}

/// Session initialisation.
package struct SessionShape: Sendable, Equatable {
    /// Name of the instance (`pmm-0`) the multivariant URL redirects to with 307; nil answers directly.
    package var redirectInstance: String?
}

/// Which beacons a rule is for, and what they get.
package struct BeaconRule: Sendable, Equatable {
    /// Ad name of the scenario, nil for any.
    package var ad: String?
    /// Event name, nil for any.
    package var event: String?
    /// 1-based index of the URL within its event, nil for any.
    package var urlIndex: Int?
    /// The answer.
    package var answer: OriginAnswer
    /// The rule holds for so many first attempts of each URL and the beacon is accepted afterwards; nil is always.
    package var times: Int?
}

/// How the origin answers a beacon or a request for ads.
package enum OriginAnswer: Sendable, Equatable {
    /// As it should: a beacon gets 204, or 200 with a 1×1 GIF for every URL after an event's first (as third parties
    /// do); a request for ads gets its ads.
    case accept
    /// This status, with a short text.
    case status(Int)
    /// Accepted, so many milliseconds later.
    case delay(ms: Int)
    /// 302, and again, so many times in all before the beacon is accepted.
    case redirect(hops: Int)
    /// 302 without end.
    case redirectLoop
    /// The connection ends without an answer.
    case drop(ConnectionDrop)
}

/// How a connection ends without an answer.
package enum ConnectionDrop: String, Sendable, CaseIterable {
    /// Orderly close: the client reads the end of the stream where it expected a status line.
    case close
    /// TCP reset.
    case reset
}
