package import CreativeCache
package import Monitoring
import Ports

/// The rows of the cache view: the creatives of one report that pass one filter.
package struct CacheModel: Sendable {
    private var report: CacheReport?
    private var filter: String?
    /// All rows, also those scrolled away.
    private(set) var rows: [CreativeRecord] = []
    /// The row under the cursor.
    package private(set) var selectedRow = 0

    /// No rows.
    package init() {}

    /// The rows of a snapshot as `state` wants them.
    package init(_ snapshot: Snapshot, _ state: ListState<CreativeID>) {
        report = snapshot.cache
        filter = state.filter
        let words = TextFilter(state.filter)
        rows = (report?.records ?? []).filter { record in
            words.passes(anyOf: [
                record.id.text, record.kind.rawValue, record.origin.bidder ?? "", record.origin.auction ?? "",
            ])
        }
        select(state.selection.flatMap { id in rows.firstIndex { $0.id == id } } ?? state.lastRow)
    }

    /// Whether the rows are those of that snapshot under that filter.
    func fits(_ snapshot: Snapshot, filter: String) -> Bool {
        self.filter == filter && report == snapshot.cache
    }

    /// Moves the cursor, no further than the rows.
    mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    /// The creative under the cursor, nil while there are none.
    var selected: CreativeRecord? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    /// The id of a row, nil outside.
    package func item(at row: Int) -> CreativeID? { rows.indices.contains(row) ? rows[row].id : nil }

    /// Where the selected creative is served; nil while nobody serves.
    var address: String? {
        guard let selected, let address = report?.address else { return nil }
        return "\(address.isSecure ? "https" : "http")://localhost:\(address.port)/\(selected.id.text)"
    }
}

extension CacheModel: ListRows {
    var count: Int { rows.count }
}

extension ListPlace<CacheModel> {
    /// The list of the cache view.
    static var cache: Self { Self(pane: .cache, state: \.cache, rows: \.cacheModel) }
}
