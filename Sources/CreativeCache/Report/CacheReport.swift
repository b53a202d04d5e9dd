package import Ports

/// The creative cache as people see it, at one moment (bidding-formats-cache 5.3).
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
    package var counters: StoreCounters
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
        counters = StoreCounters()
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
        self.counters = counters
        self.records = records
        self.count = count
        requests = traffic.requests
        hits = traffic.hits
        misses = traffic.misses
        refused = traffic.refused
        bytesServed = traffic.bytesServed
        medianMicroseconds = traffic.percentile(0.5)
        p95Microseconds = traffic.percentile(0.95)
        log = traffic.log.suffix(Self.logLength).reversed()
        self.problems = problems
    }
}
