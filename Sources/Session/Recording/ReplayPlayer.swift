package import Ports

/// The clock of a replay: it runs at some speed from a set moment to the end of the recording, or is stopped.
package struct ReplayCourse: Sendable, Hashable {
    /// The replay's time at `since`.
    package fileprivate(set) var at: Moment
    /// Real uptime at which `at` was set.
    package fileprivate(set) var since: Duration
    /// Recorded time per real time; 0 when stopped.
    package fileprivate(set) var speed: Double
    /// Uptime of the last input, on the replay's clock. Nothing comes after it, so the clock stops there.
    package fileprivate(set) var end: Duration
    package fileprivate(set) var isPaused = false

    /// The replay's time at a real uptime.
    package func now(_ real: Duration) -> Moment {
        guard !isPaused else { return at }
        return at.advanced(by: min((real - since) * speed, max(.zero, end - at.uptime)))
    }

    fileprivate mutating func keep(_ real: Duration) {
        at = now(real)
        since = real
    }
}

/// A message to the person who controls a replay.
package struct ReplayNotice: Sendable, Hashable {
    /// Message as one sentence.
    package var text: String
    /// Whether the command was carried out.
    package var isGood: Bool

    package init(text: String, isGood: Bool) {
        self.text = text
        self.isGood = isGood
    }
}

/// A recording under the control of a person: position, speed, keys and commands. The session itself cannot be changed.
/// Real time is a parameter, so that tests need not wait.
package struct ReplayPlayer: Sendable {
    /// Range of speeds.
    package static let speeds = 0.01...1_000.0

    package private(set) var replay: Replay
    package private(set) var course: ReplayCourse

    /// Plays from `start`, an uptime of the recording, at the real uptime `real`.
    package init(_ replay: Replay, from start: Duration, speed: Double = 1, real: Duration) {
        self.replay = Self.searched(replay)
        self.replay.move(toUptime: start)
        course = ReplayCourse(
            at: replay.recording.moment(atUptime: start), since: real, speed: speed,
            end: replay.span?.upperBound ?? start)
    }

    /// Stops after `count` inputs; what plays from there has the speed.
    package init(_ replay: Replay, after count: Int, speed: Double = 1, real: Duration) {
        self.replay = Self.searched(replay)
        self.replay.move(to: count)
        let moment = self.replay.moment
        course = ReplayCourse(
            at: moment, since: real, speed: speed, end: replay.span?.upperBound ?? moment.uptime, isPaused: true)
    }

    /// The replay after one pass through the recording, so that its marks are those of the whole at every position.
    private static func searched(_ replay: Replay) -> Replay {
        var replay = replay
        replay.move(to: replay.count)
        return replay
    }

    /// Uptime of the next input on the replay's clock; nil at the end.
    package var next: Duration? {
        replay.position < replay.count ? replay.recording.inputs[replay.position].at.uptime : nil
    }

    /// Applies the inputs up to that real uptime. A stopped replay keeps its position, because a step may lie between
    /// inputs of one moment.
    package mutating func advance(real: Duration) {
        guard !course.isPaused else { return }
        replay.move(toUptime: course.now(real).uptime)
    }

    package mutating func snapshot(real: Duration) -> Snapshot {
        var snapshot = replay.snapshot(at: course.now(real))
        snapshot.replay = replay.span.map { span in
            ReplayView(
                span: span, speed: course.speed, isPaused: course.isPaused, position: replay.position,
                count: replay.count, marks: replay.marks)
        }
        return snapshot
    }

    /// Applies a command for a session: pause, seek and rate control the replay, all others are rejected.
    package mutating func take(_ input: Input, real: Duration) -> ReplayNotice? {
        switch input {
        // Not a command: the terminal was turned, or lost or received the focus.
        case .beside(.formatActed(_, .lifecycle)), .beside(.formatActed(_, .turned)): return nil
        // The log of a recording is the recorded one.
        case .libraryLogged: return nil
        case .toggled(.pause): setPaused(!course.isPaused, real: real)
        case .playerCommanded(.play): setPaused(false, real: real)
        case .playerCommanded(.pause): setPaused(true, real: real)
        case .playerCommanded(.setRate(let rate)):
            guard Self.speeds.contains(rate) else {
                return ReplayNotice(text: "replay rate: must be 0.01 to 1000", isGood: false)
            }
            course.keep(real)
            course.speed = rate
            return ReplayNotice(text: "the replay runs at \(rate)x", isGood: true)
        case .playerCommanded(.seek(let target)): seek(target, real: real)
        default: return ReplayNotice(text: "this is a recording: nothing can be changed or sent", isGood: false)
        }
        return place
    }

    /// Stops this many inputs further on, or back.
    package mutating func step(by count: Int, real: Duration) -> ReplayNotice {
        advance(real: real)
        replay.move(to: replay.position.addingSaturating(count))
        course.keep(real)
        course.isPaused = true
        course.at = replay.moment
        return place
    }

    private mutating func setPaused(_ flag: Bool, real: Duration) {
        advance(real: real)
        course.keep(real)
        course.isPaused = flag
    }

    private mutating func seek(_ target: SeekTarget, real: Duration) {
        guard let span = replay.span else { return }
        course.keep(real)
        let uptime: Duration =
            switch target {
            case .live: span.upperBound
            case .by(let distance): course.at.uptime + distance
            case .date(let date): replay.recording.uptime(atWall: date)
            }
        let bounded = min(max(uptime, span.lowerBound), span.upperBound)
        course.at = replay.recording.moment(atUptime: bounded)
        replay.move(toUptime: bounded)
    }

    /// The position as a message.
    private var place: ReplayNotice {
        let offset = course.at.uptime - (replay.span?.lowerBound ?? course.at.uptime)
        let length = replay.span.map { $0.upperBound - $0.lowerBound } ?? .zero
        let state = course.isPaused ? "paused" : next == nil ? "ended" : "playing"
        let step = "step \(replay.position) of \(replay.count)"
        let input = replay.lastInput.map { ": \($0.words)" } ?? ""
        return ReplayNotice(
            text: "\(state) at \(Self.time(offset)) of \(Self.time(length)), \(step)\(input)", isGood: true)
    }

    /// `0:01.0`
    private static func time(_ span: Duration) -> String {
        let tenths = max(0, span.inMilliseconds / 100)
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds.zeroPadded(to: 2)).\(tenths % 10)"
    }
}

extension Replay {
    fileprivate var lastInput: Input? {
        position > 0 ? recording.inputs[position - 1].input : nil
    }
}

extension Input {
    /// The kind of the input in a recording.
    package var kind: String { InputJSON.value(of: self)["kind"]?.stringValue ?? "" }

    /// Kinds whose name says little to a person.
    private static let plainWords = [
        "woke": "timer", "started": "start of the session", "stopped": "end of the session",
        "fetched": "answer to a request", "beaconAnswered": "answer to a beacon",
        "answerHandled": "time that an answer took", "cacheReported": "news of the creative cache",
        "creativesKept": "creatives in the cache", "pluginReported": "news of a plugin",
        "libraryLogged": "line of a library", "formatActed": "action in an ad space",
        "playerCommanded": "command to the player", "userActed": "action of the viewer",
    ]

    /// The kind in words: `answer to a request`, `claims written`.
    package var words: String {
        let kind = kind
        if let words = Self.plainWords[kind] { return words }
        return kind.reduce(into: "") { text, letter in
            text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }
}
