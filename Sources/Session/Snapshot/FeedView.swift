package import HLS
package import Ports

/// The health of a polled feed.
package struct FeedHealth: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Nothing was requested yet, or the feed does not exist.
        case none
        case waiting, good, failing
    }

    package var state: State
    /// Status of the last answer; nil when none arrived.
    package var status: Int?
    /// The protocol of the last answer; nil when none arrived.
    package var version: HTTPProtocolVersion?
    /// Duration of the last exchange.
    package var took: Duration?
    package var bytes: Int?
    package var lastGoodAt: Moment?
    package var consecutiveFailures: Int
    package var nextAttemptAt: Moment?
    /// The problem, as one clause, in state `failing`.
    package var problem: String?
    /// The URL of the request with the problem, where the feed has several; unredacted, and not in the JSON of a snapshot.
    package var failedURL: String?
    /// Whether the answer with the problem was that of a ping (PRV-43).
    package var isPing = false

    package static let none = FeedHealth(state: .none, consecutiveFailures: 0)
}

/// The followed media playlist and its timeline.
package struct PlaylistView: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case unknown, live, event, vod
        /// There is none: the session is attached to its tracking data, and the time is that of the wall clock.
        case clock
    }

    package var kind: Kind
    /// Final URL of the followed media playlist.
    package var url: String?
    package var bandwidth: Int64?
    package var variantCount: Int
    package var targetDuration: Duration?
    package var segmentCount: Int
    package var mediaSequence: Int64?
    package var hasEnded: Bool
    package var windowStart: StreamTime?
    package var windowEnd: StreamTime?
    package var windowStartDate: UnixTime?
    package var windowEndDate: UnixTime?
    package var holdBack: Duration?
    package var discontinuities: Int
    package var reloads: Int
    package var nextReloadAt: Moment?
    /// Nil for a single media playlist, and before a variant is chosen.
    package var variant: VariantView?
    package var delivery = DeliveryView()
    /// The variants of the multivariant playlist; empty for a single media playlist.
    package var variants: [VariantOption] = []
}

extension PlaylistView {
    /// Most variants that a screen or a dump lists.
    package static let listedVariants = 64
}

/// The followed variant.
package struct VariantView: Sendable, Equatable {
    /// Its position in the multivariant playlist, from 1.
    package var number: Int
    /// BANDWIDTH in bit/s.
    package var bandwidth: Int?
    /// Resolution such as `1280x720`.
    package var resolution: String?
    package var codecs: String?
    /// PATHWAY-ID; nil when it has none.
    package var pathway: String?
    /// Number of other variants for failover.
    package var redundantCount: Int
    /// Whether the preferred variant failed and this one replaced it.
    package var isFallback: Bool
    /// Whether the server refuses those that were preferred, and this one has another bandwidth.
    package var hasSteppedDown = false
    /// What a person wants: `best`, `worst`, a height, a bandwidth, or the end of an address.
    package var wish = VariantWish.best
}

/// How the media playlist is requested.
package struct DeliveryView: Sendable, Equatable {
    /// Whether parts are used and the playhead keeps PART-HOLD-BACK.
    package var isLowLatency = false
    /// Whether the server holds requests until there is something new.
    package var isBlocking = false
    /// PART-TARGET.
    package var partTarget: Duration?
    /// Number of parts after the last whole segment.
    package var trailingParts = 0
    /// Number of merged delta updates.
    package var deltaUpdates = 0

    package init() {}
}

package struct PlayheadView: Sendable, Equatable {
    package enum State: String, Sendable {
        case idle, playing, paused, stalled, interstitial, ended
    }

    package var state: State
    package var stream: StreamTime?
    /// The media date at the playhead; nil without PROGRAM-DATE-TIME.
    package var date: UnixTime?
    package var rate: Double
    package var isMuted: Bool
    /// Wall clock minus media date.
    package var latency: Duration?
    /// Distance to the end of the playlist.
    package var behindEdge: Duration?
    /// Change of latency since the last join, seek or jump: positive when falling behind.
    package var drift: Duration?
    /// Whether it moves with the clock, up to `limitStream`; see ``Snapshot/playhead(at:)``.
    package var isAdvancing = false
    /// How far it can play with the current playlist.
    package var limitStream: StreamTime?
    /// Time left of the interstitial that plays; nil while none plays, or while it does not move with the clock.
    package var interstitialRest: Duration?
}
