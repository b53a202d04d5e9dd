import Fleet

/// What a process has used.
package struct ProcessUsage: Hashable, Sendable {
    /// Processor time of all its threads since it began.
    package var processorTime: Duration
    package var residentBytes: Int64

    package init(processorTime: Duration, residentBytes: Int64) {
        self.processorTime = processorTime
        self.residentBytes = residentBytes
    }
}

/// Cores in use, from two readings of a process.
struct UsageMeter {
    private var last: (usage: ProcessUsage, at: Duration)?
    private(set) var cores: Double?
    private(set) var residentBytes: Int64?

    /// - Parameter usage: nil where the system does not tell.
    mutating func read(_ usage: ProcessUsage?, at now: Duration) {
        if let usage, let last, now > last.at {
            cores = max(.zero, usage.processorTime - last.usage.processorTime) / (now - last.at)
        }
        residentBytes = usage?.residentBytes
        last = usage.map { ($0, now) }
    }
}

/// What an agent measures of itself, for its beats.
struct LoadMeter {
    var waits = ClaimWaits()
    private var usage = UsageMeter()
    private let readUsage: @Sendable () -> ProcessUsage?

    init(_ readUsage: @escaping @Sendable () -> ProcessUsage?) {
        self.readUsage = readUsage
    }

    /// Reads what the process has used.
    mutating func read(at now: Duration) { usage.read(readUsage(), at: now) }

    func measured(_ load: AgentLoad, at now: Duration) -> AgentLoad {
        var load = load
        load.usage = AgentUsage(
            cores: usage.cores, residentBytes: usage.residentBytes, claimP99: waits.p99(at: now))
        return load
    }
}
