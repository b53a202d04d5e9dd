package import HLS
package import Ports

/// Media that was played without a jump; the beacons due in it are sent.
///
/// Covers the interval from `fromDate` (excluded) to `toDate` (included). If it does not continue the segment before,
/// its first instant is included too.
package struct PlayheadSegment: Hashable, Sendable {
    package var fromStream: StreamTime
    package var toStream: StreamTime
    /// Nil in a stream without PROGRAM-DATE-TIME, like `toDate`.
    package var fromDate: UnixTime?
    package var toDate: UnixTime?
    /// When the playhead was at the start.
    package var fromMoment: Moment
    package var toMoment: Moment
    package var rate: Double
    /// Whether it starts where the segment before ended, in stream and date: no jump, seek or PROGRAM-DATE-TIME step.
    package var isContinuous: Bool
    /// Whether its media follows that of the segment before; the dates may step.
    package var isSeamless: Bool

    package init(
        fromStream: StreamTime, toStream: StreamTime, fromDate: UnixTime?, toDate: UnixTime?, fromMoment: Moment,
        toMoment: Moment, rate: Double = 1, isContinuous: Bool, isSeamless: Bool? = nil
    ) {
        self.fromStream = fromStream
        self.toStream = toStream
        self.fromDate = fromDate
        self.toDate = toDate
        self.fromMoment = fromMoment
        self.toMoment = toMoment
        self.rate = rate
        self.isContinuous = isContinuous
        self.isSeamless = isSeamless ?? isContinuous
    }

    /// When the playhead showed `date`; nil outside the segment.
    package func moment(showing date: UnixTime) -> Moment? {
        guard let fromDate, let toDate, date >= fromDate, date <= toDate, rate > 0 else { return nil }
        let elapsed = Duration.microseconds(Int64(Double((date - fromDate).inMicroseconds) / rate))
        return fromMoment.advanced(by: min(elapsed, toMoment.uptime - fromMoment.uptime))
    }
}

/// A change of the playhead, automatic or by command.
package struct PlayheadChange: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
        /// Playback began at the position.
        case joined(StreamTime)
        /// The edge of a live playlist was reached.
        case stalled
        /// Media arrived after a stall.
        case resumed
        /// The window moved past the playhead; unless it is paused, a jump follows.
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
        /// An interstitial plays in place of the stream, starting at `offset`.
        case interstitialStarted(id: String, offset: Duration)
        case interstitialEnded(id: String, result: TrackedInterstitial.Result)
        /// The stream resumes elsewhere than it was left: an interstitial replaced the range between.
        case replaced(from: StreamTime, to: StreamTime)
        /// X-RESTRICT SKIP of this interstitial does not allow seeking now.
        case seekRefused(id: String)
    }

    package var kind: Kind
    package var at: Moment

    package init(_ kind: Kind, at: Moment) {
        self.kind = kind
        self.at = at
    }
}

/// One step of the playhead: a segment or a change.
package enum PlayheadStep: Hashable, Sendable {
    case played(PlayheadSegment)
    /// An asset of an interstitial was played.
    case playedAsset(AssetSegment)
    case changed(PlayheadChange)
}

/// The result of a call on the playhead: segments and changes in the order in which they happened.
package struct PlayheadProgress: Equatable, Sendable {
    package private(set) var steps: [PlayheadStep] = []

    package init() {}

    /// Appends later steps.
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

    package var changes: [PlayheadChange] {
        steps.compactMap { if case .changed(let change) = $0 { change } else { nil } }
    }

    /// The finding `fell-behind` if it applies (HLS-30).
    package var findings: [Finding] {
        guard changes.contains(where: { $0.kind == .fellBehind }) else { return [] }
        return [
            Finding(
                rule: ReloadRule.fellBehind, severity: .info,
                message: "the window of the playlist moved past the playhead")
        ]
    }
}
