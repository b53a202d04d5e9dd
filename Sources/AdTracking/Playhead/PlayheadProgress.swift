package import HLS
package import Ports

/// Media that was played without a jump: what due beacons are looked for in.
///
/// Covers the half-open interval from `fromDate` (not included) to `toDate` (included), unless it does not continue the
/// segment before: then its first instant was played too.
package struct PlayheadSegment: Hashable, Sendable {
    package var fromStream: StreamTime
    package var toStream: StreamTime
    /// Nil in a stream without PROGRAM-DATE-TIME, as is the next one.
    package var fromDate: UnixTime?
    package var toDate: UnixTime?
    /// When the playhead was at the start.
    package var fromMoment: Moment
    package var toMoment: Moment
    package var rate: Double
    /// It takes up where the segment before ended, in stream and date: no jump, no seek, no PROGRAM-DATE-TIME step.
    package var isContinuous: Bool

    package init(
        fromStream: StreamTime, toStream: StreamTime, fromDate: UnixTime?, toDate: UnixTime?, fromMoment: Moment,
        toMoment: Moment, rate: Double = 1, isContinuous: Bool
    ) {
        self.fromStream = fromStream
        self.toStream = toStream
        self.fromDate = fromDate
        self.toDate = toDate
        self.fromMoment = fromMoment
        self.toMoment = toMoment
        self.rate = rate
        self.isContinuous = isContinuous
    }

    /// When the playhead showed `date`; nil outside the segment.
    package func moment(showing date: UnixTime) -> Moment? {
        guard let fromDate, let toDate, date >= fromDate, date <= toDate, rate > 0 else { return nil }
        let elapsed = Duration.microseconds(Int64(Double((date - fromDate).inMicroseconds) / rate))
        return fromMoment.advanced(by: min(elapsed, toMoment.uptime - fromMoment.uptime))
    }
}

/// Something that happened to the playhead, by itself or by command.
package struct PlayheadChange: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
        /// Playback began at the position.
        case joined(StreamTime)
        /// The edge of a live playlist was reached.
        case stalled
        /// Media came after a stall.
        case resumed
        /// The window moved past the playhead; unless paused a jump follows.
        case fellBehind
        /// A seek, or a jump to the live target.
        case jumped(from: StreamTime, to: StreamTime)
        /// The end of the presentation was reached.
        case ended
        case paused
        case played
        case rateChanged(Double)
        case muted
        case unmuted
        /// An interstitial plays in place of the stream, from `offset` on when it was joined in the middle.
        case interstitialStarted(id: String, offset: Duration)
        case interstitialEnded(id: String, result: TrackedInterstitial.Result)
        /// The stream goes on elsewhere than it was left: an interstitial stood for what lies between.
        case replaced(from: StreamTime, to: StreamTime)
        /// X-RESTRICT SKIP of this interstitial forbids to seek now.
        case seekRefused(id: String)
    }

    package var kind: Kind
    package var at: Moment

    package init(_ kind: Kind, at: Moment) {
        self.kind = kind
        self.at = at
    }
}

/// One thing on the way of the playhead.
package enum PlayheadStep: Hashable, Sendable {
    case played(PlayheadSegment)
    /// An asset of an interstitial was played.
    case playedAsset(AssetSegment)
    case changed(PlayheadChange)
}

/// What a call on the playhead brought: media played until then and changes, in the order in which it happened.
package struct PlayheadProgress: Equatable, Sendable {
    package private(set) var steps: [PlayheadStep] = []

    package init() {}

    /// Adds what happened after this.
    package mutating func append(_ later: PlayheadProgress) {
        steps += later.steps
    }

    mutating func append(_ step: PlayheadStep) {
        steps.append(step)
    }

    mutating func note(_ kind: PlayheadChange.Kind, at moment: Moment) {
        steps.append(.changed(PlayheadChange(kind, at: moment)))
    }

    package var segments: [PlayheadSegment] {
        steps.compactMap { if case .played(let segment) = $0 { segment } else { nil } }
    }

    /// Assets of interstitials that were played.
    package var assetSegments: [AssetSegment] {
        steps.compactMap { if case .playedAsset(let segment) = $0 { segment } else { nil } }
    }

    package var changes: [PlayheadChange] {
        steps.compactMap { if case .changed(let change) = $0 { change } else { nil } }
    }

    /// The rule `fell-behind` where it applies (HLS-30).
    package var findings: [Finding] {
        guard changes.contains(where: { $0.kind == .fellBehind }) else { return [] }
        return [
            Finding(rule: "fell-behind", severity: .info, message: "the window of the playlist moved past the playhead")
        ]
    }
}
