import DemoOrigin
import Ports
import Session

/// The sessions of a server that ends them: from a moment of each burst on it refuses a session's playlist, its metadata or both, until
/// the viewer opens another one, which has another name.
///
/// The origin knows one session of a viewer. The names of those that follow are that name with a number, which is added to what the
/// origin answers and removed from what it is asked. So a beacon has the same planned URL in all of them.
struct SessionEnds: Sendable {
    /// What is refused.
    private enum Refused: CaseIterable {
        case playlist, metadata, both

        func contains(_ purpose: FetchPurpose) -> Bool {
            switch purpose {
            case .mediaPlaylist: self != .metadata
            case .metadata: self != .playlist
            default: false
            }
        }
    }

    /// The sessions of one viewer.
    private struct Opened: Sendable {
        /// The name that the origin knows.
        var name: String
        /// Number of the newest session, from 1.
        var number = 1
        /// When it was opened, relative to the start.
        var at: Duration

        /// The name of the newest session.
        var newest: String { number > 1 ? "\(name)_\(number)" : name }
    }

    private static let statuses = [400, 401, 403, 404, 410]

    private let seed: UInt64
    /// By viewer.
    private var opened: [Int: Opened] = [:]
    /// Number of sessions that replaced one that was over.
    private(set) var replaced = 0

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The session in the address that a person gives for a viewer.
    static func session(of viewer: Int, seed: UInt64) -> String { "sim\(seed)-\(viewer)" }

    /// How many sessions the viewer has opened.
    func number(of viewer: Int) -> Int { opened[viewer]?.number ?? 0 }

    /// The status of a request for a session that is over; nil if the session is not over, or this request is not refused.
    func refusal(of request: HTTPRequest, _ purpose: FetchPurpose, to viewer: Int, at time: Duration) -> Int? {
        guard let known = opened[viewer] else { return nil }
        let draw = Int((seed &+ UInt64(FaultSchedule.roundNumber(at: time))) % 15)
        let isOld = SessionNames(seed).first(in: request.url.text).map { $0 != known.newest } ?? false
        // Where the address that a person gave is also that of the metadata, the viewer cannot leave the session.
        guard isOld && FaultSchedule.isBurst(at: time) || isOver(known, at: time),
            Refused.allCases[draw % 3].contains(purpose)
        else { return nil }
        return Self.statuses[draw / 3]
    }

    /// A viewer opens a session: another one if the last one is over.
    mutating func open(for viewer: Int, at time: Duration) {
        guard let known = opened[viewer] else {
            opened[viewer] = Opened(name: Self.session(of: viewer, seed: seed), at: time)
            return
        }
        guard isOver(known, at: time) else { return }
        opened[viewer]?.number += 1
        opened[viewer]?.at = time
        replaced += 1
    }

    /// A text of a request as the origin knows it.
    func asked(_ text: [UInt8], by viewer: Int) -> [UInt8] {
        guard let known = opened[viewer] else { return text }
        return SessionNames(seed).replaced(in: text) { _ in known.name }
    }

    /// Puts the name of the viewer's newest session into an answer. Segments are not changed: they have lengths inside, and name no session.
    func rename(_ response: inout OriginResponse, to viewer: Int) {
        guard let known = opened[viewer], known.number > 1 else { return }
        func renamed(_ text: [UInt8]) -> [UInt8] {
            SessionNames(seed).replaced(in: text) { $0 == known.name ? known.newest : $0 }
        }
        for index in response.headers.indices {
            response.headers[index].value = String(
                decoding: renamed(Array(response.headers[index].value.utf8)), as: UTF8.self)
        }
        let type = response.headers.first { $0.name == .contentType }?.value ?? ""
        if !type.hasPrefix("video/") { response.body = renamed(response.body) }
    }

    private func isOver(_ known: Opened, at time: Duration) -> Bool {
        guard FaultSchedule.isBurst(at: time) else { return false }
        let round = FaultSchedule.roundNumber(at: time)
        let end =
            FaultSchedule.round * round + FaultSchedule.burst.lowerBound + .seconds(Int((seed &+ UInt64(round)) % 40))
        return known.at < end && end <= time
    }
}
