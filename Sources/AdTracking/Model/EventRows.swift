import Algorithms

/// A row that an ``EventRows`` can keep as bytes.
protocol PackedRow: Sendable {
    /// What the rows of an ad have in common: it is kept once for all of them.
    associatedtype Common: Sendable

    /// Nil for a row that stays as it is.
    var common: Common? { get }
    /// Whether what a row has in common with others is that.
    func shares(_ common: Common) -> Bool
    func write(to writer: inout PackedWriter, _ common: Common)
    /// The row of an event that wrote what the reader is at.
    init(_ reader: inout PackedReader, of event: EventID, _ common: Common)
}

/// A row for each event. Those of ads that are past can be packed: they are then kept as bytes, and read from them when they are asked for,
/// so that only what is looked at takes time. A row that changes is an open one again, and so are those that were packed with it.
struct EventRows<Row: PackedRow>: Sequence, Sendable {
    /// The rows that are not packed.
    private(set) var open = EventTable<Row>()
    /// By their first events; no two have an event in common.
    private var past: [PackedRows<Row>] = []
    private var pastCount = 0

    var count: Int { open.count + pastCount }

    /// First those that are packed, in the order of their events.
    func makeIterator() -> some IteratorProtocol<(key: EventID, value: Row)> {
        chain(past.lazy.flatMap(\.rows), open).makeIterator()
    }

    /// In the same order.
    var values: [Row] { map(\.value) }

    func contains(_ event: EventID) -> Bool { run(of: event) != nil || open.contains(event) }

    subscript(event: EventID) -> Row? {
        get { open[event] ?? run(of: event).flatMap { past[$0][event] } }
        set {
            unpack(event)
            open[event] = newValue
        }
    }

    /// - Returns: the former value; nil where the event had none.
    mutating func updateValue(_ value: Row, forKey event: EventID) -> Row? {
        unpack(event)
        return open.updateValue(value, forKey: event)
    }

    /// Changes a row where it is, without a copy of it.
    /// - Returns: nil where the event has no row.
    mutating func change<Result>(_ event: EventID, _ body: (inout Row) -> Result) -> Result? {
        unpack(event)
        return open.change(event, body)
    }

    mutating func removeValue(forKey event: EventID) -> Row? {
        unpack(event)
        return open.removeValue(forKey: event)
    }

    /// As ``EventTable/reserve(_:)`` does.
    mutating func reserve(_ more: Int) { open.reserve(more) }
}

extension EventRows {
    /// Packs rows of one ad. Those that have nothing in common with the one before are packed apart.
    mutating func pack(_ events: [EventID]) {
        var rows: [(event: EventID, row: Row, common: Row.Common)] = []
        for event in events.sorted() {
            guard let row = open[event], let common = row.common else { continue }
            _ = open.removeValue(forKey: event)
            rows.append((event, row, common))
        }
        let runs = rows.chunked { $1.event.number == $0.event.number + 1 && $1.row.shares($0.common) }
        for run in runs.lazy.flatMap({ $0.chunks(ofCount: Self.longestRun) }) { insert(PackedRows(run)) }
    }

    /// Reading a row passes over those before it.
    private static var longestRun: Int { 32 }

    private mutating func insert(_ run: PackedRows<Row>) {
        past.insert(run, at: past.partitioningIndex { $0.first > run.first })
        pastCount += run.count
    }

    private mutating func unpack(_ event: EventID) {
        guard let index = run(of: event) else { return }
        let run = past.remove(at: index)
        pastCount -= run.count
        open.reserve(run.count)
        for (event, row) in run.rows { _ = open.updateValue(row, forKey: event) }
    }

    /// The index of the run that has the row of an event.
    private func run(of event: EventID) -> Int? {
        let next = past.partitioningIndex { $0.first > event }
        return next > 0 && past[next - 1].contains(event) ? next - 1 : nil
    }
}

/// Rows of events whose numbers follow each other, as bytes: of each row its length, and the row.
private struct PackedRows<Row: PackedRow>: Sendable {
    let first: EventID
    let count: Int
    private let common: Row.Common
    private let bytes: [UInt8]

    /// - Parameter run: at least one row.
    init(_ run: some Collection<(event: EventID, row: Row, common: Row.Common)>) {
        let start = run[run.startIndex]
        (first, count, common) = (start.event, run.count, start.common)
        var writer = PackedWriter()
        for (_, row, _) in run {
            var own = PackedWriter()
            row.write(to: &own, start.common)
            writer.write(bytes: own.bytes)
        }
        bytes = writer.bytes
    }

    func contains(_ event: EventID) -> Bool { event >= first && event.number - first.number < count }

    /// The row of an event that it contains.
    subscript(event: EventID) -> Row {
        var reader = PackedReader(bytes)
        for _ in first.number..<event.number { _ = reader.nextBytes() }
        return Self.row(of: event, &reader, common)
    }

    var rows: [(key: EventID, value: Row)] {
        var reader = PackedReader(bytes)
        return (0..<count).map { offset in
            let event = EventID(first.number + offset)
            return (event, Self.row(of: event, &reader, common))
        }
    }

    private static func row(of event: EventID, _ reader: inout PackedReader, _ common: Row.Common) -> Row {
        // Its length is for those that pass over it.
        _ = reader.unsigned()
        return Row(&reader, of: event, common)
    }
}
