import AdTracking
import Ports

/// Replacement of a session that never played.
///
/// Initialisation may return addresses that do not work: damaged in transit, or of a session that had already ended.
/// Until a playlist arrives, nothing has been played and no beacon was due, so a new session costs nothing, while
/// waiting could last for ever. A session that has played is never replaced: its beacons belong to it.
extension MonitorState {
    /// Number of consecutive refusals of the manifest; with the pauses between them about half a minute.
    private static let refusalsUntilRenewed = 5

    /// True when initialisation starts again because the server rejects the manifest it announced.
    mutating func renewSessionIfRefused(_ exchange: HTTPExchange, at now: Moment) -> Bool {
        guard configuration.provider != .none, exchange.failure == nil, Self.isRefusal(exchange.status),
            playlist.backOff.consecutiveFailures >= Self.refusalsUntilRenewed
        else { return false }
        noteError(
            .network, "the session's playlist \(Wording.problem(exchange)): requesting a new session", at: now)
        let new = MonitorState(configuration)
        session = new.session
        playlist = new.playlist
        metadata = new.metadata
        decisions = new.decisions
        tracker = nil
        feedLint = nil
        air = new.air
        join = new.join
        views = new.views
        requests = requests.filter { $0.value.purpose.outlivesSession }
        initialise(at: now)
        return true
    }

    /// Whether the server rejected the request, rather than being overloaded.
    private static func isRefusal(_ status: Int?) -> Bool {
        guard let status else { return false }
        return (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }
}

extension FetchPurpose {
    /// Whether the request belongs to an ad space or a notice and not to the stream.
    fileprivate var outlivesSession: Bool {
        switch self {
        case .bid, .creative, .adCall, .adMedia: true
        case .sessionInit, .multivariant, .mediaPlaylist, .steering, .metadata, .assetList, .asset, .adDecision,
            .adSchedule:
            false
        }
    }
}
