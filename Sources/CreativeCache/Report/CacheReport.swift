package import Ports

/// The creative cache as people see it, at one moment (CACHE-14).
package struct CacheReport: Hashable, Sendable {
    /// Creatives listed; the count says how many there are.
    package static let maximumRecords = 500

    /// Where the loopback server listens.
    package struct Address: Hashable, Sendable {
        package var port: Int
        package var isSecure: Bool
        /// End of the certificate; nil without TLS.
        package var certificateEnd: UnixTime?

        package init(port: Int, isSecure: Bool, certificateEnd: UnixTime? = nil) {
            self.port = port
            self.isSecure = isSecure
            self.certificateEnd = certificateEnd
        }
    }

    /// Nil while nobody listens.
    package var address: Address?
    package var memoryBytes: Int
    package var memoryLimit: Int
    package var diskBytes: Int
    /// Nil for a cache that lives in memory only.
    package var diskLimit: Int?
    /// Valid creatives that left for others.
    package var evicted: Int
    package var expired: Int
    /// The newest first.
    package var records: [CreativeRecord]
    package var count: Int
    package var requests: Int
    package var hits: Int
    package var misses: Int
    package var refused: Int
    package var bytesServed: Int
    /// Microseconds; nil before the first request.
    package var medianMicroseconds: Int64?
    package var p95Microseconds: Int64?
    /// The newest first, a few.
    package var log: [AccessRecord]
    /// What went wrong on disk, a sentence each.
    package var problems: [String]

    /// Requests listed.
    package static let logLength = 8

    /// Nothing but the sizes.
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
        // What is recorded has whole milliseconds; so has what is seen live.
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
