import AdTracking
import HLS
import Ports

/// Whether the server still accepts the session, and when the next one is requested (TRK-32).
///
/// A session is over when ``refusalsUntilOver`` definite refusals of its playlist, or of its metadata, follow each other
/// without a good answer between them. A definite refusal is an answer 400, 401, 403, 404 or 410, or one with something else
/// where no playlist, or no metadata, was ever read: an overloaded server, a timeout or a lost connection proves nothing.
struct RenewalPart {
    /// The addresses of a new session, which takes over when the beacons in flight are answered.
    struct Successor {
        var addresses: SessionAddresses
        /// The provider that opened it.
        var provider: (any AdMetadataProvider)?
        /// The answers that opened it.
        var answers: OpeningAnswers
        /// Uptime after which it does not wait any longer.
        var until: Duration
    }

    static let refusalsUntilOver = 3
    /// A session that delivered for this long had worked: the next one is requested without a pause.
    static let worked: Duration = .seconds(30)
    /// Pause before a second new session in a row; it doubles with each further one.
    static let firstPause: Duration = .seconds(5)
    static let longestPause: Duration = .seconds(300)
    /// Time for the beacons in flight to be answered.
    static let patience = Limits.beaconTimeout + .seconds(1)

    private var refusals: [SessionFeed: Int] = [:]
    /// What the session ever delivered, to this process or to one that it continues (FLT-15).
    private(set) var delivered: Set<SessionFeed> = []
    /// Uptime at which the session was found to be over; nil while it is not.
    private(set) var overSince: Duration?
    /// Uptime of the next request for a new session.
    var nextAt: Duration?
    /// The provider of a new session that was requested and has not answered; nil while none is requested.
    var opening: (any AdMetadataProvider)?
    /// The answers to the requests for it.
    var asked = OpeningAnswers()
    var successor: Successor?
    /// Whether the server named the same session again, and has rejected it since.
    private(set) var isConfirmed = false
    /// Number of sessions requested in place of one that was over, since one had worked.
    private(set) var attempts = 0
    /// Number of sessions that were replaced.
    private(set) var count = 0
    /// Uptime at which the addresses of the session became known.
    private var establishedAt: Duration?
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    var isOver: Bool { overSince != nil }
    var isRequesting: Bool { opening != nil }

    /// Whether a feed is still requested: one that only lost its metadata continues to play.
    func polls(_ feed: SessionFeed) -> Bool {
        !isOver || feed == .playlist && refusals[feed, default: 0] < Self.refusalsUntilOver
    }

    mutating func succeeded(_ feed: SessionFeed) {
        refusals[feed] = nil
        delivered.insert(feed)
        guard isConfirmed, refusals.isEmpty else { return }
        (isConfirmed, nextAt) = (false, nil)
    }

    /// Counts a definite refusal; true when the session is over with it.
    mutating func refused(_ feed: SessionFeed) -> Bool {
        refusals[feed, default: 0] += 1
        return !isOver && refusals[feed, default: 0] >= Self.refusalsUntilOver
    }

    /// The server names the same session: it is polled as before, and asked about with growing pauses.
    mutating func confirmed(at now: Moment) {
        (overSince, opening, isConfirmed) = (nil, nil, true)
        refusals = refusals.mapValues { min($0, 1) }
        establishedAt = now.uptime
    }

    /// - Parameter hasDelivered: whether playlist and metadata had arrived.
    mutating func ended(hasDelivered: Bool, at now: Moment) {
        overSince = now.uptime
        if hasDelivered, let establishedAt, now.uptime - establishedAt >= Self.worked { attempts = 0 }
    }

    /// Plans the next request for a session; the first one in a row is due now.
    /// - Parameter earliest: uptime before which the server wants none; nil if it does not mind.
    mutating func plan(after earliest: Duration? = nil, at now: Moment) {
        defer { attempts += 1 }
        guard attempts > 0 else { return nextAt = max(now.uptime, earliest ?? .zero) }
        let pause = min(Self.firstPause * (1 << min(attempts - 1, 10)), Self.longestPause)
        nextAt = max(now.uptime + pause * random.factor(spread: BackOff.jitter), earliest ?? .zero)
    }

    mutating func established(at now: Moment) {
        if successor != nil { count += 1 }
        (overSince, nextAt, successor, opening, isConfirmed) = (nil, nil, nil, nil, false)
        (refusals, delivered) = ([:], [])
        establishedAt = now.uptime
    }

    /// Another process followed the session before, and had this of it.
    mutating func continued(_ delivered: Set<SessionFeed>) {
        self.delivered = delivered
    }

    /// Whether the server rejected the request, rather than being overloaded.
    static func isRefusal(_ exchange: HTTPExchange) -> Bool {
        guard exchange.failure == nil, let status = exchange.status else { return false }
        return [400, 401, 403, 404, 410].contains(status)
    }
}
