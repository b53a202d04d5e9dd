package import AdTracking
package import Ports

/// Which ad metadata a session looks for.
package enum ProviderSetting: String, Sendable, CaseIterable, Codable {
    /// Harmonic PMM when the server behaves like it, else a plain stream.
    case auto
    case harmonic
    /// A plain stream: no session initialisation, no metadata.
    case none
}

/// Where the virtual playhead joins.
package enum StartOption: Sendable, Hashable {
    /// Where a player would: EXT-X-START, else the hold-back from the edge; the first segment of a finished stream.
    case standard
    /// This far behind the live edge, or into a finished stream from its end.
    case behindEdge(Duration)
    /// At this media date.
    case date(UnixTime)
}

/// Everything a session is told at its start. Values only: `Monitor` gets its clock, network and journal beside it.
package struct MonitorConfiguration: Sendable, Hashable {
    package var mediaURL: WebURL
    /// What the user calls the session; nil calls it by its URL.
    package var name: String?
    package var provider: ProviderSetting = .auto
    /// Whether session initialisation asks with `initSession=true` first (TRK-1, `isInitRequest`).
    package var isInitRequest = true
    /// How long finished breaks are kept after they left the metadata, in media time (`keepPodsForMs`).
    package var keep: Duration = .seconds(2 * 60 * 60)
    /// `metadataUpdateInterval`.
    package var metadataInterval: Duration = .seconds(4)
    package var mode: ReportingMode
    /// `--readonly`: nothing may arm or send, whatever is asked later.
    package var isReadonly = false
    /// Beacon hosts that may be reached, with their subdomains; empty allows all.
    package var allowHosts: [String] = []
    package var userAgent: String
    /// Blocking reloads, delta updates, parts and PART-HOLD-BACK where the server offers them.
    package var prefersLowLatency = true
    /// Of the virtual player.
    package var rate = 1.0
    package var start: StartOption = .standard
    /// The virtual player plays interstitials. Without, they are listed only: each asset list that is asked for is an ad
    /// decision, which somebody may count.
    package var playsInterstitials = true
    /// Where ads come from that the session decides about itself; nil for a stream that brings its own.
    package var decision: DecisionSource?
    /// Values of macros in tags and beacons by name; they win over what is known otherwise.
    package var macros: [String: String] = [:]
    /// Goes on sending where there is no journal any more: at most once then holds for this process only.
    package var sendsWithoutJournal = false
    /// The journal keeps polls, breaks, ads, findings and the log for people, not only what at most once needs.
    package var writesHistory = false
    /// The auction that is held beside the stream; nil for none.
    package var auction: AuctionSetup?
    /// There is a creative cache, and the creatives of auctions are put into it.
    package var warmsCache = false
    /// Ad spaces beside the stream; nil for none.
    package var formats: FormatsConfiguration?
    /// For jitter and all else that is random.
    package var seed: UInt64 = 0
    package var logLines = Limits.logLines

    /// A session on `mediaURL` with every default; fires only at loopback.
    package init(mediaURL: WebURL) {
        self.mediaURL = mediaURL
        mode = Self.defaultMode(for: mediaURL)
        userAgent = Self.defaultUserAgent(version: "dev")
    }

    /// Observe for any address that is not loopback: a monitor that fires impressions invents views.
    package static func defaultMode(for mediaURL: WebURL) -> ReportingMode {
        mediaURL.literalReach == .loopback ? .fire : .observe
    }

    /// Ad servers judge requests by it, so it says what it is.
    package static func defaultUserAgent(version: String) -> String {
        "adtop/\(version) (+monitor)"
    }
}
