import AdTracking
import Ports

/// Leaving a session that never came to play.
///
/// Initialisation may answer with addresses that lead nowhere: damaged on the way, or of a session that was over before
/// it began. While no playlist came, nothing was played and no beacon was due, so another session costs nothing, and
/// waiting for this one would last for ever. A session that did play is never left: its beacons are its own.
extension MonitorState {
    /// Refusals of the manifest in a row; with the pauses between them about half a minute.
    private static let refusalsUntilRenewed = 5

    /// True when initialisation began again, because the server refuses the manifest that it named.
    mutating func renewSessionIfRefused(_ exchange: HTTPExchange, at now: Moment) -> Bool {
        guard configuration.provider != .none, exchange.failure == nil, Self.isRefusal(exchange.status),
            playlist.backOff.consecutiveFailures >= Self.refusalsUntilRenewed
        else { return false }
        noteError(
            .network, "the session's playlist \(Wording.problem(exchange)): asking for another session", at: now)
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

    /// The server understood, and says no: not a moment's overload.
    private static func isRefusal(_ status: Int?) -> Bool {
        guard let status else { return false }
        return (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }
}

extension FetchPurpose {
    /// Of what stands beside the stream.
    fileprivate var outlivesSession: Bool {
        switch self {
        case .bid, .creative, .adCall, .adMedia: true
        case .sessionInit, .multivariant, .mediaPlaylist, .steering, .metadata, .assetList, .asset, .adDecision,
            .adSchedule:
            false
        }
    }
}
