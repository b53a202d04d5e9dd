import AsyncHTTPClient
import Locks
import NIOCore
import Ports

/// The client of each route, with its connections. A route has a client of its own because the client opens connections
/// without knowing for which request.
final class RouteClients: Sendable {
    /// Most clients that are kept; beyond it the one that was used least recently is closed.
    static let limit = 256
    /// How long an address that could not be reached comes after others.
    static let avoidance: TimeAmount = .seconds(20)

    /// What a client is for.
    struct Use: Hashable {
        var route: Route
        var connections: ConnectionUse
    }

    private struct Entry {
        var client: HTTPClient
        var running: Int
        var lastUse: NIODeadline
    }

    private struct State {
        var entries: [Use: Entry] = [:]
        /// When the route could not be opened.
        var failures: [Route: NIODeadline] = [:]
        /// Whether no client is made any more.
        var isEnded = false
    }

    private let state = Locked(State())
    private let make: @Sendable (Use) -> HTTPClient

    init(make: @escaping @Sendable (Use) -> HTTPClient) {
        self.make = make
    }

    /// Number of clients.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs a request with the client of the use; nil after the end.
    func with<Value: Sendable>(_ use: Use, _ body: (HTTPClient) async -> Value) async -> Value? {
        guard let (client, idle) = take(use) else { return nil }
        // It fails only if it was shut down before, which is the intended state.
        try? await idle?.shutdown()
        let value = await body(client)
        state.withLock { $0.entries[use]?.running -= 1 }
        return value
    }

    /// The routes with those that failed a moment ago at the end.
    func ordered(_ routes: [Route]) -> [Route] {
        guard routes.count > 1 else { return routes }
        let now = NIODeadline.now()
        let failed = state.withLock { state in routes.filter { (state.failures[$0] ?? now) > now } }
        return routes.filter { !failed.contains($0) } + failed
    }

    func noteFailure(of route: Route) {
        state.withLock { state in
            if state.failures.count >= Self.limit { state.failures = [:] }
            state.failures[route] = .now() + Self.avoidance
        }
    }

    /// Gives all clients to the caller, who closes them. None is made from then on.
    func end() -> [HTTPClient] {
        state.withLock { state in
            defer { (state.entries, state.isEnded) = ([:], true) }
            return state.entries.values.map(\.client)
        }
    }

    /// The client of the use, and one to close.
    private func take(_ use: Use) -> (client: HTTPClient, idle: HTTPClient?)? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            if var entry = state.entries[use] {
                entry.running += 1
                entry.lastUse = .now()
                state.entries[use] = entry
                return (entry.client, nil)
            }
            var idle: HTTPClient?
            if state.entries.count >= Self.limit {
                let oldest = state.entries.filter { $0.value.running == 0 }.min { $0.value.lastUse < $1.value.lastUse }
                if let oldest { idle = state.entries.removeValue(forKey: oldest.key)?.client }
            }
            let client = make(use)
            state.entries[use] = Entry(client: client, running: 1, lastUse: .now())
            return (client, idle)
        }
    }
}
