import AdTracking
import HLS
package import Ports

/// The requests with which a session opens a stream, made once: session, playlists, metadata. It uses the rules of a
/// session itself, so that what it finds is what a session finds. It reports nothing to trackers; it only lists their
/// hosts.
package struct Examination: Sendable {
    /// A request to make, one after the other.
    package struct Order: Sendable {
        package var id: RequestID
        package var purpose: FetchPurpose
        package var request: HTTPRequest
    }

    /// A request with its answer.
    package struct Answer: Sendable {
        package var purpose: FetchPurpose
        package var request: HTTPRequest
        package var exchange: HTTPExchange

        package init(purpose: FetchPurpose, request: HTTPRequest, exchange: HTTPExchange) {
            (self.purpose, self.request, self.exchange) = (purpose, request, exchange)
        }
    }

    /// Most requests.
    package static let requests = 12
    /// Most hosts of trackers that are listed.
    package static let trackers = 16

    private var state: MonitorState
    private var waiting: [Order] = []
    private var asked = 0
    private var hasMetadata = false
    /// How far the session's clock is ahead of the caller's: a provider that needs the playlist looks for it a moment later.
    private var ahead = Duration.zero
    private static let moment: Duration = .milliseconds(1_500)
    package private(set) var answers: [Answer] = []

    /// - Parameter configuration: its mode must not send; interstitials are not played.
    package init(_ configuration: MonitorConfiguration) {
        var configuration = configuration
        configuration.mode = .observe
        configuration.sending.firesByDefault = false
        configuration.sending.isReadonly = true
        configuration.playsInterstitials = false
        configuration.following.prefersLowLatency = false
        (configuration.decision, configuration.auction, configuration.formats) = (nil, nil, nil)
        state = MonitorState(configuration)
    }

    /// The stream is to be opened.
    package mutating func start(at now: Moment) {
        take(.started, at: now)
    }

    /// The next request; nil when the stream is open or cannot be opened.
    package mutating func next() -> Order? {
        guard asked < Self.requests, !waiting.isEmpty else { return nil }
        asked += 1
        return waiting.removeFirst()
    }

    /// The answer to ``next()``.
    package mutating func answered(_ order: Order, _ exchange: HTTPExchange, at now: Moment) {
        answers.append(Answer(purpose: order.purpose, request: order.request, exchange: exchange))
        if order.purpose == .metadata { hasMetadata = true }
        take(.fetched(order.id, exchange), at: now.advanced(by: ahead))
        guard isOpen, !hasMetadata, waiting.isEmpty, ahead == .zero else { return }
        ahead = Self.moment
        take(.woke, at: now.advanced(by: ahead))
    }

    private mutating func take(_ input: Input, at now: Moment) {
        var inputs = [input]
        while let next = inputs.popLast() {
            for effect in state.apply(next, at: now) {
                switch effect {
                case .fetch(let id, let purpose, let request) where isWanted(purpose):
                    waiting.append(Order(id: id, purpose: purpose, request: request))
                case .openJournal: inputs.append(.journalOpened(JournalOpening()))
                // It sends nothing and keeps nothing; what is due later is not waited for.
                case .fetch, .writeClaims, .send, .writeOutcomes, .writeNotes, .beside, .wake: break
                }
            }
        }
    }

    /// Each feed is read once.
    private func isWanted(_ purpose: FetchPurpose) -> Bool {
        switch purpose {
        case .sessionInit: true
        case .multivariant, .mediaPlaylist: !isOpen
        case .metadata: !hasMetadata && !waiting.contains { $0.purpose == .metadata }
        default: false
        }
    }

    /// Whether a media playlist was read.
    package var isOpen: Bool { state.playlist.follower.timeline.playlist != nil }

    /// What the session cannot do, in its own words; nil if nothing failed.
    package func problem(at now: Moment) -> String? { snapshot(at: now).errors.latest?.message }

    private func snapshot(at now: Moment) -> Snapshot {
        var state = state
        return state.snapshot(at: now.advanced(by: ahead))
    }

    /// What became of the metadata.
    package enum Metadata: Sendable {
        case good, unusable
        /// There is none where a session without an identifier looks for it.
        case guessed
    }

    /// Nil if none was requested.
    package var metadata: Metadata? {
        guard hasMetadata else { return nil }
        if state.metadata.record.health.state == .good { return .good }
        return state.session.addresses?.sessionID == nil ? .guessed : .unusable
    }

    /// Requests that would reach the hosts which the metadata names, one for each host, and how many hosts are not among
    /// them. Nothing but a connection must be made of them.
    package func trackerRequests(at now: Moment) -> (requests: [HTTPRequest], omitted: Int) {
        var (found, origins): ([HTTPRequest], Set<String>) = ([], [])
        for event in snapshot(at: now).breaks.flatMap(\.ads).flatMap(\.events) where event.reason != .clickClass {
            for text in event.urls.map(\.url) {
                guard let url = try? WebURL(written: text), origins.insert(url.origin).inserted else { continue }
                guard found.count < Self.trackers else { continue }
                var request = HTTPRequest(url: url, maximumBodyBytes: 0, addressRule: gate.addressRule)
                request.audience = .tracker
                request.trustedHost = state.configuration.mediaURL.host
                found.append(request)
            }
        }
        return (found, origins.count - found.count)
    }

    /// Whether beacons may go to a host at all.
    package func allows(_ request: HTTPRequest) -> Bool {
        gate.redirectRule.allows(host: request.url.host)
    }

    private var gate: SendGate { state.configuration.gate(isArmed: true) }
}
