/// Whether an ad is visible, computed from the three conditions that decide it (FMT-11).
package struct VisibilityModel: Sendable, Hashable {
    /// Whether the process is stopped.
    package internal(set) var isInBackground = false
    /// Whether the terminal lost the focus.
    package internal(set) var isInactive = false
    /// Whether the pane that contains the ad is hidden.
    package var isHidden = false
    /// Fraction of the ad inside the visible part of the layout, 0 to 1.
    package var share = 1.0

    package init() {}

    package var isVisible: Bool { !isInBackground && !isInactive && !isHidden }
    /// Visible fraction of the ad, 0 to 1.
    package var fraction: Double { isVisible && share > 0 ? min(share, 1) : 0 }
}

/// Viewability in addition to the seven states (FMT-13): a fraction of the ad must be visible for a continuous time,
/// sampled every quarter of a second, as the rendering SDKs do.
package struct Viewability: Sendable, Hashable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        /// Half of a display ad for one second; a smaller fraction for very large ads.
        case mrc50
        /// A whole display ad for one second.
        case mrc100
        /// Half of a video for two seconds.
        case video50
    }

    /// In ads of at least this many pixels, 30 % is enough (MRC viewable impression guidelines).
    static let largePixels = 242_500
    static let largeFraction = 0.3

    private struct Condition: Sendable, Hashable {
        var event: Event
        var fraction: Double
        var dwell: Duration
        /// Uptime of the first sample that met the condition; nil while it is not met.
        var since: Duration?
        var isDone = false

        var due: Duration? { isDone ? nil : since.map { $0 + dwell } }
    }

    /// Samples are taken at whole intervals after this uptime.
    private var start: Duration
    private let sample: Duration
    private var conditions: [Condition]

    /// Creates the conditions of one ad.
    ///
    /// - Parameter size: decides whether the ad counts as large.
    package init(isVideo: Bool, size: PixelSize?, rules: ViewingRules = ViewingRules(), at uptime: Duration) {
        (start, sample) = (uptime, rules.sample)
        let isLarge = !isVideo && (size?.area ?? 0) >= Self.largePixels
        let half = isLarge ? Self.largeFraction : 0.5
        conditions =
            isVideo
            ? [Condition(event: .video50, fraction: 0.5, dwell: rules.videoDwell)]
            : [
                Condition(event: .mrc50, fraction: half, dwell: rules.displayDwell),
                Condition(event: .mrc100, fraction: 1, dwell: rules.displayDwell),
            ]
    }

    /// Advances to `uptime` with the last visible fraction.
    ///
    /// - Returns: the events reached by then.
    package mutating func advance(to uptime: Duration) -> [Event] {
        var events: [Event] = []
        for index in conditions.indices {
            guard let due = conditions[index].due, due <= uptime else { continue }
            conditions[index].isDone = true
            events.append(conditions[index].event)
        }
        return events
    }

    /// Sets the visible fraction. Call ``advance(to:)`` first to get the events that are due before.
    package mutating func see(_ fraction: Double, at uptime: Duration) {
        for index in conditions.indices where !conditions[index].isDone {
            if fraction >= conditions[index].fraction {
                conditions[index].since = conditions[index].since ?? nextLook(from: uptime)
            } else {
                conditions[index].since = nil
            }
        }
    }

    /// Uptime of the next event if the visibility does not change.
    package var nextDue: Duration? { conditions.compactMap(\.due).min() }

    private func nextLook(from uptime: Duration) -> Duration {
        let passed = max(.zero, uptime - start)
        let looks = passed / sample
        return start + sample * looks.rounded(.up)
    }
}
