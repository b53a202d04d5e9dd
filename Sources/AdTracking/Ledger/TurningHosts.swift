/// Servers of trackers that take turns: a beacon is listed at another host with each answer, and all else of its URL is as before.
/// They count as one server from then on.
struct TurningHosts: Sendable {
    /// Servers learned in one session at most.
    static let limit = 64

    /// Scheme, host and port of each server, and those of the first one that it takes turns with.
    private var first: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]

    /// The server that stands for all that take turns with this one.
    func representative(of base: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        first.isEmpty ? base : first[base] ?? base
    }

    /// - Returns: whether this was not known before.
    mutating func join(_ new: ArraySlice<UInt8>, to old: ArraySlice<UInt8>) -> Bool {
        // Copies, because a slice holds the whole URL.
        let (old, new) = (Array(representative(of: old))[...], Array(representative(of: new))[...])
        guard old != new, first.count < Self.limit else { return false }
        for (name, representative) in first where representative == new { first[name] = old }
        first[new] = old
        return true
    }
}
