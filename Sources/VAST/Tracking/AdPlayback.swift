/// Determines the events of a linear ad during playback (VAST-9).
///
/// Only normal playback counts: all thresholds between two ticks fire, in order and once; a forward seek fires none of
/// those that it passes, nor complete, until what it passed is played.
package struct AdPlayback: Hashable, Sendable {
    /// An event that fired.
    package enum Event: Hashable, Sendable {
        case impression
        case named(EventName)
        /// The offset as written, a time or a percentage.
        case progress(TimeOffset)
        case error(code: Int)
    }

    private struct Threshold: Hashable, Sendable {
        var milliseconds: Int64
        var event: Event
    }

    private let duration: Int64?
    private let skipFrom: Int64?
    private var thresholds: [Threshold]
    private var position: Int64 = 0
    /// The end of what was played without a gap from the start.
    private var playedThrough: Int64 = 0
    private var hasLoaded = false
    private var hasStarted = false
    private var hasCompleted = false
    private var hasClosed = false
    private var isPaused = false
    private var isMuted = false
    /// Whether playback is over, so that no further event fires.
    package private(set) var isOver = false

    /// `duration` and `skipFrom` are in milliseconds; nil means unknown and never, respectively.
    package init(duration: Int64?, skipFrom: Int64?, progress: [TimeOffset]) {
        self.duration = duration
        self.skipFrom = skipFrom
        var all = progress.compactMap { offset in
            Self.threshold(offset, duration).map { Threshold(milliseconds: $0, event: .progress(offset)) }
        }
        for name in [EventName.firstQuartile, .midpoint, .thirdQuartile] {
            guard let time = name.percent.flatMap({ Self.threshold(.percent($0), duration) }) else { continue }
            all.append(Threshold(milliseconds: time, event: .named(name)))
        }
        thresholds = all.enumerated().sorted {
            ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset)
        }.map(\.element)
    }

    /// The first millisecond at which at least that much was played.
    private static func threshold(_ offset: TimeOffset, _ duration: Int64?) -> Int64? {
        guard case .percent(let percent) = offset, let duration else {
            return offset.milliseconds(ofDuration: duration)
        }
        // A share that is exact in decimals is not always exact in binary.
        return Int64(exactly: (Double(duration) * percent / 100 - 1e-6).rounded(.up))
    }

    package mutating func loaded() -> [Event] {
        guard !isOver, !hasStarted, !hasLoaded else { return [] }
        hasLoaded = true
        return [.named(.loaded)]
    }

    /// The first frame is visible.
    package mutating func started() -> [Event] {
        guard !isOver, !hasStarted else { return [] }
        hasStarted = true
        return [.impression, .named(.creativeView), .named(.start)] + takeThresholds(through: 0, from: -1)
    }

    /// Normal playback reached `milliseconds`.
    package mutating func played(to milliseconds: Int64) -> [Event] {
        guard isPlaying, milliseconds > position else { return [] }
        if !isBehindGap { playedThrough = max(playedThrough, milliseconds) }
        defer { position = milliseconds }
        return takeThresholds(through: milliseconds, from: position)
    }

    package mutating func rewound(to milliseconds: Int64) -> [Event] {
        guard hasStarted, !isOver else { return [] }
        position = max(0, min(position, milliseconds))
        return [.named(.rewind)]
    }

    /// The viewer seeked; a forward seek does not count as playback.
    package mutating func seeked(to milliseconds: Int64) -> [Event] {
        guard hasStarted, !isOver else { return [] }
        position = max(0, milliseconds)
        return []
    }

    /// Ignored before the skip control appears (VAST 4.3 section 3.8).
    package mutating func skipped() -> [Event] {
        guard hasStarted, !isOver, let skipFrom, position >= skipFrom else { return [] }
        isOver = true
        return [.named(.skip)]
    }

    /// The sound went off or on. Before the start nothing is reported, but an ad that starts without sound may get it later.
    package mutating func muted(_ flag: Bool) -> [Event] {
        guard !isOver, flag != isMuted else { return [] }
        isMuted = flag
        return hasStarted ? [.named(flag ? .mute : .unmute)] : []
    }

    package mutating func paused() -> [Event] {
        guard isPlaying else { return [] }
        isPaused = true
        return [.named(.pause)]
    }

    package mutating func resumed() -> [Event] {
        guard hasStarted, !isOver, isPaused else { return [] }
        isPaused = false
        return [.named(.resume)]
    }

    /// Playback reached the end.
    package mutating func ended() -> [Event] {
        guard hasStarted, !isOver else { return [] }
        isOver = true
        guard !isBehindGap else { return [] }
        hasCompleted = true
        return takeThresholds(through: duration ?? position, from: position) + [.named(.complete)]
    }

    /// The viewer closed the ad, or its end card after it.
    package mutating func closed() -> [Event] {
        guard hasStarted, !isOver || hasCompleted, !hasClosed else { return [] }
        (isOver, hasClosed) = (true, true)
        return [.named(.closeLinear)]
    }

    /// The player will not play the ad; no further event fires.
    package mutating func notUsed() -> [Event] { finish([.named(.notUsed)]) }

    package mutating func failed(code: Int) -> [Event] { finish([.error(code: code)]) }

    private var isPlaying: Bool { hasStarted && !isOver && !isPaused }
    /// Whether a seek passed something before the position that was never played.
    private var isBehindGap: Bool { position > playedThrough }

    private mutating func finish(_ events: [Event]) -> [Event] {
        guard !isOver else { return [] }
        isOver = true
        return events
    }

    private mutating func takeThresholds(through end: Int64, from start: Int64) -> [Event] {
        let taken = thresholds.filter { $0.milliseconds > start && $0.milliseconds <= end }
        thresholds.removeAll { $0.milliseconds > start && $0.milliseconds <= end }
        return taken.map(\.event)
    }
}
