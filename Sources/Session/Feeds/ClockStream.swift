import HLS
import Ports

/// The stream of a session that has no playlist, as the clock knows it (PRV-48): as long as the time that passed, dated, and
/// without a word of what it shows. Playhead, breaks and polls then have what a playlist gives them.
struct ClockStream: Sendable {
    /// Length of its pieces, and with it the time between two polls while a service names no other.
    static let step: Duration = .seconds(6)
    /// Pieces beyond the clock: as far as a live playlist is ahead of its viewer.
    private static let ahead = 3
    /// Most pieces in the window: an hour in which a viewer may seek.
    private static let longestWindow = 600
    /// How far it reaches back where the start of the session is not known, for breaks that have begun.
    private static let reach: Duration = .seconds(60)

    private let clock: AttachedClock
    /// When it was first asked for, with the date of what is on air then; nil before.
    private var first: (uptime: Duration, date: UnixTime, head: Duration)?

    init(_ clock: AttachedClock) {
        self.clock = clock
    }

    /// Whether its position 0 is second 0 of the session.
    var startsAtZero: Bool {
        if case .zero = clock { true } else { false }
    }

    /// The date at which a viewer joins; nil before ``playlist(at:)``.
    func joining(_ start: StartOption) -> UnixTime? {
        guard let first else { return nil }
        switch start {
        case .standard: return first.date
        case .behindEdge(let span): return first.date - span
        case .date(let date), .resuming(let date, _): return date
        }
    }

    /// The stream so far, and the uptime at which it is to be extended.
    mutating func playlist(at now: Moment) -> (playlist: MediaPlaylist, until: Duration) {
        let first = first ?? begun(at: now)
        self.first = first
        let passed = max(.zero, now.uptime - first.uptime)
        let steps = Int(passed.inMicroseconds / Self.step.inMicroseconds)
        let newest = steps + 1 + Self.ahead
        let oldest = max(0, newest - Self.longestWindow)
        var playlist = MediaPlaylist(uri: "")
        playlist.targetDuration = Self.step
        playlist.mediaSequence = oldest
        playlist.segments = (oldest...newest).map { number in
            let isHead = number == 0
            return MediaSegment(
                sequence: number, uri: "", duration: isHead ? first.head : Self.step,
                date: isHead ? first.date - first.head : first.date + Self.step * (number - 1), dateSource: .explicit)
        }
        var start = Duration.zero
        for index in playlist.segments.indices {
            playlist.segments[index].start = start
            start += playlist.segments[index].duration
        }
        return (playlist, first.uptime + Self.step * (steps + 1))
    }

    private func begun(at now: Moment) -> (uptime: Duration, date: UnixTime, head: Duration) {
        switch clock {
        case .offset(let span): (now.uptime, now.wall + span, Self.reach)
        // A date to come would be no start.
        case .zero(let zero): (now.uptime, now.wall, max(Self.step, now.wall - zero))
        }
    }
}

extension PlaylistPart {
    /// Extends the stream of a session without a playlist.
    mutating func extendClock(at now: Moment) {
        guard let (playlist, until) = clock?.playlist(at: now) else { return }
        let parsed = ParsedPlaylist(uri: "", kind: .media(playlist), findings: [])
        // Nobody made it, so nothing in it can be wrong.
        _ = follower.noteParsed(parsed, ReloadExchange(requested: now))
        nextAt = until
    }
}
