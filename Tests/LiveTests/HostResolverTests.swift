import Foundation
import Locks
import NIOCore
import NIOPosix
import Ports
import TestSupport
import Testing

@testable import Live

@Suite struct HostResolverTests {
    /// Name servers of trackers that do not answer hold up no playlist.
    @Test func namesOfStreamsWaitForNoOthers() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let found = [NetworkAddress.v4(0xC000_0201)]
        let (gate, blocked, changes) = (DispatchSemaphore(value: 0), Locked(0), Changes())
        let resolver = HostResolver(eventLoop: group.next()) { host in
            guard host.hasPrefix("silent") else { return found }
            blocked.withLock { $0 += 1 }
            changes.announce()
            gate.wait()
            return found
        }
        let deadline = NIODeadline.now() + .seconds(60)
        let lookups = (0..<HostResolver.threads).map { number in
            Task { try await resolver.addresses(of: "silent\(number).example", .ofOthers, deadline: deadline) }
        }
        try await TestSupport.wait(for: "a lookup on each thread", on: changes.stream()) {
            blocked.withLock { $0 } == HostResolver.threads
        }
        let name = try await resolver.addresses(of: "media.example", .ofStreams, deadline: deadline)
        #expect(name == found)
        for _ in lookups { gate.signal() }
        for lookup in lookups { #expect(try await lookup.value == found) }
        await resolver.shutdown()
        try await group.shutdownGracefully()
    }
}
