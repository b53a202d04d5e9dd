import Fleet

/// The primary, what it has not confirmed yet, and the standby.
struct VirtualStore {
    var model: StoreModel
    /// What the standby has.
    var standby: StoreTables
    /// States after durable transactions that the standby has not confirmed.
    var pending: [(place: Int, tables: StoreTables)] = []
    var nextPlace = 1
    /// Raised by every restart and promotion.
    var server = 1
    var downUntil = Duration.zero
    var standbyAwayUntil = Duration.zero
    var clockOffset = Duration.zero

    /// A transaction committed; its place in the log.
    mutating func wrote() -> Int {
        defer { nextPlace += 1 }
        pending.append((nextPlace, model.tables))
        return nextPlace
    }

    mutating func confirm(_ place: Int) {
        while let first = pending.first, first.place <= place {
            standby = first.tables
            pending.removeFirst()
        }
    }

    /// The server crashes: what was written later than a drawn place is lost; nothing of it was confirmed.
    mutating func restart(keeping count: Int) {
        server += 1
        pending = Array(pending.prefix(count))
        model.recover(pending.last?.tables ?? standby)
    }

    /// The standby takes over with what it confirmed.
    mutating func promote() {
        server += 1
        pending = []
        standbyAwayUntil = .zero
        model.recover(standby)
    }
}
