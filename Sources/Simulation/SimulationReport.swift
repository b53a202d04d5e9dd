import AdTracking
import DemoOrigin
package import Ports
package import Session

/// The result of a simulation: `adtop-simulation/1` (docs/simulation.md). It does not depend on the speed of the
/// computer.
package struct SimulationReport: Sendable {
    /// A violated invariant.
    package struct Violation: Sendable, Hashable {
        /// Time relative to the start.
        package var at: Duration
        package var viewer: Int
        /// Number of the viewer's process, from 0.
        package var life: Int
        package var message: String

        /// The violation as one line.
        package var text: String {
            "at \(at.inMilliseconds) ms, viewer \(viewer), process \(life): \(message)"
        }
    }

    /// The largest values seen at once.
    struct Largest: Sendable {
        var requests = 0
        var beaconsInFlight = 0
        var unwrittenClaims = 0
        var breaks = 0
        var logLines = 0
        var coming = 0

        mutating func take(_ load: StateLoad, coming: Int) {
            requests = max(requests, load.requests)
            beaconsInFlight = max(beaconsInFlight, load.beaconsInFlight)
            unwrittenClaims = max(unwrittenClaims, load.unwrittenClaims)
            breaks = max(breaks, load.breaks)
            logLines = max(logLines, load.logLines)
            self.coming = max(self.coming, coming)
        }
    }

    package internal(set) var plan: SimulationPlan
    /// Simulated time reached.
    package internal(set) var span: Duration = .zero
    /// Number of inputs applied.
    package internal(set) var steps = 0
    var requests = 0
    var faults: [Fault: Int] = [:]
    /// The faults of all metadata documents.
    var metadataFaults: Set<Fault> = []
    /// Number of metadata documents that reached sessions.
    var documents = 0
    /// Number of kills of a process.
    package internal(set) var kills = 0
    var clockSteps = 0
    var freezes = 0
    /// Number of checks of a session long after a burst of faults.
    var recoveries = 0
    /// Number of requests that the collector received.
    package internal(set) var arrivals = 0
    /// Number of beacons that the collector received, each counted once.
    package internal(set) var arrivedBeacons = 0
    /// Number of pings that their service received.
    package internal(set) var pings = 0
    var verdicts: [DueAccount.Verdict: Int] = [:]
    var reasons: [SkipReason: Int] = [:]
    var largest = Largest()
    /// The inputs of the last process of one session, if the plan requires them.
    package internal(set) var recording: Recording?
    /// Violated invariants; empty if there are none.
    package internal(set) var violations: [Violation] = []

    init(_ plan: SimulationPlan) {
        self.plan = plan
    }

    /// Adds the counters of network and viewers.
    mutating func finish(at time: Duration, _ network: SimulatedNetwork, _ viewers: [SimulatedViewer]) {
        span = time
        requests = network.counts.requests
        faults = network.counts.faults
        for fault in metadataFaults { faults[fault] = documents }
        arrivals = network.beacons.count
        arrivedBeacons = network.beacons.distinct
        pings = network.pings.count
        for viewer in viewers {
            clockSteps += viewer.clockSteps
            freezes += viewer.freezes
            if viewer.journalTrouble.count > 0 { faults[.journal, default: 0] += viewer.journalTrouble.count }
            verdicts.merge(viewer.due.verdicts) { $0 + $1 }
            reasons.merge(viewer.due.reasons) { $0 + $1 }
        }
        guard plan.isRecorded else { return }
        let viewer = viewers[violations.first?.viewer ?? 0]
        recording = Recording(configuration: viewer.viewer.configuration, inputs: viewer.viewer.inputs)
    }

    /// Schema `adtop-simulation/1`.
    package var json: JSONValue {
        [
            "schema": "adtop-simulation/1", "scenario": .string(plan.scenario.name),
            // As text, because JSON numbers do not hold unsigned 64-bit values.
            "seed": .string(String(plan.seed)), "faults": .string(plan.faults.text),
            "viewers": .integer(Int64(plan.viewers)),
            "parts": .array(SimulationPart.allCases.filter(plan.parts.contains).map { .string($0.rawValue) }),
            "spanMs": .integer(span.inMilliseconds),
            "steps": .integer(Int64(steps)), "requests": .integer(Int64(requests)),
            "faultsInjected": Self.object(Fault.allCases.map { ($0.rawValue, faults[$0] ?? 0) }),
            "kills": .integer(Int64(kills)), "clockSteps": .integer(Int64(clockSteps)),
            "freezes": .integer(Int64(freezes)),
            "recoveries": .integer(Int64(recoveries)),
            "beacons": [
                "arrived": .integer(Int64(arrivedBeacons)), "arrivals": .integer(Int64(arrivals)),
                "pings": .integer(Int64(pings)),
            ],
            "due": Self.object(DueAccount.Verdict.allCases.map { ($0.rawValue, verdicts[$0] ?? 0) }),
            "reasons": Self.object(
                reasons.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value) }),
            "largest": Self.object([
                ("requests", largest.requests), ("beaconsInFlight", largest.beaconsInFlight),
                ("unwrittenClaims", largest.unwrittenClaims), ("breaks", largest.breaks),
                ("logLines", largest.logLines), ("coming", largest.coming),
            ]),
            "violations": .array(
                violations.map {
                    [
                        "atMs": .integer($0.at.inMilliseconds), "viewer": .integer(Int64($0.viewer)),
                        "process": .integer(Int64($0.life)), "message": .string($0.message),
                    ]
                }),
        ]
    }

    private static func object(_ counts: [(String, Int)]) -> JSONValue {
        .object(JSONObject(counts.map { .init(name: $0.0, value: .integer(Int64($0.1))) }))
    }
}
