import AdTracking
package import Fleet
package import Ports
package import Session

/// What an agent hands on of a viewer's session, `adtop-handover/1`: which one it is, where it is, where the viewer was when it was given, and
/// which media dates earlier ones reached. A successor continues it where the provider can (FLT-15), or else opens a new one (FLT-13).
struct HandedSession: Equatable {
    /// Nil where nothing was handed on.
    var session: String?
    /// Nothing due at these media dates is sent.
    var reached: DateStretches
    /// Nil where it cannot be continued.
    var running: RunningSession?
    /// The media date from which a successor claims; nil while the viewer is followed.
    var leftAt: UnixTime?

    private static let schema = "adtop-handover/1"

    init(session: String? = nil, reached: DateStretches = DateStretches()) {
        self.session = session
        self.reached = reached
    }

    /// A state that cannot be read counts as none: the successor then sends less, not more.
    init(_ bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes), json["schema"]?.stringValue == Self.schema else {
            self.init()
            return
        }
        self.init(session: json["session"]?.stringValue, reached: Self.reached(json))
        running = json["running"].flatMap { try? RunningSession($0) }
        leftAt = json["leftAtUs"]?.date
    }

    /// Older agents know only the newest date, and hand on only that: up to it they send nothing.
    private static func reached(_ json: JSONValue) -> DateStretches {
        let newest = json["sendsAfterUs"]?.date
        let listed = json["reachedUs"].flatMap(DateStretches.init)
        if let listed, listed.newest == newest { return listed }
        var all = DateStretches()
        if let newest { all.add(through: newest) }
        return all
    }

    var bytes: [UInt8] {
        let json: JSONValue = [
            "schema": .string(Self.schema), "session": .optional(session),
            "sendsAfterUs": .optional(reached.newest?.microseconds),
            "reachedUs": reached.isEmpty ? .null : reached.json, "running": running?.json ?? .null,
            "leftAtUs": .optional(leftAt?.microseconds),
        ]
        return Array(json.text().utf8)
    }

    /// What the next session of the viewer hands on: the same one continues; another one sends nothing that the earlier ones reached.
    /// - Parameter claimed: the media dates that were reached in what was claimed.
    func next(_ session: String, claimed: DateStretches) -> Self {
        var next = self
        next.leftAt = nil
        guard session != self.session else { return next }
        next = Self(session: session, reached: reached)
        next.reached.add(claimed)
        return next
    }
}

extension MonitorConfiguration {
    /// The same viewer as that of another agent: its session, and its place in the stream.
    /// - Parameter now: the moment of the take, on the clock of the session.
    package mutating func take(over viewer: StoreAnswer.TakenViewer, at now: Moment) {
        let handed = HandedSession(viewer.session)
        following.running = handed.running
        let leftAt = handed.leftAt.map { Duration.microseconds($0.microseconds) }
        guard let playhead = viewer.playhead,
            let left = viewer.watchedFrom(leftAt: leftAt, isContinued: handed.running != nil)
        else { return }
        // A viewer watches at rate 1, so that the distance of the dates is the time that has passed.
        start = .resuming(UnixTime(microseconds: left.inMicroseconds), at: now.uptime - (playhead - left))
    }
}

extension JSONValue {
    fileprivate var date: UnixTime? { integerValue.map(UnixTime.init(microseconds:)) }
}
