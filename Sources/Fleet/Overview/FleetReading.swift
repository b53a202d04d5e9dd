package import Ports

/// A viewer as the store has it; nil is not known.
package struct FleetViewer: Hashable, Sendable {
    /// Beacons, each counted once, as the viewer's agent wrote them last.
    package struct Beacons: Hashable, Sendable {
        package var due: Int
        package var sent: Int
        package var acknowledged: Int
        package var failed: Int
        package var unknown: Int

        package init(due: Int = 0, sent: Int = 0, acknowledged: Int = 0, failed: Int = 0, unknown: Int = 0) {
            (self.due, self.sent, self.acknowledged) = (due, sent, acknowledged)
            (self.failed, self.unknown) = (failed, unknown)
        }

        package static func + (left: Self, right: Self) -> Self {
            Self(
                due: left.due + right.due, sent: left.sent + right.sent,
                acknowledged: left.acknowledged + right.acknowledged, failed: left.failed + right.failed,
                unknown: left.unknown + right.unknown)
        }
    }

    package var id: Int
    package var channel: String
    package var labels: [String]
    /// Empty for a viewer of any region.
    package var region: String
    /// Counts the viewers of a channel in a region, from 1.
    package var number: Int
    package var agent: String?
    package var epoch: Int
    /// `waiting` without an owner, `orphaned` with a fenced or lost one, `starting` before its first health; else the phase of its session.
    package var phase: String
    package var problem: String?
    package var beacons: Beacons?
    package var worstLate: Duration?
    /// How long ago the staler of its feeds was last read, when the health was written.
    package var pollAge: Duration?
    /// Time since the health was written.
    package var healthAge: Duration?
    /// For how long it has no agent.
    package var aloneFor: Duration?

    package init(
        id: Int, channel: String, labels: [String] = [], region: String = "", number: Int = 1, agent: String? = nil,
        epoch: Int = 1, phase: String
    ) {
        (self.id, self.channel, self.labels, self.region) = (id, channel, labels, region)
        (self.number, self.agent, self.epoch, self.phase) = (number, agent, epoch, phase)
    }

    /// The order of lists: by channel, region and number, numbers in names as numbers.
    package static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.channel != right.channel { return NaturalOrder.precedes(left.channel, right.channel) }
        if left.region != right.region { return NaturalOrder.precedes(left.region, right.region) }
        return left.number < right.number
    }

    /// Channel, number and region in one word: `ch7`, `ch7-2`, `ch7-2@eu`.
    package var name: String {
        channel + (number > 1 ? "-\(number)" : "") + (region.isEmpty ? "" : "@\(region)")
    }
}

/// A fleet with all its viewers: schema `adtop-fleet/1` (docs/fleet.md).
package struct FleetReading: Hashable, Sendable {
    package var overview: FleetOverview
    /// By channel, region and number.
    package var viewers: [FleetViewer]

    package init(overview: FleetOverview, viewers: [FleetViewer]) {
        self.overview = overview
        let lost = Dictionary(overview.lostAgents.map { ($0.name, $0.beatAge) }) { first, _ in first }
        self.viewers = viewers.map { viewer in
            guard let age = viewer.agent.flatMap({ lost[$0] }), viewer.phase != "orphaned" else { return viewer }
            var viewer = viewer
            (viewer.phase, viewer.aloneFor) = ("orphaned", age)
            return viewer
        }
    }

    /// The object of `adtop-fleet-status/1` with the viewers.
    package var json: JSONValue {
        guard case .object(var object) = overview.json else { return overview.json }
        object["schema"] = "adtop-fleet/1"
        object.append("viewers", .array(viewers.map(\.json)))
        return .object(object)
    }
}

extension FleetViewer {
    fileprivate var json: JSONValue {
        [
            "viewer": .integer(Int64(id)), "channel": .string(channel), "labels": .array(labels.map(JSONValue.string)),
            "region": .string(region), "number": .integer(Int64(number)), "agent": .optional(agent),
            "epoch": .integer(Int64(epoch)), "phase": .string(phase),
            "problem": .optional(problem.map(Redaction.text)), "due": .optional(beacons?.due),
            "sent": .optional(beacons?.sent), "acknowledged": .optional(beacons?.acknowledged),
            "failed": .optional(beacons?.failed), "unknown": .optional(beacons?.unknown),
            "worstLateMs": .optional(worstLate?.inMilliseconds), "pollAgeMs": .optional(pollAge?.inMilliseconds),
            "healthAgeMs": .optional(healthAge?.inMilliseconds),
        ]
    }
}

/// What the screen of a fleet has of it: the newest reading, and why there is no newer one.
package struct FleetView: Hashable, Sendable {
    /// Nil before the first.
    package var reading: FleetReading?
    /// When that was read, by our clock.
    package var readAt: Moment?
    /// Why the newest attempt failed; nil after one that did not.
    package var problem: StoreProblem?

    package init(reading: FleetReading? = nil, readAt: Moment? = nil, problem: StoreProblem? = nil) {
        self.reading = reading
        self.readAt = readAt
        self.problem = problem
    }
}
