package import Ports

/// A ping: the request by which a player reports its position. The server sends impressions because of it, so it is a beacon
/// (PRV-43).
package struct UplynkPing: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        case start
        /// The playhead passed the position that the last answer named.
        case position
        /// The viewer jumped from that second.
        case seek(from: ExactDecimal)

        /// For people.
        package var word: String {
            switch self {
            case .start: "start"
            case .position: "position"
            case .seek: "seek"
            }
        }
    }

    package let cause: Cause
    /// Second of the player's timeline.
    package let position: ExactDecimal

    /// Names and values of its query, in order. Positions are whole seconds, rounded down.
    package var query: [(name: String, value: String)] {
        let position = (name: "pt", value: String(position.truncated))
        switch cause {
        case .start: return [("v", "3"), ("ev", "start"), position]
        case .position: return [("v", "3"), position]
        case .seek(let from): return [("v", "3"), ("ev", "seek"), position, ("ft", String(from.truncated))]
        }
    }
}

/// When pings are due (PRV-43): one at the start and after each seek, and one when the playhead has passed the position that the
/// last answer named. The value of a session that did not ask for pings has none.
package struct UplynkPings: Hashable, Sendable {
    /// Shortest distance in seconds from one ping to the next, whatever the server names.
    package static let shortestDistance = ExactDecimal(1)
    /// Longest distance in seconds behind a ping without an answer, and the distance while the server has named none.
    package static let usualDistance = ExactDecimal(10)

    /// What a server may write where there is no error.
    private static let noErrors: [JSONValue] = [.null, false, 0, ""]

    /// What is waited for.
    package enum Next: Hashable, Sendable {
        /// The start, an answer, or a seek.
        case event
        /// The playhead beyond that second.
        case position(ExactDecimal)
        /// Nothing: the server has ended the pings, or there are none.
        case never
    }

    package private(set) var next: Next
    private var hasStarted = false
    /// Whether the newest ping was not sent, and whether the server does not know of the start.
    private var (isWithheld, lacksStart) = (false, false)
    /// Number of the newest ping; an answer to an older one is out of date.
    package private(set) var newest = 0
    private var isInFlight = false
    /// Second of the newest ping.
    private var position = ExactDecimal.zero
    /// Seconds from a ping to the position that its answer named.
    private var distance = Self.usualDistance

    package init(areWanted: Bool) {
        next = areWanted ? .event : .never
    }

    package mutating func started(at position: ExactDecimal) -> UplynkPing? {
        guard next != .never, !hasStarted else { return nil }
        (hasStarted, lacksStart) = (true, true)
        return ping(.start, at: position)
    }

    package mutating func moved(to position: ExactDecimal) -> UplynkPing? {
        guard case .position(let due) = next, !isInFlight, position > due else { return nil }
        return ping(.position, at: position)
    }

    package mutating func sought(from: ExactDecimal, to position: ExactDecimal) -> UplynkPing? {
        guard next != .never, hasStarted else { return nil }
        return ping(.seek(from: from), at: position)
    }

    private mutating func ping(_ cause: UplynkPing.Cause, at position: ExactDecimal) -> UplynkPing {
        (next, isInFlight, isWithheld) = (.event, true, false)
        self.position = position
        newest += 1
        return UplynkPing(cause: cause, position: position)
    }

    /// The answer to the ping of that number.
    /// - Returns: a finding when it ends the pings.
    package mutating func answered(_ body: JSONValue, ping number: Int) -> Finding? {
        guard isInFlight, number == newest else { return nil }
        (isInFlight, lacksStart) = (false, false)
        if let error = body["error"], !Self.noErrors.contains(error) {
            return end("the server ended the pings with an error: \(error.stringValue ?? error.text())")
        }
        guard let position = ListedTime.seconds(body["next_time"]), position.isPositive else {
            return end("the server ended the pings: it names no next position")
        }
        distance = max(position.minus(self.position), Self.shortestDistance)
        next = .position(self.position.plus(distance))
        return nil
    }

    /// The newest ping had no answer. It may have counted, so it is not repeated: the next one is due as far behind it as the last
    /// answer named, or sooner.
    package mutating func failed(ping number: Int) {
        guard isInFlight, number == newest else { return }
        (isInFlight, lacksStart) = (false, false)
        next = .position(position.plus(min(distance, Self.usualDistance)))
    }

    /// The newest ping was not sent, so the server knows no position: the next one is due when pings may leave again, or at a seek.
    package mutating func withheld(ping number: Int) {
        guard isInFlight, number == newest else { return }
        (isInFlight, isWithheld) = (false, true)
    }

    /// Pings may leave again: that of the start if the server does not know of it, else one with the position of now.
    package mutating func resumed() {
        guard isWithheld, next != .never else { return }
        isWithheld = false
        if lacksStart { hasStarted = false } else { next = .position(position) }
    }

    // MARK: Sessions that another process follows

    /// The state for another process.
    var memory: JSONValue {
        let due: ExactDecimal? = if case .position(let second) = next { second } else { nil }
        return [
            "hasStarted": .bool(hasStarted), "lacksStart": .bool(lacksStart), "isWithheld": .bool(isWithheld),
            "hasEnded": .bool(next == .never), "position": .string(position.text), "distance": .string(distance.text),
            "next": .optional(due?.text),
        ]
    }

    /// Takes the state of another process. What that one had not been answered counts as a ping without an answer.
    mutating func recall(_ memory: JSONValue) {
        guard next != .never, memory["hasStarted"] == true else { return }
        guard memory["hasEnded"] != true else { return next = .never }
        (hasStarted, lacksStart) = (true, memory["lacksStart"] == true)
        position = memory["position"]?.exactText ?? .zero
        distance = max(memory["distance"]?.exactText ?? Self.usualDistance, Self.shortestDistance)
        if memory["isWithheld"] == true {
            isWithheld = true
            resumed()
        } else {
            lacksStart = false
            next = .position(memory["next"]?.exactText ?? position.plus(min(distance, Self.usualDistance)))
        }
    }

    /// Another process sent a ping of this session from that second: it may have counted, and its answer is not known.
    mutating func sent(at second: ExactDecimal) {
        guard next != .never, !isInFlight, !hasStarted || second > position else { return }
        (hasStarted, lacksStart, isWithheld) = (true, false, false)
        position = second
        next = .position(second.plus(min(distance, Self.usualDistance)))
    }

    private mutating func end(_ message: String) -> Finding {
        next = .never
        return ProviderRule.pingsEnded.finding(message, path: "")
    }
}
