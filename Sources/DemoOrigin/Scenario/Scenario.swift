/// A scenario of the embedded origin: the stream, its ad breaks and their faults.
///
/// A scenario is data and does not depend on the time. Together with a seed and a start time it determines every answer
/// of the origin (``LiveStream``). All durations are in milliseconds.
package struct Scenario: Sendable, Equatable {
    /// Short name, used in paths: lower-case letters, digits and `-`.
    package var name: String
    /// One sentence of description, shown on the index page.
    package var summary: String
    /// Segments and sliding window.
    package var stream = StreamShape()
    /// The times and ads of breaks; nil is a stream without ads.
    package var breaks: BreakPattern?
    /// The creatives, by the name that pods use.
    package var ads: [String: AdCreative] = [:]
    /// The behaviour of the metadata endpoint.
    package var metadata = MetadataShape()
    /// The behaviour of session initialisation.
    package var session = SessionShape()
    /// The answers of the beacon collector. The first rule that matches a beacon applies; a beacon without a rule is
    /// accepted.
    package var beacons: [BeaconRule] = []
    /// The answers to ad requests. The first rule that matches applies; a request without a rule gets its ads.
    package var decisions: [DecisionRule] = []
    /// Path and query of the VAST tag for the viewer, with macros; nil when the stream needs none.
    package var vastTag: String?
}

/// A break starts every ``everyMs``, with the pods in turn.
package struct BreakPattern: Sendable, Equatable {
    /// Distance from one break's start to the next one's.
    package var everyMs: Int
    /// Start of the first break after the start of the origin; the breaks before it have the same distance.
    package var firstMs: Int
    /// The pods of the breaks, in turn; never empty.
    package var pods: [Pod]
    /// How the ads reach the viewer.
    package var delivery = Delivery.stitched
    /// An interstitial with CUE PRE that every joining viewer plays; only when the pods are interstitials.
    package var preroll: Pod?

    /// How the ads of a stream's breaks reach the viewer.
    package enum Delivery: String, Sendable, CaseIterable {
        /// Their segments are in the playlist.
        case stitched
        /// They are separate playlists, played at a date of the primary one.
        case interstitials
    }
}

/// The ads of one break, end to end.
package struct Pod: Sendable, Equatable {
    /// Names of ``Scenario/ads``; one may appear twice (a repeated creative).
    package var ads: [String]
    /// The faults of the break's node in the metadata.
    package var oddities: [NodeOddity] = []
    /// The error of its markers compared with the stitched break and the metadata.
    package var markerError = MarkerError()
    /// Number of wrappers around the pod, which then has one ad. Each wrapper adds its own URLs.
    package var wrappers = 0
    /// The properties of an interstitial besides its ads.
    package var interstitial = InterstitialShape()
}

/// The error of a break's markers.
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
    /// Id in the metadata instead of `<name>-<break>`, used for hostile text; the break number is appended.
    package var displayId: String?
    /// Tracking events, in metadata order.
    package var events: [AdEvent] = AdEvent.standard
    /// When the metadata omits the ad, in ms of live edge after the ad's start (half-open).
    ///
    /// `0..<60_000` is late metadata; a later range is an ad that disappears and returns.
    package var hiddenMs: [Range<Int>] = []
    /// The faults of the ad's node in the metadata.
    package var oddities: [NodeOddity] = []
    /// Whether the URLs of its beacons are the same in every break, as those of a creative that airs again.
    package var hasFixedURLs = false
    /// The type of its media files in VAST documents.
    package var media = CreativeMedia.video
}

/// What an ad server offers for a creative.
package enum CreativeMedia: String, Sendable, CaseIterable {
    /// One adaptive file and two progressive ones.
    case video
    /// A Flash video, which no player supports (VAST error 403).
    case flash
}

/// One tracking event of an ad: its name and the number of its URLs.
package struct AdEvent: Sendable, Equatable {
    /// The event's name as written in the metadata; unknown names are allowed intentionally.
    package var name: String
    /// Number of signalling URLs, 1 to 8.
    package var urlCount = 1
    /// The due time of a `progress` event, from the ad's start.
    package var progressMs: Int?

    /// Name of an event with its own offset.
    package static let progressName = "progress"

    /// The events that a complete Harmonic document lists for an ad (TRK-4), each with one URL.
    package static let standard: [AdEvent] =
        (["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] + userNames + [
            "clickTracking"
        ])
        .map { AdEvent(name: $0) }

    /// The eight events that only an action of the viewer may report (TRK-7).
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
    /// Unknown members, one of them a known name in another case.
    case unknownKeys = "unknown-keys"
}

/// Session initialisation.
package struct SessionShape: Sendable, Equatable {
    /// Name of the instance (`pmm-0`) the multivariant URL redirects to with 307; nil answers directly.
    package var redirectInstance: String?
    /// Time after its opening at which the server ends a session; nil never.
    package var expiresMs: Int?
    /// What the server then refuses.
    package var refuses: Set<Feed> = Set(Feed.allCases)
    /// Status of the refusals.
    package var refusalStatus = 403

    /// What a session consists of.
    package enum Feed: String, Sendable, CaseIterable {
        case playlist, metadata
    }

    /// How long a token is valid that the URLs of segments and beacons carry; nil is none.
    package var tokenMs: Int?

    /// How sessions are opened, and in which form they list their ads.
    package var dialect = Dialect.harmonic
    /// Who reports what playback triggers.
    package var reporting = Reporting.client

    /// A service that inserts ads.
    package enum Dialect: String, Sendable, CaseIterable {
        case harmonic, mediatailor, broadpeak, primetime, vmap, uplynk
        /// No session: date ranges describe the ads.
        case svta
        /// Metadata has no times: ids in the segments place the ads, and each is verified.
        case dai
        /// Breaks have no times: records in the segments place the ads.
        case yospace

        /// Whether metadata comes in pages of what is not finished.
        package var listsPages: Bool { self == .mediatailor }
        /// Whether beacons are verifications of ids in the segments.
        package var verifiesMedia: Bool { self == .dai }
        /// Whether segments carry records of which ad is on air.
        package var recordsAds: Bool { self == .yospace }
        /// Whether answers have no times, and what is in the segments places the ads.
        package var placesByMedia: Bool { verifiesMedia || recordsAds }

        /// Whether its seconds count from the first segment of the stream, which the playlist then keeps.
        var countsFromFirstSegment: Bool { [.primetime, .vmap, .uplynk].contains(self) }
    }

    /// Who reports what playback triggers.
    package enum Reporting: String, Sendable, CaseIterable {
        /// The viewer.
        case client
        /// The service; a viewer that reports it too counts it twice.
        case service
    }

    /// Whether a viewer must not report this event.
    func isReportedByService(_ event: String) -> Bool {
        let own: Set = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        return reporting == .service && own.contains(event)
    }

    /// Whether a viewer reports this event: where media ids are verified, only those that have one.
    func isReportedByViewer(_ event: String) -> Bool {
        !isReportedByService(event) && (!dialect.verifiesMedia || MediaID.events.contains(event))
    }

    /// A session that is answered directly and does not end.
    package init() {}
}

/// A rule for beacons: which beacons it matches and their answer.
package struct BeaconRule: Sendable, Equatable {
    /// Ad name of the scenario, nil for any.
    package var ad: String?
    /// Event name, nil for any.
    package var event: String?
    /// 1-based index of the URL within its event, nil for any.
    package var urlIndex: Int?
    /// The answer.
    package var answer: OriginAnswer
    /// Number of first attempts of each URL to which the rule applies, before the beacon is accepted; nil for all.
    package var times: Int?

    package init(
        ad: String? = nil, event: String? = nil, urlIndex: Int? = nil, answer: OriginAnswer, times: Int? = nil
    ) {
        (self.ad, self.event, self.urlIndex, self.answer, self.times) = (ad, event, urlIndex, answer, times)
    }
}

/// How the origin answers a beacon or a request for ads.
package enum OriginAnswer: Sendable, Equatable {
    /// Success. A beacon gets 204, or 200 with a 1×1 GIF for every URL after an event's first one (as third parties
    /// answer); a request for ads gets its ads.
    case accept
    /// This status, with a short text.
    case status(Int)
    /// Accepted after this delay in milliseconds.
    case delay(ms: Int)
    /// This many redirects (302) before the beacon is accepted.
    case redirect(hops: Int)
    /// Endless redirects (302).
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
