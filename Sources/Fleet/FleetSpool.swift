/// Outcomes, rows of what was not sent, and notes, until the store has them. It is bounded by the bytes that they take on disk: notes are
/// dropped first, then what was not sent, then outcomes, whose claims stay unknown (FLT-11). Claims are never in it.
package struct FleetSpool: Hashable, Sendable {
    /// Bytes of all that waits.
    package static let largest = 64 << 20
    /// The part of the bound that is freed at once, since the file is then written again.
    private static let freedPart = 16
    /// After so many calls that failed their notes are dropped: rows that the store never takes must not hold up those behind them.
    static let noteTries = 3

    private(set) var outcomes = WaitingRows<StoredClaim>()
    private(set) var unsent = WaitingRows<UnsentRow>()
    private(set) var notes = WaitingRows<NoteRow>()
    private let limit: Int
    /// What waits, as it is on disk.
    package private(set) var bytes = 0
    /// What was dropped because it was full.
    package private(set) var dropped = SpoolCount()
    private var onDisk = OnDisk()
    /// The same before the last change.
    private var onDiskBefore = OnDisk()
    /// Numbers of what was there at the last look: only what the store did not take meanwhile goes to the disk.
    private var seen = SpoolCount()
    private var failedNotes = FailedNotes()

    /// Numbers up to which the disk has all that waits, and the bytes that it holds.
    private struct OnDisk: Hashable {
        var ends = SpoolCount()
        var bytes = 0
    }

    /// The last call with notes that failed: the number of its first one, and how many calls that began with it did.
    private struct FailedNotes: Hashable {
        var first = 0
        var calls = 0
    }

    package init(limit: Int = largest) {
        self.limit = limit
    }

    package var isEmpty: Bool { outcomes.count == 0 && unsent.count == 0 && notes.count == 0 }
    /// Numbers of the first rows that wait: those that a call begins with.
    var starts: SpoolCount { SpoolCount(outcomes: outcomes.start, unsent: unsent.start, notes: notes.start) }
    private var ends: SpoolCount { SpoolCount(outcomes: outcomes.end, unsent: unsent.end, notes: notes.end) }

    mutating func add(_ outcome: StoredClaim) {
        let size = outcome.spoolSize
        dropNotes(for: size)
        if bytes + size > limit { while mustDrop(for: size), let row = unsent.first { dropUnsent(row) } }
        guard bytes + size <= limit else {
            dropped.outcomes += 1
            return
        }
        outcomes.append(outcome)
        bytes += size
    }

    mutating func add(_ row: UnsentRow) {
        dropNotes(for: row.spoolSize)
        guard bytes + row.spoolSize <= limit else {
            dropped.unsent += 1
            return
        }
        unsent.append(row)
        bytes += row.spoolSize
    }

    mutating func add(_ note: NoteRow) {
        guard bytes + note.spoolSize <= limit else {
            dropped.notes += 1
            return
        }
        notes.append(note)
        bytes += note.spoolSize
    }

    /// Whether more has to be dropped for a row of that size, once something has.
    private func mustDrop(for size: Int) -> Bool { bytes + max(size, limit / Self.freedPart) > limit }

    private mutating func dropNotes(for size: Int) {
        guard bytes + size > limit else { return }
        while mustDrop(for: size), let note = notes.first {
            notes.removeFirst(1)
            bytes -= note.spoolSize
            dropped.notes += 1
        }
    }

    private mutating func dropUnsent(_ row: UnsentRow) {
        unsent.removeFirst(1)
        bytes -= row.spoolSize
        dropped.unsent += 1
    }

    /// The store has so many rows that were the first ones when they were sent; some may have been dropped since.
    /// - Parameter first: the numbers of the first ones then.
    mutating func delivered(_ sent: SpoolCount, from first: SpoolCount) {
        for outcome in outcomes.remove(sent.outcomes, from: first.outcomes) { bytes -= outcome.spoolSize }
        for row in unsent.remove(sent.unsent, from: first.unsent) { bytes -= row.spoolSize }
        for note in notes.remove(sent.notes, from: first.notes) { bytes -= note.spoolSize }
    }

    /// A call with so many notes that were the first ones failed; they are sent again.
    mutating func failed(notes count: Int, from first: SpoolCount) {
        let calls = failedNotes.first == first.notes ? failedNotes.calls : 0
        failedNotes = FailedNotes(first: first.notes, calls: calls + 1)
        if failedNotes.calls >= Self.noteTries { delivered(SpoolCount(notes: count), from: first) }
    }

    /// What an earlier process of the place left on disk.
    mutating func restore(_ rows: SpooledRows) {
        for outcome in rows.outcomes { add(outcome) }
        for row in rows.unsent { add(row) }
        for note in rows.notes { add(note) }
        (onDisk, seen) = (OnDisk(ends: ends, bytes: bytes), ends)
    }

    /// What the disk should have and has not; nil for nothing. What the store takes at once never gets there.
    /// - Parameter isLast: whether nothing is looked at afterwards.
    mutating func nextChange(isLast: Bool = false) -> SpoolChange? {
        let until = isLast ? ends : seen
        seen = ends
        guard !isEmpty else {
            onDiskBefore = onDisk
            onDisk = OnDisk(ends: ends)
            return onDiskBefore.bytes > 0 ? .clear : nil
        }
        let new = rows(from: onDisk.ends, to: until)
        guard !new.isEmpty else { return nil }
        onDiskBefore = onDisk
        onDisk.ends = SpoolCount(
            outcomes: max(onDisk.ends.outcomes, until.outcomes), unsent: max(onDisk.ends.unsent, until.unsent),
            notes: max(onDisk.ends.notes, until.notes))
        guard onDisk.bytes + new.size > limit else {
            onDisk.bytes += new.size
            return .append(new)
        }
        // What was delivered since makes room.
        let all = rows(from: SpoolCount(), to: onDisk.ends)
        onDisk.bytes = all.size
        return .replace(all)
    }

    /// The disk did not take the last change: it has what it had before.
    mutating func wasNotKept() { onDisk = onDiskBefore }

    private func rows(from: SpoolCount, to: SpoolCount) -> SpooledRows {
        SpooledRows(
            outcomes: outcomes.rows(from: from.outcomes, to: to.outcomes),
            unsent: unsent.rows(from: from.unsent, to: to.unsent), notes: notes.rows(from: from.notes, to: to.notes))
    }
}

/// Numbers of outcomes, of what was not sent, and of notes.
package struct SpoolCount: Hashable, Sendable {
    package var outcomes: Int
    package var unsent: Int
    package var notes: Int

    package init(outcomes: Int = 0, unsent: Int = 0, notes: Int = 0) {
        (self.outcomes, self.unsent, self.notes) = (outcomes, unsent, notes)
    }
}

/// Rows of a spool.
package struct SpooledRows: Hashable, Sendable {
    package var outcomes: [StoredClaim]
    package var unsent: [UnsentRow]
    package var notes: [NoteRow]

    package init(outcomes: [StoredClaim] = [], unsent: [UnsentRow] = [], notes: [NoteRow] = []) {
        (self.outcomes, self.unsent, self.notes) = (outcomes, unsent, notes)
    }

    package var isEmpty: Bool { outcomes.isEmpty && unsent.isEmpty && notes.isEmpty }
    var size: Int {
        outcomes.reduce(0) { $0 + $1.spoolSize } + unsent.reduce(0) { $0 + $1.spoolSize }
            + notes.reduce(0) { $0 + $1.spoolSize }
    }

    /// Adds rows behind those of each kind.
    package mutating func append(_ new: SpooledRows) {
        outcomes += new.outcomes
        unsent += new.unsent
        notes += new.notes
    }
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
    /// Number of the first one that waits, or of the next one to come.
    private(set) var start = 0

    var count: Int { rows.count - head }
    /// Number of the next one to come.
    var end: Int { start + count }
    var first: Row? { count > 0 ? rows[head] : nil }

    mutating func append(_ row: Row) { rows.append(row) }

    func prefix(_ count: Int) -> [Row] { Array(rows[head...].prefix(count)) }

    /// Those that still wait, by their numbers.
    func rows(from first: Int, to end: Int) -> [Row] {
        let range = max(first, start)..<max(first, start, min(end, self.end))
        return Array(rows[(head + range.lowerBound - start)..<(head + range.upperBound - start)])
    }

    mutating func removeFirst(_ count: Int) {
        let count = min(count, self.count)
        (head, start) = (head + count, start + count)
        guard head > rows.count / 2 else { return }
        rows.removeSubrange(..<head)
        head = 0
    }

    /// Removes so many rows from a number on, before which none waits; some of them may have been dropped.
    /// - Returns: those that are removed.
    mutating func remove(_ count: Int, from first: Int) -> [Row] {
        let removed = rows(from: first, to: first + count)
        removeFirst(removed.count)
        return removed
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
        return texts.reduce(400) { $0 + $1.largestJSON }
    }
}

extension NoteRow {
    /// Most bytes that it takes on disk.
    var spoolSize: Int { [kind, level ?? "", rule ?? "", words].reduce(200) { $0 + $1.largestJSON } }
}

extension String {
    /// Most bytes of the text in JSON: control characters are six, others outside of ASCII three for each byte.
    fileprivate var largestJSON: Int {
        utf8.reduce(0) { $0 + ($1 < 0x20 || $1 == 0x7F ? 6 : $1 > 0x7F ? 3 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}
