package import Ports

/// The state of the creative cache at one moment, for display (CACHE-14).
package struct CacheReport: Hashable, Sendable {
    /// Most creatives listed; the count states how many there are.
    package static let maximumRecords = 500

    /// The address of the loopback server.
    package struct Address: Hashable, Sendable {
        package var port: Int
        package var isSecure: Bool
        /// Expiry of the certificate; nil without TLS.
        package var certificateEnd: UnixTime?

        package init(port: Int, isSecure: Bool, certificateEnd: UnixTime? = nil) {
            self.port = port
            self.isSecure = isSecure
            self.certificateEnd = certificateEnd
        }
    }

    /// Nil while the server does not listen.
    package var address: Address?
    package var memoryBytes: Int
    package var memoryLimit: Int
    package var diskBytes: Int
    /// Nil for a memory-only cache.
    package var diskLimit: Int?
    /// Number of valid creatives evicted to make room.
    package var evicted: Int
    package var expired: Int
    /// The creatives, newest first.
    package var records: [CreativeRecord]
    package var count: Int
    package var requests: Int
    package var hits: Int
    package var misses: Int
    package var refused: Int
    package var bytesServed: Int
    /// Median duration in microseconds; nil before the first request.
    package var medianMicroseconds: Int64?
    package var p95Microseconds: Int64?
    /// The latest requests, newest first.
    package var log: [AccessRecord]
    /// Disk problems, one sentence each.
    package var problems: [String]

    /// Most requests listed.
    package static let logLength = 8

    /// A report that contains only the sizes.
    package init(memoryBytes: Int, memoryLimit: Int, count: Int) {
        self.memoryBytes = memoryBytes
        self.memoryLimit = memoryLimit
        self.count = count
        diskBytes = 0
        (evicted, expired) = (0, 0)
        records = []
        (requests, hits, misses, refused, bytesServed) = (0, 0, 0, 0, 0)
        log = []
        problems = []
    }

    package init(
        address: Address?, limits: StoreLimits, memoryBytes: Int, diskBytes: Int, counters: StoreCounters,
        records: [CreativeRecord], count: Int, traffic: TrafficRecord, problems: [String]
    ) {
        self.address = address
        self.memoryBytes = memoryBytes
        memoryLimit = limits.memoryBytes
        self.diskBytes = diskBytes
        diskLimit = limits.diskBytes
        evicted = counters.evicted
        expired = counters.expired
        // Times are rounded to whole milliseconds, as in recordings, so that live views and replays agree.
        self.records = records.map(\.inMilliseconds)
        self.count = count
        requests = traffic.requests
        hits = traffic.hits
        misses = traffic.misses
        refused = traffic.refused
        bytesServed = traffic.bytesServed
        medianMicroseconds = traffic.percentile(0.5)
        p95Microseconds = traffic.percentile(0.95)
        log = traffic.log.suffix(Self.logLength).reversed().map(\.inMilliseconds)
        self.problems = problems
    }
}

extension UnixTime {
    fileprivate var inMilliseconds: UnixTime { UnixTime(milliseconds: milliseconds) }
}

extension CreativeRecord {
    fileprivate var inMilliseconds: CreativeRecord {
        var record = self
        record.storedAt = storedAt.inMilliseconds
        record.expiresAt = expiresAt.inMilliseconds
        record.lastUsed = lastUsed.inMilliseconds
        return record
    }
}

extension AccessRecord {
    fileprivate var inMilliseconds: AccessRecord {
        var record = self
        record.at = at.inMilliseconds
        return record
    }
}
