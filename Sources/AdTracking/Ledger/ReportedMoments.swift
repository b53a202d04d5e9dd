import Algorithms
import Ports

/// The moments that former sessions of the viewer reported, by type of event (TRK-32).
///
/// Another session has other URLs: its identifier is in them, and often in the ids. An event of the type and the time of one that was
/// reported is that one.
struct ReportedMoments: Sendable {
    /// Ordered.
    private var starts: [String: [UnixTime]] = [:]

    mutating func add(_ type: String, at start: UnixTime) {
        let place = (starts[type] ?? []).partitioningIndex { $0 > start }
        starts[type, default: []].insert(start, at: place)
    }

    func has(_ type: String, at start: UnixTime) -> Bool {
        guard let known = starts[type] else { return false }
        let first = known.partitioningIndex { $0 >= start - Ledger.sameStart }
        return first < known.count && known[first] <= start + Ledger.sameStart
    }

    mutating func forget(before horizon: UnixTime) {
        guard !starts.isEmpty else { return }
        starts = starts.mapValues { known in Array(known.drop { $0 < horizon }) }.filter { !$0.value.isEmpty }
    }
}
