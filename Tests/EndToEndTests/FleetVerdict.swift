import DemoOrigin
import Foundation
import Live
import Ports

/// What became of the beacons of a fleet: the plan of the origin, its collector and the store together.
struct FleetVerdict: CustomStringConvertible {
    private(set) var planned = 0
    private(set) var arrived = 0
    /// Did not arrive, and its claim has no outcome or `unknown`.
    private(set) var unknown = 0
    /// Did not arrive, and was granted and not used, or surely failed.
    private(set) var expired = 0
    /// Did not arrive, and is listed as observed or skipped.
    private(set) var unsent = 0
    /// Nobody claimed it: it was due between two owners of its viewer.
    private(set) var between: [String] = []
    /// Nobody claimed it: it was due before the first claim of its session or after the last one.
    private(set) var outside = 0
    /// Sessions of which nothing was claimed.
    private(set) var silent = 0
    /// Nobody claimed it, though one owner claimed what is due before it and what is due after it.
    private(set) var lost: [String] = []
    /// Did not arrive, and the store has an answer of the tracker.
    private(set) var invented: [String] = []

    private struct Owner: Hashable {
        var viewer: Int
        var epoch: Int
    }

    /// Judges when all agents have ended.
    init(_ ground: FleetGround) async throws {
        let here = Set(ground.origin.receipts.map(\.planned))
        var states: [String: String] = [:]
        var dues: [Owner: [Int]] = [:]
        var sessions: [Owner: String] = [:]
        let claims = try await ground.ask(
            """
            SELECT viewer, epoch, \(PostgresSQL.microseconds("due_at")), coalesce(state::text, 'u') AS state, type, url
            FROM fleet.claim ORDER BY attempt
            """)
        for row in claims.rows {
            let target = PlannedTarget.of(try row.text("url"))
            states[target] = try row.text("state")
            let owner = Owner(viewer: try row.integer("viewer"), epoch: try row.integer("epoch"))
            sessions[owner] = PlannedTarget.session(of: target)
            // Whoever joins in the middle of an ad reports its impression, which does not show where playback began.
            guard try row.text("type") != "impression" else { continue }
            dues[owner, default: []].append(Int(try row.time("due_at").microseconds / 1_000))
        }
        for row in try await ground.ask("SELECT url FROM fleet.unsent").rows {
            states[PlannedTarget.of(try row.text("url"))] = states[PlannedTarget.of(try row.text("url"))] ?? "unsent"
        }
        // The starts of two documents differ by 300 ms to each side, and what one tick made due is claimed together.
        let spans = dues.compactMapValues { dues -> ClosedRange<Int>? in
            guard let first = dues.min(), let last = dues.max(), first + 800 < last - 1_000 else { return nil }
            return first + 800...last - 1_000
        }
        let all = dues.values.joined()
        guard let first = all.min(), let last = all.max() else { return }
        for session in ground.sessions {
            let own = spans.filter { sessions[$0.key] == session }.map(\.value)
            let claimed = dues.filter { sessions[$0.key] == session }.values.joined()
            let followed = claimed.min().flatMap { first in claimed.max().map { first...$0 } }
            if followed == nil { silent += 1 }
            for beacon in try await ground.origin.plan(from: first, to: last - 1_000, session: session) {
                planned += 1
                if here.contains(beacon.target) {
                    arrived += 1
                } else {
                    count(
                        beacon, states[beacon.target], isOwned: own.contains { $0.contains(beacon.atMs) },
                        isFollowed: followed?.contains(beacon.atMs) ?? false)
                }
            }
        }
    }

    private mutating func count(
        _ beacon: WatchedOrigin.Planned, _ state: String?, isOwned: Bool, isFollowed: Bool
    ) {
        switch state {
        case "u": unknown += 1
        case "f", "s": expired += 1
        case "unsent": unsent += 1
        case nil where isOwned: lost.append("\(beacon.target) due \(beacon.atMs)")
        case nil where isFollowed: between.append("\(beacon.target) due \(beacon.atMs)")
        case nil: outside += 1
        default: invented.append("\(beacon.target) is '\(state ?? "")'")
        }
    }

    var description: String {
        """
        \(planned) planned: \(arrived) arrived, \(unknown) unknown, \(expired) expired, \(unsent) unsent, \
        \(between.count) due between two owners, \(outside) before the first or after the last, \(lost.count) lost, \
        \(invented.count) invented; \(silent) sessions without a claim
        """
    }
}
