import Fleet
import Live
import Locks
import Ports
import Session

/// A viewer of a fleet as its agent saves it while it is watched. It is read on a thread of its own.
final class PictureSession: WatchedSession {
    /// How often the agent is asked for pictures: each time for ten seconds.
    private static let askInterval = Duration.seconds(5)
    /// How often the store is read.
    private static let readInterval = Duration.seconds(1)

    private struct State {
        var picture: PictureView
        var snapshot: Snapshot?
    }

    private let viewer: FleetViewer?
    private let fleet: FleetWatch
    private let state: Locked<State>

    var time: any TimeSource { fleet.time }
    var cache: SessionCache? { nil }

    /// - Parameter viewer: nil for a session that is never shown: a dashboard always has one.
    init(of viewer: FleetViewer?, in fleet: FleetWatch) {
        self.viewer = viewer
        self.fleet = fleet
        state = Locked(State(picture: PictureView(agent: viewer?.agent)))
    }

    func snapshot() async -> Snapshot { current }

    private var current: Snapshot {
        let state = state.withLock { $0 }
        var snapshot = state.snapshot ?? .empty(at: time.now(), named: viewer?.name ?? "")
        snapshot.session.picture = state.picture
        // Without one nothing is known, and nothing is being opened here.
        if state.snapshot == nil { snapshot.session.phase = .ended }
        // A picture cannot be armed.
        snapshot.session.canArm = false
        return snapshot
    }

    func snapshots() async -> AsyncStream<Snapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(current)
        guard let viewer else { return stream }
        // Ended by the end of the stream.
        let task = Task {
            var reader = PictureReader(viewer: viewer.id, address: fleet.address)
            var asks = Duration.zero
            while !Task.isCancelled {
                let now = time.now()
                let isAsking = now.uptime >= asks
                if isAsking { asks = now.uptime + Self.askInterval }
                let result = await reader.read(asking: isAsking)
                take(result)
                continuation.yield(current)
                guard (try? await time.sleep(untilUptime: time.now().uptime + Self.readInterval)) != nil else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func take(_ result: PictureReader.Result) {
        let now = time.now()
        let owner = fleet.view.reading?.viewers.first { $0.id == viewer?.id }?.agent
        state.withLock { state in
            state.picture.agent = owner ?? state.picture.agent
            state.picture.problem = result.problem
            guard let found = result.picture else { return }
            state.picture.takenAt = now.advanced(by: .zero - found.age)
            guard let json = try? JSONReader.read(found.text),
                let snapshot = SnapshotReader.read(json, age: found.age, now: now)
            else {
                state.picture.problem = "this picture cannot be read: an agent of another version made it"
                return
            }
            state.snapshot = snapshot
        }
    }

    func submit(_ input: Input) async -> ReplayNotice? {
        ReplayNotice(text: "picture: the session is its agent's; nothing is changed from here", isGood: false)
    }

    func step(by count: Int) async -> ReplayNotice? {
        ReplayNotice(text: "step: only for recordings (adtop replay FILE)", isGood: false)
    }

    func run() async {}
    func stop() async {}
}

/// Reads the pictures of one viewer, over a connection that it makes again where it broke.
struct PictureReader {
    struct Result {
        var picture: (text: String, age: Duration)?
        var problem: String?
    }

    /// A role that may not ask sees the last picture, and so does everybody at a standby.
    static let readersWords = "the last one: only roles in adtop_operator can ask for newer ones"
    private static let standbyWords = "the last one: newer ones can be asked for at the primary only"

    let viewer: Int
    let address: PostgresAddress
    private var register: FleetRegister?
    /// Why the agent is not asked; nil while it may be.
    private var limit: String?

    init(viewer: Int, address: PostgresAddress) {
        self.viewer = viewer
        self.address = address
    }

    /// - Parameter asking: whether the agent is asked for pictures, too.
    mutating func read(asking: Bool) async -> Result {
        do throws(StoreProblem) {
            let open = try await connected()
            if asking, limit == nil { try await ask(open) }
            return Result(picture: try await open.picture(of: viewer), problem: limit)
        } catch {
            register = nil
            if case .standby = error { limit = Self.standbyWords }
            return Result(picture: nil, problem: error.sentence)
        }
    }

    private mutating func connected() async throws(StoreProblem) -> FleetRegister {
        if let register { return register }
        let new = FleetRegister(address, for: limit == Self.standbyWords ? .read : .operate)
        try await new.open()
        register = new
        return new
    }

    private mutating func ask(_ register: FleetRegister) async throws(StoreProblem) {
        do throws(StoreProblem) {
            try await register.watch(viewer)
        } catch {
            guard case .noRights = error else { throw error }
            limit = Self.readersWords
        }
    }
}
