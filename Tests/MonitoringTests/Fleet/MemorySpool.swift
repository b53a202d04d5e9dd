import Fleet
import Locks
import Monitoring
import Session

/// The disk of a spool in memory.
final class MemorySpool: SpoolDisk {
    private let state = Locked(SpooledRows())
    private let isFull = Locked(false)
    private let refused = Locked(0)

    var rows: SpooledRows { state.withLock { $0 } }
    /// How many changes were not taken.
    var refusals: Int { refused.withLock { $0 } }

    /// Whether no change is taken.
    func setFull(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

    func read() async -> SpooledRows { rows }

    func carryOut(_ change: SpoolChange) async -> String? {
        if isFull.withLock({ $0 }) {
            refused.withLock { $0 += 1 }
            return "no space left"
        }
        state.withLock { rows in
            switch change {
            case .append(let new): rows.append(new)
            case .replace(let all): rows = all
            case .clear: rows = SpooledRows()
            }
        }
        return nil
    }
}

/// A disk that answers nothing until it is released.
final class HangingSpool: SpoolDisk {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isReleased = false
    }

    private let state = Locked(State())

    var isHanging: Bool { state.withLock { !$0.waiting.isEmpty } }

    func read() async -> SpooledRows { SpooledRows() }

    func carryOut(_ change: SpoolChange) async -> String? {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiting.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        return nil
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// The lines of an agent's log.
final class NotedLines: SessionLogSink {
    private let all = Locked([String]())

    var lines: [String] { all.withLock { $0 } }

    func append(_ entry: LogEntry) { all.withLock { $0.append(entry.message) } }
}
