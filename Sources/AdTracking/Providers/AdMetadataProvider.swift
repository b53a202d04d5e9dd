package import HLS
package import Ports

/// A dialect of ad metadata and the state of one session in it: how the session is opened, which request to send when, what a
/// document means, and what is wrong with it (ADR 0024).
///
/// Values in, values out: no clock, no waiting; whatever a server answers, nothing traps. A session carries out the requests
/// and hands every answer back. One value belongs to one session of the server; when that is over, a new value opens the next
/// one. All dialects are in ``ProviderTable``, and `ProviderContractTests` checks each of them.
package protocol AdMetadataProvider: SavedAnswerReader {
    /// What the content type of its documents contains, in lower case (finding L02).
    static var contentType: String { get }

    /// Whether a stream at this address may be its own; without a request, so a guess.
    static func recognises(_ mediaURL: WebURL) -> Bool

    /// What an address of its tracking data is worth without a playlist; without a request.
    static func attached(to url: WebURL) -> Attachment

    init(_ options: ProviderOptions)

    // MARK: Opening

    /// The first step of opening the session; once more after each failure.
    mutating func open() -> OpeningStep

    /// The next step after the answer to the last request. An answer that was not asked for causes no request.
    mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep

    /// What another process needs beside the answers that opened the session, to continue it (FLT-15); nil where these are enough.
    func memory(on stream: StreamFacts) -> JSONValue?

    /// Takes what another process remembered of the session, which is open; what cannot be read counts as forgotten.
    mutating func recall(_ memory: JSONValue)

    /// Media date of the first thing that the media shows and that no answer has explained; what is due from there on is not known yet.
    var unexplainedFrom: UnixTime? { get }

    /// An earlier process followed the session; `ads` are those that it saw begin. Called before ``start(at:)``, if at all, and only where
    /// the media places ads.
    mutating func continues(_ ads: [EarlierAd])

    /// The session replaces one of this viewer that its service has ended (TRK-32). Its media may carry again what that one verified.
    /// - Parameter urls: addresses of media ids that were claimed in it.
    mutating func replaces(_ former: any AdMetadataProvider, thatVerified urls: [String])

    /// How the session reports and where its requests stand.
    var status: ProviderStatus { get }

    /// Whether the service itself reports an event of this type, whatever lists it, and the viewer may not.
    func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool

    // MARK: Requests for documents

    /// Usual time between two documents; nil when they are not polled.
    var pollInterval: Duration? { get }

    /// The next request and why it is then; nil while none is planned: before ``start(at:)``, while one is in flight, and where
    /// documents are not polled. Without an uptime when there is nothing more to request.
    var nextPoll: NextPoll? { get }

    /// The session is open, and what it sent in earlier runs is known: documents may be requested.
    mutating func start(at now: Moment)

    /// The request to send now, which is then in flight until ``succeeded(at:)`` or ``failed(_:retryAfter:at:)``. Nil when
    /// there is nothing to request yet; ``nextRequest`` is then later than `now`, or nil.
    mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest?

    /// The answer was a document.
    mutating func succeeded(at now: Moment)

    /// The answer was none.
    /// - Parameter retryAfter: the field of that name where it is to be honoured.
    mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment)

    /// A playlist was read, or has not changed: what is requested may depend on whether the stream has ended.
    mutating func playlistArrived(on stream: StreamFacts)

    // MARK: Pings

    /// The ping that is due because of what the player did; it then waits for ``pingAnswered(_:_:)`` or
    /// ``pingFailed(_:wasSent:)``. Nil when none is due.
    mutating func ping(after move: PlayerMove) -> PlayerPing?

    /// Position beyond which the next ping is due; nil while that is unknown.
    var nextPing: StreamTime? { get }

    /// A ping was answered with success. ``takeDocument(on:)`` has what it lists.
    mutating func pingAnswered(_ number: Int, _ exchange: HTTPExchange) throws(MetadataProblem)

    /// A ping has no answer that can be read.
    /// - Parameter wasSent: whether its request may have reached the server.
    mutating func pingFailed(_ number: Int, wasSent: Bool)

    /// Beacons may be sent that could not be before.
    mutating func pingsResumed()

    /// An earlier process of this session sent pings to these addresses; what was answered is not known.
    mutating func pinged(_ urls: [String])

    // MARK: Media

    /// Whether timed metadata of the media places ads.
    static var readsMedia: Bool { get }

    /// Whether the session reads the timed metadata of the segments in this part of the stream.
    func readsMedia(of span: Range<StreamTime>, on stream: StreamFacts) -> Bool

    /// What segments carry, or a playlist arrived (then there are no marks). ``takeDocument(on:)`` has what that changes.
    mutating func mediaRead(_ marks: [MediaMark], on stream: StreamFacts)

    // MARK: Documents

    /// Whether its ads have a place in a live stream without dates: it counts on a clock of its own, or from what the media carry.
    static var placesWithoutDates: Bool { get }

    /// Whether ``takeDocument(on:)`` is worth a call.
    var hasDocument: Bool { get }

    /// The first date after that one at which the viewer makes ``takeDocument(on:)`` worth a call; nil if there is none.
    func nextDocument(after date: UnixTime) -> UnixTime?

    /// What no request for documents brought, oldest first; nil when there is nothing new, or no playlist yet to place it on.
    mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument?

    /// The document in a good answer, placed on the dates of the stream. Members that it does not know are ignored.
    mutating func read(_ exchange: HTTPExchange, on stream: StreamFacts) throws(MetadataProblem) -> DecodedMetadata

    /// What the asset list of an interstitial has of the service's own beside the assets; nil where it has nothing.
    /// - Parameter start: date of the interstitial.
    mutating func read(assetList: [UInt8], from start: UnixTime, on stream: StreamFacts) -> DecodedMetadata?

    /// What is wrong with a document that was merged with `outcome`, the findings of reading it included.
    mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding]
}

extension AdMetadataProvider {
    /// Uptime of the next request; nil while none is planned, and when there is nothing more to request.
    package var nextRequest: Duration? { nextPoll?.at }

    package mutating func pinged(_ urls: [String]) {}

    /// Some services are polled whatever the playlist is, others never.
    package mutating func playlistArrived(on stream: StreamFacts) {}

    /// Later answers of most services do not depend on earlier ones.
    package func memory(on stream: StreamFacts) -> JSONValue? { nil }
    package mutating func recall(_ memory: JSONValue) {}

    /// Most services report nothing.
    package func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool { false }

    /// Most services have no media ids.
    package mutating func replaces(_ former: any AdMetadataProvider, thatVerified urls: [String]) {}

    /// Breaks that date ranges of the playlist signal: who reports an event is the same, whatever lists it (TRK-29).
    package func withReporter(_ signaled: [AdBreak]) -> [AdBreak] {
        signaled.map { adBreak in
            var adBreak = adBreak
            for ad in adBreak.ads.indices {
                let isLinear = adBreak.ads[ad].isInLinearSlot
                for event in adBreak.ads[ad].events.indices {
                    let type = adBreak.ads[ad].events[event].type
                    adBreak.ads[ad].events[event].isReportedByService = isReportedByService(type, ofLinearAd: isLinear)
                }
            }
            return adBreak
        }
    }

    /// Most services list when ads begin.
    package var unexplainedFrom: UnixTime? { nil }
    package mutating func continues(_ ads: [EarlierAd]) {}

    /// Opens a session once more, without any request, by the answers that opened it in another process.
    /// - Returns: its addresses; nil if these answers open none.
    package mutating func reopen(with answers: [HTTPExchange]) -> SessionAddresses? {
        var step = open()
        for answer in answers {
            guard case .request = step else { return nil }
            step = openingAnswered(answer)
        }
        guard case .opened(let addresses) = step else { return nil }
        return addresses
    }

    /// Most services list the times of ads.
    package static var readsMedia: Bool { false }
    /// What the media carry is placed in it; most services list dates.
    package static var placesWithoutDates: Bool { readsMedia }
    package func readsMedia(of span: Range<StreamTime>, on stream: StreamFacts) -> Bool { false }
    package mutating func mediaRead(_ marks: [MediaMark], on stream: StreamFacts) {}

    /// Most services have nothing in asset lists but what a player reads there.
    package mutating func read(
        assetList: [UInt8], from start: UnixTime, on stream: StreamFacts
    ) -> DecodedMetadata? { nil }
}

/// Timed metadata of a segment and where it is.
package struct MediaMark: Hashable, Sendable {
    package var metadata: TimedMetadata
    /// A date where the segment has one.
    package var at: MediaMoment
    /// The place in the playlists; nil if it is not known.
    package var position: StreamTime?

    package init(_ metadata: TimedMetadata, at: MediaMoment, position: StreamTime? = nil) {
        (self.metadata, self.at, self.position) = (metadata, at, position)
    }
}

/// What a session knows before it is opened.
package struct ProviderOptions: Hashable, Sendable {
    /// The address that the user gave.
    package var mediaURL: WebURL
    /// Whether the server is asked for a session before its manifest is requested, where a dialect has both ways.
    package var asksForSession: Bool
    /// Time between two requests for metadata, unless the server names another.
    package var interval: Duration
    /// Seed of all randomness.
    package var seed: UInt64
    /// Whether delays are those of earlier versions, so that their recordings replay.
    package var isEarlier: Bool
    /// Whether the viewer reports what the service may report too (`--fire-anyway`).
    package var reportsAnyway = false
    /// Whether `mediaURL` is the address of the tracking data of a running session, and there is no playlist (PRV-48).
    package var isAttached = false

    package init(
        mediaURL: WebURL, asksForSession: Bool = true, interval: Duration = .seconds(4), seed: UInt64 = 0,
        isEarlier: Bool = false
    ) {
        self.mediaURL = mediaURL
        self.asksForSession = asksForSession
        self.interval = interval
        self.seed = seed
        self.isEarlier = isEarlier
    }
}

/// A step of opening a session.
package enum OpeningStep: Hashable, Sendable {
    case request(ProviderRequest)
    case opened(SessionAddresses)
    case failed(SessionInitFailure)
}

/// What a provider decides about a request; agent, limits and rules for addresses are the session's.
package struct ProviderRequest: Hashable, Sendable {
    package var url: WebURL
    package var method: HTTPMethod
    /// Fields beyond `User-Agent` and `Accept`.
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// Time limit for the whole exchange.
    package var timeout: Duration

    package init(
        _ url: WebURL, method: HTTPMethod = .get, fields: [HTTPField] = [], body: [UInt8] = [],
        timeout: Duration = Limits.requestTimeout
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.body = body
        self.timeout = timeout
    }
}
