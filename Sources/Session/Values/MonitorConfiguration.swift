package import AdTracking
package import Ports

/// Where the virtual playhead joins.
package enum StartOption: Sendable, Hashable {
    /// As a player: EXT-X-START, else the hold-back from the edge; the first segment of a complete stream.
    case standard
    /// This far behind the live edge, or before the end of a complete stream.
    case behindEdge(Duration)
    /// At this media date.
    case date(UnixTime)
    /// As a viewer who was at this media date at this uptime, and has watched since.
    case resuming(UnixTime, at: Duration)
}

/// What happens when the server ends a session.
package enum RenewalSetting: String, Sendable, CaseIterable, Codable {
    /// A new session is requested, with growing pauses.
    case automatic
    /// The session stays over.
    case never
}

/// The configuration of a session. Values only: clock, network and journal are separate parameters of `Monitor`.
package struct MonitorConfiguration: Sendable, Hashable {
    package var mediaURL: WebURL
    /// The user's name of the session; nil means its URL.
    package var name: String?
    package var provider: ProviderSetting = .auto
    /// Whether the server is asked for a session before its manifest is requested (TRK-1).
    package var isInitRequest = true
    /// How long finished breaks are kept after they left the metadata, in media time (`keepPodsForMs`).
    package var keep: Duration = .seconds(2 * 60 * 60)
    /// Interval of metadata requests (`metadataUpdateInterval`).
    package var metadataInterval: Duration = .seconds(4)
    package var mode: ReportingMode
    /// Which beacons and notices are repeated; nil for recordings from before there was a choice, which did as `standard`
    /// does.
    package var retry: RetrySetting? = .safe
    /// What happens when the server ends the session; nil for recordings from before there was a choice, which replaced
    /// only a session that never played.
    package var renewal: RenewalSetting? = .automatic
    var retryPolicy: RetryPolicy { (retry ?? .standard).policy }
    /// Whether this is a recording of a version that backed off up to a minute, resumed after a stall with any media and
    /// waited after a timeout before it asked again.
    var replaysEarlier: Bool { renewal == nil }

    /// Whether the user named the provider of the session; recordings of an earlier version do not have that.
    var namesProvider: Bool { provider != .auto && provider != .none && !replaysEarlier }
    /// What limits sending beside the mode.
    package var sending = SendingRules()
    package var userAgent: String
    package var following = FollowingRules()
    /// Rate of the virtual player.
    package var rate = 1.0
    package var start: StartOption = .standard
    /// Whether the virtual player plays interstitials. Otherwise they are only listed: each request for an asset list
    /// is an ad decision, which a server may count.
    package var playsInterstitials = true
    /// Source of ads that the session requests itself; nil for a stream with its own ads.
    package var decision: DecisionSource?
    /// Values of macros in tags and beacons by name; they override other values.
    package var macros: [String: String] = [:]
    /// The journal keeps polls, breaks, ads, findings and the log for people, in addition to what at-most-once delivery
    /// needs.
    package var writesHistory = false
    /// The auction held beside the stream; nil for none.
    package var auction: AuctionSetup?
    /// Whether there is a creative cache that receives the creatives of auctions.
    package var warmsCache = false
    /// Ad spaces beside the stream; nil for none.
    package var formats: FormatsConfiguration?
    /// Seed of jitter and all other randomness.
    package var seed: UInt64 = 0
    package var log = LogRules()
    /// What the user's settings add to requests, for people; not part of a recording.
    package var additions: [RequestAddition] = []

    /// A session on `mediaURL` with default values; it sends beacons only to loopback.
    package init(mediaURL: WebURL) {
        self.mediaURL = mediaURL
        mode = Self.defaultMode(for: mediaURL)
        userAgent = Self.defaultUserAgent(version: "dev")
    }

    /// What beacons may reach.
    /// - Parameter isArmed: a person armed the session.
    func gate(isArmed: Bool) -> SendGate {
        SendGate(
            mediaURL: mediaURL, allowedHosts: sending.allowHosts.isEmpty ? nil : Set(sending.allowHosts),
            firesByDefault: sending.firesByDefault && !isArmed, allowsPrivate: sending.allowsPrivate)
    }

    /// What a stream may make the session request beside its beacons.
    var feedAddressRule: AddressRule {
        let isPublic = (mediaURL.literalReach ?? .global) == .global && !sending.allowsPrivate
        return isPublic ? .publicOnly(except: sending.allowHosts) : .anywhere
    }

    /// Observe for every address that is not loopback: a monitor that sends impressions would report views that never
    /// happened.
    package static func defaultMode(for mediaURL: WebURL) -> ReportingMode {
        mediaURL.literalReach == .loopback ? .fire : .observe
    }

    /// The version in bid requests: the one of this program's user agent.
    var version: String {
        let parts = userAgent.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].prefix { $0 != " " }) : "dev"
    }

    /// Ad servers judge requests by it, so it names this program.
    package static func defaultUserAgent(version: String) -> String {
        "adtop/\(version) (+monitor)"
    }
}
