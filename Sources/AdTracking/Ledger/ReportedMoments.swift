import Algorithms
import Ports

/// The moments that former sessions of the viewer reported, by type of event (TRK-32).
///
/// Another session has other URLs: its identifier is in them, and often in the ids. An event of the type and the time of one that was
/// reported is that one.
struct ReportedMoments: Sendable {
    /// Ordered.
    private var starts: [String: [UnixTime]] = [:]

    /// Adds the starts of each type, in any order.
    mutating func add(_ new: [String: [UnixTime]]) {
        for (type, times) in new { starts[type] = ((starts[type] ?? []) + times).sorted() }
    }

    func has(_ type: String, at start: UnixTime) -> Bool {
        guard let known = starts[type] else { return false }
        let first = known.partitioningIndex { $0 >= start - Ledger.sameStart }
        return first < known.count && known[first] <= start + Ledger.sameStart
    }

    /// The media has other dates from now on.
    mutating func redate(by shift: Duration) { starts = starts.mapValues { known in known.map { $0 + shift } } }

    mutating func forget(before horizon: UnixTime) {
        guard !starts.isEmpty else { return }
        starts = starts.mapValues { known in Array(known.drop { $0 < horizon }) }.filter { !$0.value.isEmpty }
    }
}
