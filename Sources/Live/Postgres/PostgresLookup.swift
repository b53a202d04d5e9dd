import Dispatch
import Foundation
import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which address of a host is used. libpq would look its name up without an end, and wait for the first address as long as for all of them.
/// Here the look-up has an end, and all addresses are tried at once.
struct PostgresLookup {
    /// What a look-up found.
    enum Answer: Hashable, Sendable {
        case addresses([String])
        case noHost
        case silence
    }

    /// What became of the attempt to reach an address.
    private enum Trial: Hashable, Sendable {
        case answers
        case fails(String)
    }

    /// Addresses of a name that are tried.
    static let largest = 8
    /// How much longer than another address one may take that is listed before it.
    static let headStart = Duration.milliseconds(100)
    /// How often it is asked whether the caller still waits.
    private static let part = DispatchTimeInterval.milliseconds(50)

    var end: ContinuousClock.Instant
    /// The addresses of a name; nil where there is no such host. It may take as long as it likes.
    var resolve: @Sendable (String) -> [String]? = Self.system
    /// Why an address is not reached; nil where it accepts a connection.
    var probe: @Sendable (PostgresHost) -> String? = { PostgresProbe.clause(for: $0, within: PostgresOpening.seconds) }

    /// Looks a name up on a thread of its own, which ends when the system does: nothing can hasten that.
    /// - Parameter isOver: whether the caller no longer waits.
    func addresses(of name: String, unless isOver: () -> Bool) -> Answer {
        let found = Locked<Answer?>(nil)
        let done = DispatchSemaphore(value: 0)
        let resolve = resolve
        Thread.detachNewThread {
            let answer = resolve(name).map(Answer.addresses) ?? Answer.noHost
            found.withLock { $0 = answer }
            done.signal()
        }
        while !isOver(), ContinuousClock.now < end {
            if let answer = found.withLock({ $0 }) { return answer }
            _ = done.wait(timeout: .now() + Self.part)
        }
        return found.withLock { $0 } ?? .silence
    }

    /// Those of several places that accept a connection, in their order; where none does, why the first one that failed did not.
    func answering(
        _ places: [PostgresHost], unless isOver: () -> Bool
    ) -> (places: [PostgresHost], clause: String?) {
        let results = Locked<[Int: Trial]>([:])
        let done = DispatchSemaphore(value: 0)
        let probe = probe
        for (index, place) in places.enumerated() {
            Thread.detachNewThread {
                let trial = probe(place).map(Trial.fails) ?? Trial.answers
                results.withLock { $0[index] = trial }
                done.signal()
            }
        }
        var limit = end
        var known: [Int: Trial] = [:]
        while !isOver(), ContinuousClock.now < limit {
            known = results.withLock { $0 }
            guard known.count < places.count else { break }
            if known.values.contains(.answers) { limit = min(limit, ContinuousClock.now + Self.headStart) }
            _ = done.wait(timeout: .now() + Self.part)
        }
        let found = places.indices.filter { known[$0] == .answers }.map { places[$0] }
        let clauses = places.indices.compactMap { index -> String? in
            if case .fails(let clause)? = known[index] { clause } else { nil }
        }
        return (found, clauses.first)
    }

    /// The system's own look-up.
    private static let system: @Sendable (String) -> [String]? = { name in
        var hints = addrinfo.ofStreams
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next, addresses.count < PostgresLookup.largest {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if code == 0, !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? nil : addresses
    }
}
