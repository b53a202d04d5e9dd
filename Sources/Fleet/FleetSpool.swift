/// Outcomes, and rows of what was not sent, until the store has them. It is bounded by the bytes that they take on disk: what was not sent
/// is dropped first, then outcomes, whose claims stay unknown (FLT-11). Claims are never in it.
package struct FleetSpool: Hashable, Sendable {
    /// Bytes of all that waits.
    package static let largest = 64 << 20

    private(set) var outcomes = WaitingRows<StoredClaim>()
    private(set) var unsent = WaitingRows<UnsentRow>()
    private let limit: Int
    /// What waits, as it is on disk.
    package private(set) var bytes = 0
    /// What was dropped because it was full.
    package private(set) var dropped = SpoolCount()
    /// Numbers up to which the disk has all that waits, and the bytes that it holds.
    private var kept = SpoolCount()
    private var keptBytes = 0
    /// Numbers of what was there at the last look: only what the store did not take meanwhile goes to the disk.
    private var seen = SpoolCount()

    package init(limit: Int = largest) {
        self.limit = limit
    }

    package var isEmpty: Bool { outcomes.count == 0 && unsent.count == 0 }
    private var ends: SpoolCount { SpoolCount(outcomes: outcomes.end, unsent: unsent.end) }

    mutating func add(_ outcome: StoredClaim) {
        let size = outcome.spoolSize
        while bytes + size > limit, let row = unsent.first { dropUnsent(row) }
        guard bytes + size <= limit else {
            dropped.outcomes += 1
            return
        }
        outcomes.append(outcome)
        bytes += size
    }

    mutating func add(_ row: UnsentRow) {
        guard bytes + row.spoolSize <= limit else {
            dropped.unsent += 1
            return
        }
        unsent.append(row)
        bytes += row.spoolSize
    }

    private mutating func dropUnsent(_ row: UnsentRow) {
        unsent.removeFirst(1)
        bytes -= row.spoolSize
        dropped.unsent += 1
    }

    /// The store has the first outcomes.
    mutating func delivered(outcomes count: Int) {
        for outcome in outcomes.prefix(count) { bytes -= outcome.spoolSize }
        outcomes.removeFirst(count)
    }

    /// The store has rows that were the first ones when they were sent; some may have been dropped since.
    mutating func delivered(unsent sent: [UnsentRow]) {
        guard let first = unsent.first, let place = sent.firstIndex(of: first) else { return }
        for row in sent[place...] { bytes -= row.spoolSize }
        unsent.removeFirst(sent.count - place)
    }

    /// What an earlier process of the place left on disk.
    mutating func restore(_ rows: SpooledRows) {
        for outcome in rows.outcomes { add(outcome) }
        for row in rows.unsent { add(row) }
        (kept, seen, keptBytes) = (ends, ends, bytes)
    }

    /// What the disk should have and has not; nil for nothing. What the store takes at once never gets there.
    /// - Parameter isLast: whether nothing is looked at afterwards.
    mutating func nextChange(isLast: Bool = false) -> SpoolChange? {
        let until = isLast ? ends : seen
        seen = ends
        guard !isEmpty else {
            defer { (kept, keptBytes) = (ends, 0) }
            return keptBytes > 0 ? .clear : nil
        }
        let new = rows(from: kept, to: until)
        guard !new.isEmpty else { return nil }
        kept = SpoolCount(
            outcomes: max(kept.outcomes, until.outcomes), unsent: max(kept.unsent, until.unsent))
        guard keptBytes + new.size > limit else {
            keptBytes += new.size
            return .append(new)
        }
        // What was delivered since makes room.
        let all = rows(from: SpoolCount(), to: kept)
        keptBytes = all.size
        return .replace(all)
    }

    private func rows(from: SpoolCount, to: SpoolCount) -> SpooledRows {
        SpooledRows(
            outcomes: outcomes.rows(from: from.outcomes, to: to.outcomes),
            unsent: unsent.rows(from: from.unsent, to: to.unsent))
    }
}

/// Numbers of outcomes and of what was not sent.
package struct SpoolCount: Hashable, Sendable {
    package var outcomes: Int
    package var unsent: Int

    package init(outcomes: Int = 0, unsent: Int = 0) {
        (self.outcomes, self.unsent) = (outcomes, unsent)
    }
}

/// Rows of a spool.
package struct SpooledRows: Hashable, Sendable {
    package var outcomes: [StoredClaim]
    package var unsent: [UnsentRow]

    package init(outcomes: [StoredClaim] = [], unsent: [UnsentRow] = []) {
        (self.outcomes, self.unsent) = (outcomes, unsent)
    }

    package var isEmpty: Bool { outcomes.isEmpty && unsent.isEmpty }
    var size: Int { outcomes.reduce(0) { $0 + $1.spoolSize } + unsent.reduce(0) { $0 + $1.spoolSize } }
}

/// What to do with the file of a spool.
package enum SpoolChange: Hashable, Sendable {
    case append(SpooledRows)
    /// These rows and no others.
    case replace(SpooledRows)
    case clear
}

/// Rows in the order in which they came, numbered from the beginning.
struct WaitingRows<Row: Hashable & Sendable>: Hashable, Sendable {
    private var rows: [Row] = []
    /// Place of the first one that waits; those before it are removed from time to time.
    private var head = 0
    /// Number of the first one that waits.
    private var number = 0

    var count: Int { rows.count - head }
    /// Number of the next one to come.
    var end: Int { number + count }
    var first: Row? { count > 0 ? rows[head] : nil }

    mutating func append(_ row: Row) { rows.append(row) }

    func prefix(_ count: Int) -> [Row] { Array(rows[head...].prefix(count)) }

    /// Those that still wait, by their numbers.
    func rows(from start: Int, to end: Int) -> [Row] {
        let range = max(start, number)..<max(start, number, min(end, self.end))
        return Array(rows[(head + range.lowerBound - number)..<(head + range.upperBound - number)])
    }

    mutating func removeFirst(_ count: Int) {
        let count = min(count, self.count)
        (head, number) = (head + count, number + count)
        guard head > rows.count / 2 else { return }
        rows.removeSubrange(..<head)
        head = 0
    }
}

extension StoredClaim {
    /// Most bytes that its outcome takes on disk: numbers and a hash.
    var spoolSize: Int { 320 }
}

extension UnsentRow {
    /// Most bytes that it takes on disk.
    var spoolSize: Int {
        let texts = [
            beacon.type, beacon.url, beacon.host, reason ?? "", beacon.ad?.breakName ?? "", beacon.ad?.name ?? "",
        ]
        return texts.reduce(400) { $0 + Self.jsonSize($1) }
    }

    /// Most bytes of a text in JSON: control characters are six, others outside of ASCII three for each byte.
    private static func jsonSize(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 || $1 == 0x7F ? 6 : $1 > 0x7F ? 3 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}
