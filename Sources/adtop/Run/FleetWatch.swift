import Dashboard
import Fleet
import Live
import Locks
import Ports

/// A fleet that is watched: its store is read once a second on a thread of its own, because libpq waits. A store that is slow or away
/// holds nothing up: who watches keeps the last reading and learns why there is no newer one.
final class FleetWatch: WatchedTable {
    /// Time from one reading to the next.
    static let interval = Duration.seconds(1)
    /// Pause after one by how long it took, and the longest: reading a very large fleet must not keep the server busy. 30,000 viewers take
    /// it 0.2 to 0.4 s.
    private static let pausesPerReading = 3
    private static let longestPause = Duration.seconds(3)
    /// Rate and unknown claims are counted less often: that takes longer the more is claimed.
    private static let claimInterval = Duration.seconds(15)

    private struct State {
        var view = FleetView()
        var claims: FleetClaims?
        var claimsCountedAt = Duration.zero
    }

    let time: any TimeSource
    /// For pictures, which have a connection of their own.
    let address: PostgresAddress
    private let state = Locked(State())

    init(_ address: PostgresAddress, time: any TimeSource) {
        self.address = address
        self.time = time
    }

    /// What is known now.
    var view: FleetView { state.withLock { $0.view } }

    func shown() async -> DashboardEvent { .fleetShown(view) }

    func readings() -> AsyncStream<DashboardEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DashboardEvent.self, bufferingPolicy: .bufferingNewest(1))
        // Ended by the end of the stream.
        let task = Task {
            var register: FleetRegister?
            while !Task.isCancelled {
                let began = time.now().uptime
                register = await read(with: register)
                continuation.yield(.fleetRead(view))
                let ended = time.now().uptime
                let pause = min(Self.longestPause, (ended - began) * Self.pausesPerReading)
                guard (try? await time.sleep(untilUptime: max(began + Self.interval, ended + pause))) != nil
                else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Reads once.
    /// - Parameter register: nil connects.
    /// - Returns: the connection for the next time; nil where it broke.
    func read(with register: FleetRegister?) async -> FleetRegister? {
        do throws(StoreProblem) {
            let open =
                if let register { register } else { try await connected() }
            let known = state.withLock { state in
                time.now().uptime - state.claimsCountedAt < Self.claimInterval ? state.claims : nil
            }
            let reading = try await open.reading(by: time, claims: known)
            let now = time.now()
            state.withLock { state in
                state.view = FleetView(reading: reading, readAt: now)
                guard known == nil else { return }
                state.claims = FleetClaims(
                    perSecond: reading.overview.claimsPerSecond, unknownLastHour: reading.overview.unknownLastHour)
                state.claimsCountedAt = now.uptime
            }
            return open
        } catch {
            state.withLock { $0.view.problem = error }
            return nil
        }
    }

    private func connected() async throws(StoreProblem) -> FleetRegister {
        let register = FleetRegister(address, for: .read)
        try await register.open()
        return register
    }

    func opened(_ number: Int) async -> (any WatchedSession)? {
        view.reading?.viewers.first { $0.id == number }.map { PictureSession(of: $0, in: self) }
    }

    func names(beside number: Int) -> (names: [String], current: Int) { ([], 0) }
}
