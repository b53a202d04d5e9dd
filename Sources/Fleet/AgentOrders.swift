/// What the store told an agent in its beats.
struct AgentOrders: Hashable, Sendable {
    var isDraining = false
    /// Whether the fleet sends.
    var isFiring = true
    /// Viewers to take.
    var want = 0
    /// The counter of changes of the list that this agent has seen, and the one it has heard of.
    var seenChange: Int?
    var heardChange: Int?
    /// Whether the store hinted that a beat would tell something new (FLT-14).
    var hasHint = false
    /// Viewers whose pictures are wanted, and the pictures that the store does not have yet.
    var watched: [Int] = []
    var pictures: [Int: String] = [:]
}

/// The pause after calls of one connection that failed.
struct CallPause: Hashable, Sendable {
    /// Lengths; the last one repeats.
    private static let lengths: [Duration] = [
        .milliseconds(100), .milliseconds(200), .milliseconds(500), .seconds(1), .seconds(2),
    ]

    /// Calls that failed since the last answer.
    private var failures = 0
    /// Whether the last one was a beat.
    private var isOfBeat = false
    /// Until when no call is made.
    var until = Duration.zero

    mutating func failed(_ call: StoreCall, at now: Duration) {
        until = now + Self.lengths[min(failures, Self.lengths.count - 1)]
        failures += 1
        isOfBeat = call.isBeat
    }

    /// Each new connection begins with a beat, so that its answer says nothing of another call that fails each time.
    mutating func succeeded(_ call: StoreCall) {
        if isOfBeat || !call.isBeat { failures = 0 }
    }
}

/// The ordered end of an incarnation.
struct AgentEnding: Hashable, Sendable {
    /// Nil until the end is asked for.
    var by: Duration?
    var isOver = false
}
