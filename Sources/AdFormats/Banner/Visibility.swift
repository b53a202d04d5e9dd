/// Whether an ad can be seen, from the four things that decide it (FMT-11).
package struct VisibilityModel: Sendable, Hashable {
    /// The program is stopped.
    package internal(set) var isInBackground = false
    /// Its terminal has lost the focus.
    package internal(set) var isInactive = false
    /// The pane that holds the ad is switched off.
    package var isHidden = false
    /// The ad has a place in the layout.
    package var isPlaced = true
    /// Share of the ad inside the visible part of the layout, 0 to 1.
    package var share = 1.0

    package init() {}

    package var isVisible: Bool { !isInBackground && !isInactive && !isHidden && isPlaced }
    /// Share of the ad that can be seen.
    package var fraction: Double { isVisible && share > 0 ? min(share, 1) : 0 }
}

/// Viewability beside the seven states (FMT-13): so much of the ad for so long without a break, looked
/// at every quarter of a second, as the rendering SDKs do.
package struct Viewability: Sendable, Hashable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        /// Half of a display ad for one second; less for very large ones.
        case mrc50
        /// All of it for one second.
        case mrc100
        /// Half of a video for two seconds.
        case video50
    }

    /// From so many pixels on 30 % are enough (MRC viewable impression guidelines).
    static let largePixels = 242_500
    static let largeFraction = 0.3

    private struct Condition: Sendable, Hashable {
        var event: Event
        var fraction: Double
        var dwell: Duration
        /// Uptime of the first look that found it met; nil while it is not.
        var since: Duration?
        var isDone = false

        var due: Duration? { isDone ? nil : since.map { $0 + dwell } }
    }

    /// Looks are at whole quarters after this.
    private var start: Duration
    private let sample: Duration
    private var conditions: [Condition]

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

    /// Time has come to `uptime`, with the share visible that was said last.
    /// - Returns: the events whose time was full by then.
    package mutating func advance(to uptime: Duration) -> [Event] {
        var events: [Event] = []
        for index in conditions.indices {
            guard let due = conditions[index].due, due <= uptime else { continue }
            conditions[index].isDone = true
            events.append(conditions[index].event)
        }
        return events
    }

    /// The share visible from now on. What was due before is to be taken with ``advance(to:)`` first.
    package mutating func see(_ fraction: Double, at uptime: Duration) {
        for index in conditions.indices where !conditions[index].isDone {
            if fraction >= conditions[index].fraction {
                conditions[index].since = conditions[index].since ?? nextLook(from: uptime)
            } else {
                conditions[index].since = nil
            }
        }
    }

    /// Uptime of the next event, if nothing changes.
    package var nextDue: Duration? { conditions.compactMap(\.due).min() }

    private func nextLook(from uptime: Duration) -> Duration {
        let passed = max(.zero, uptime - start)
        let looks = passed / sample
        return start + sample * looks.rounded(.up)
    }
}
