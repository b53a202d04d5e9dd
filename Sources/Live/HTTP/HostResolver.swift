import Locks
import NIOCore
import NIOPosix
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Resolves host names with the system's resolver, off the event loop, and caches answers briefly: beacons arrive in
/// bursts for few hosts. Concurrent lookups of one host share one call.
///
/// `getaddrinfo` blocks, for many seconds if a name server does not answer. So names of a stream have threads of their own: a few
/// trackers whose names cannot be resolved do not hold up the playlist.
final class HostResolver: Sendable {
    /// Whose names are resolved.
    enum Names: Hashable, Sendable {
        case ofStreams, ofOthers
    }

    /// How long an answer is reused; short, because load balancers move.
    static let lifetime: TimeAmount = .seconds(20)
    /// Maximum number of cached hosts; beyond it the whole cache is cleared.
    static let capacity = 1_024
    /// Number of threads for the names of streams.
    static let streamThreads = 4
    /// Number of threads for all other names.
    static let threads = 8

    private struct Key: Hashable {
        var host: String
        var names: Names
    }

    private struct Entry {
        var answer: EventLoopFuture<[NetworkAddress]>
        var expiry: NIODeadline
    }

    private let streamPool = NIOThreadPool(numberOfThreads: streamThreads)
    private let pool = NIOThreadPool(numberOfThreads: threads)
    private let eventLoop: any EventLoop
    private let entries = Locked<[Key: Entry]>([:])
    private let resolve: @Sendable (String) throws -> [NetworkAddress]

    /// - Parameter resolve: asks the system for the addresses of a host, and blocks meanwhile.
    init(
        eventLoop: any EventLoop,
        resolve: @escaping @Sendable (String) throws -> [NetworkAddress] = { try HostResolver.systemAddresses(of: $0) }
    ) {
        (self.eventLoop, self.resolve) = (eventLoop, resolve)
        streamPool.start()
        pool.start()
    }

    /// The addresses of `host`, which may be a literal. Throws a `HTTPFailure`, at `deadline` at the latest.
    func addresses(
        of host: String, _ names: Names, deadline: NIODeadline
    ) async throws(HTTPFailure) -> [NetworkAddress] {
        if let literal = NetworkAddress(host) { return [literal] }
        let waiting = eventLoop.makePromise(of: [NetworkAddress].self)
        lookup(Key(host: host, names: names)).cascade(to: waiting)
        let timer = eventLoop.scheduleTask(deadline: deadline) {
            waiting.fail(HTTPFailure(.resolve, "no answer from the name server"))
        }
        defer { timer.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await waiting.futureResult.get()
            } onCancel: {
                waiting.fail(HTTPFailure(.cancelled, "cancelled"))
            }
        } catch let failure as HTTPFailure {
            throw failure
        } catch {
            throw HTTPFailure(.resolve, ForeignErrorText.clause(error))
        }
    }

    /// Stores `addresses` as the answer for `host`, with the lifetime of a name server's answer.
    func remember(_ addresses: [NetworkAddress], for host: String) {
        let answer = eventLoop.makeSucceededFuture(addresses)
        let entry = Entry(answer: answer, expiry: .now() + Self.lifetime)
        entries.withLock { entries in
            for names in [Names.ofStreams, .ofOthers] { entries[Key(host: host, names: names)] = entry }
        }
    }

    func shutdown() async {
        // It fails only if it was shut down before, which is the intended state.
        try? await streamPool.shutdownGracefully()
        try? await pool.shutdownGracefully()
    }

    private func lookup(_ key: Key) -> EventLoopFuture<[NetworkAddress]> {
        entries.withLock { entries in
            let now = NIODeadline.now()
            if let entry = entries[key], entry.expiry > now { return entry.answer }
            if entries.count >= Self.capacity { entries = [:] }
            let pool = key.names == .ofStreams ? streamPool : pool
            let answer = pool.runIfActive(eventLoop: eventLoop) { [resolve] in try resolve(key.host) }
            entries[key] = Entry(answer: answer, expiry: now + Self.lifetime)
            answer.whenFailure { [weak self] _ in self?.forget(key) }
            return answer
        }
    }

    private func forget(_ key: Key) {
        entries.withLock { $0[key] = nil }
    }

    static func systemAddresses(of host: String) throws -> [NetworkAddress] {
        var hints = addrinfo.ofStreams
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { throw HTTPFailure(.resolve, explanation(of: code, system: errno)) }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var next = list
        while let entry = next {
            if let address = NetworkAddress(entry.pointee) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw HTTPFailure(.resolve, "host has no address") }
        return addresses
    }

    /// Our words for a code of `getaddrinfo` (RFC 3493 section 6.1).
    static func explanation(of code: Int32, system: Int32) -> String {
        switch code {
        case EAI_NONAME: "no such host"
        case EAI_AGAIN: "name server did not answer"
        case EAI_FAIL: "name server rejected the question"
        case EAI_MEMORY: SystemErrorText.words(ENOMEM)
        case EAI_SYSTEM: SystemErrorText.words(system)
        default: "host has no address that can be used"
        }
    }
}

extension NetworkAddress {
    /// The address in a resolver's answer; nil for families other than IPv4 and IPv6.
    fileprivate init?(_ entry: addrinfo) {
        guard let address = entry.ai_addr else { return nil }
        switch entry.ai_family {
        case AF_INET where entry.ai_addrlen >= socklen_t(MemoryLayout<sockaddr_in>.size),
            AF_INET6 where entry.ai_addrlen >= socklen_t(MemoryLayout<sockaddr_in6>.size):
            self.init(socket: address)
        default: return nil
        }
    }
}
