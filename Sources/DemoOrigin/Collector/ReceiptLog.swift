/// The newest receipts, and how often each of their beacons was requested.
package struct ReceiptLog: Sendable {
    /// Most receipts kept by default; older ones are dropped and counted.
    package static let defaultCapacity = 100_000

    /// The requests for one beacon so far.
    struct History: Sendable, Equatable {
        /// Requests whose receipts are still kept.
        var kept = 0
        /// All requests.
        var attempts = 0
        /// At least one was answered with success or a redirect.
        var hasSucceeded = false
    }

    private var ring: Ring<Receipt>
    private var histories: [String: History] = [:]

    /// An empty log.
    package init(capacity: Int = defaultCapacity) {
        ring = Ring(capacity: capacity)
    }

    /// Most receipts kept.
    package var capacity: Int { ring.capacity }
    /// Number of receipts dropped for newer ones.
    package var dropped: Int { ring.dropped }
    /// Receipts kept and those that made room.
    package var total: Int { ring.count + ring.dropped }
    /// Receipts, oldest first.
    package var receipts: [Receipt] { ring.elements }

    /// The history of the beacon with the planned URL `target`.
    func history(of target: String) -> History { histories[target] ?? History() }

    /// Adds `receipt` and sets its attempt number and retry mark.
    mutating func append(_ receipt: Receipt) {
        var receipt = receipt
        var history = history(of: receipt.planned)
        receipt.attempt = history.attempts + 1
        receipt.isRetry = receipt.hop == 0 && history.attempts > 0 && !history.hasSucceeded
        history.attempts += 1
        history.kept += 1
        if let status = receipt.status, status < 400 { history.hasSucceeded = true }
        histories[receipt.planned] = history
        if let gone = ring.append(receipt) { forget(gone.planned) }
    }

    /// Removes all receipts and counters.
    mutating func clear() {
        self = ReceiptLog(capacity: capacity)
    }

    /// Removes one receipt from the history of a beacon. A history is kept as long as one of its receipts, which bounds
    /// the histories.
    private mutating func forget(_ target: String) {
        guard var history = histories[target] else { return }
        history.kept -= 1
        histories[target] = history.kept > 0 ? history : nil
    }
}

extension ReceiptLog {
    /// `adtop-receipts/1`: the receipts that match every given query item (`event`, `break`, `ad`, `sessid`,
    /// `scenario`).
    func document(matching query: QueryItems) -> JSONText {
        let wanted: [(String, KeyPath<Receipt, String>)] = [
            ("event", \.event), ("break", \.breakId), ("sessid", \.session), ("scenario", \.scenario), ("ad", \.adId),
        ]
        let found = receipts.filter { receipt in
            wanted.allSatisfy { name, field in query[name].map { $0 == receipt[keyPath: field] } ?? true }
        }
        return .object([
            .init("schema", .string("adtop-receipts/1")),
            .init("count", .integer(found.count)),
            .init("duplicates", .integer(found.count { $0.isDuplicate })),
            .init("retries", .integer(found.count { $0.isRetry })),
            .init("dropped", .integer(dropped)),
            .init("receipts", .array(found.map(\.json))),
        ])
    }
}
