import Fleet
import ModeledStore

/// The primary, what it has not confirmed yet, and the standby.
struct VirtualStore {
    /// A primary that lives on after its standby was promoted.
    struct Former {
        var model: StoreModel
        var server: Int
        var until: Duration
    }

    var model: StoreModel
    /// What the standby has.
    var standby: StoreTables
    /// States after durable transactions that the standby has not confirmed.
    var pending: [(place: Int, tables: StoreTables)] = []
    var nextPlace = 1
    /// Raised by every restart and promotion.
    var server = 1
    var former: Former?
    var downUntil = Duration.zero
    var standbyAwayUntil = Duration.zero
    /// The standby gets what is written, and its confirmations do not arrive.
    var standbyUnheardUntil = Duration.zero
    var clockOffset = Duration.zero

    init(model: StoreModel, standby: StoreTables) {
        (self.model, self.standby) = (model, standby)
    }

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

    /// Whether that server is a former primary that lives on.
    func isFormer(_ server: Int, at now: Duration) -> Bool {
        former.map { $0.server == server && $0.until > now } ?? false
    }

    /// The server crashes: what was written later than a drawn place is lost; nothing of it was confirmed.
    mutating func restart(keeping count: Int) {
        server += 1
        pending = Array(pending.prefix(count))
        model.recover(pending.last?.tables ?? standby)
    }

    /// The standby takes over with what it confirmed.
    /// - Parameter until: until when the old primary lives on; nil if it is dead.
    mutating func promote(formerUntil until: Duration? = nil) {
        former = until.map { Former(model: model, server: server, until: $0) }
        server += 1
        pending = []
        (standbyAwayUntil, standbyUnheardUntil) = (.zero, .zero)
        model.recover(standby)
    }
}
