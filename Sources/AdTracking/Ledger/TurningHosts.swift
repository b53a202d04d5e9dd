/// Servers of trackers that take turns: a beacon is listed at another host with each answer, and all else of its URL is as before.
/// They count as one server from then on.
struct TurningHosts: Sendable {
    /// Servers learned in one session at most.
    static let limit = 64

    /// Scheme, host and port of each server, and those of the first one that it takes turns with.
    private var first: [String: String] = [:]

    /// The server that stands for all that take turns with this one.
    func representative(of base: Substring.UTF8View) -> Substring.UTF8View {
        guard !first.isEmpty, let first = first[String(Substring(base))] else { return base }
        return first[...].utf8
    }

    /// - Returns: whether this was not known before.
    mutating func join(_ new: Substring.UTF8View, to old: Substring.UTF8View) -> Bool {
        let old = String(Substring(representative(of: old)))
        let new = String(Substring(representative(of: new)))
        guard old != new, first.count < Self.limit else { return false }
        for (name, representative) in first where representative == new { first[name] = old }
        first[new] = old
        return true
    }
}
