package import AdTracking
package import HLS
package import Ports

/// Identity, addresses and health of the session.
package struct SessionView: Sendable, Equatable {
    /// A short name for tabs and the header, from the media URL.
    package var name: String
    package var mediaURL: String
    package var manifestURL: String?
    package var metadataURL: String?
    /// The provider's name, `none` for a plain stream, or `auto` while unknown.
    package var provider: String
    /// Who reports, and where the requests for metadata stand; nil for a plain stream.
    package var service: ServiceView?
    /// The step of session initialisation that succeeded: `get`, `post`, `redirect`, `variant` or `manifest`; nil
    /// before that.
    package var initPath: String?
    package var sessionID: String?
    package var mode: ReportingMode
    /// Which beacons are repeated; nil in recordings from before there was a choice.
    package var retry: RetrySetting?
    /// False under `--readonly` and without a journal: arming and sending are disabled.
    package var canArm: Bool
    /// Nothing is sent because the journal cannot be written, or another process has this session open.
    package var lacksJournal = false
    /// Nothing is sent because another process has this session open.
    package var isHeldElsewhere = false
    /// Beacons go to collectors on this machine only: the session fires because its address is on loopback, and a person has
    /// not armed it.
    package var sendsToLoopbackOnly = false
    package var phase: Phase
    package var playlistHealth: FeedHealth
    package var metadataHealth: FeedHealth
    /// Number of sessions that the server ended and that were replaced.
    package var renewals = 0
    /// How far the opening of the stream has come; nil once its first playlist was read.
    package var opening: OpeningView?
    /// What the user's settings add to its requests.
    package var additions: [RequestAddition] = []
    /// The header fields of the program's own in requests of beacons; empty where they are not known.
    package var beaconFields: [HTTPField] = []
    /// Where in a recording this is; nil in a session that runs.
    package var replay: ReplayView?
    /// Whose picture this is; nil in a session of this process.
    package var picture: PictureView?

    package enum Phase: String, Sendable, CaseIterable {
        case starting, running, failing, ended
        /// The server rejects the session, and no new one is open yet.
        case over
    }
}

/// What is known of the service that inserts the ads.
package struct ServiceView: Sendable, Equatable {
    package var mode: String?
    package var reporter: ProviderStatus.Reporter
    /// When the token was listed with which the next answer continues the list; nil where every answer has the whole list.
    package var tokenSince: Moment?
    /// Time between two requests; nil when metadata is not polled.
    package var interval: Duration?
    /// The next request; nil while one is in flight, and when metadata is not polled.
    package var next: NextPollView?
    /// What the session asks for about prefetched ads; nil where it asks for nothing.
    package var prefetch: ProviderStatus.Prefetch?
    /// The newest ping; nil before the first one, and for services without pings.
    package var ping: PingView?

    package init(
        mode: String? = nil, reporter: ProviderStatus.Reporter = .viewer, tokenSince: Moment? = nil,
        interval: Duration? = nil
    ) {
        (self.mode, self.reporter, self.tokenSince, self.interval) = (mode, reporter, tokenSince, interval)
    }
}

/// When metadata is requested next, and why then.
package struct NextPollView: Sendable, Equatable {
    /// Nil where no request follows.
    package var at: Moment?
    package var reason: PollReason

    package init(at: Moment?, reason: PollReason) {
        (self.at, self.reason) = (at, reason)
    }
}

/// A ping and when the next one is due.
package struct PingView: Sendable, Equatable {
    /// Unredacted.
    package var url: String
    /// Why it was due, in one word.
    package var cause: String
    package var state: DeliveryState
    package var reason: SkipReason?
    package var status: Int?
    /// Position of the stream beyond which the next one is due; nil while that is unknown.
    package var next: StreamTime?

    package init(
        url: String, cause: String, state: DeliveryState, reason: SkipReason? = nil, status: Int? = nil,
        next: StreamTime? = nil
    ) {
        (self.url, self.cause, self.state) = (url, cause, state)
        (self.reason, self.status, self.next) = (reason, status, next)
    }
}

/// The result of a mute, pause or other user action.
package struct UserReportView: Sendable, Equatable {
    /// Number of the action in the session.
    package var number: Int
    package var action: UserAction
    package var at: Moment
    /// Whether a beacon was sent and acknowledged; nil while in flight.
    package var wasReported: Bool?
    /// One sentence with target and result, e.g. `mute sent for B2/A2 204 37ms` or `mute: no ad on air`.
    package var message: String
    /// Whether something is wrong when nothing was reported; false where no ad asks for a report.
    package var isFailure = true
}
