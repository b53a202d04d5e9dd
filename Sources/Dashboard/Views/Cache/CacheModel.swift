import CreativeCache
import Ports
package import Session

/// The rows of the cache view: the creatives of one report and the saved zones that match the filter.
package struct CacheModel: ListRows {
    private var report: CacheReport?
    private var zones: [ZoneRow] = []
    private var filter: String?
    /// All rows, also those scrolled away.
    private(set) var rows: [CacheRow] = []
    /// The row under the cursor.
    package private(set) var selectedRow = 0

    /// No rows.
    package init() {}

    /// The rows of a snapshot as `state` wants them.
    package init(_ snapshot: Snapshot, _ state: ListState<CacheModel>) {
        report = snapshot.cache
        zones = snapshot.zones
        filter = state.filter
        let words = TextFilter(state.filter)
        let creatives = (report?.records ?? []).map(CacheRow.creative)
        let parts = zones.flatMap { zone in ZonePart.allCases.map { CacheRow.zone(zone, $0) } }
        rows = (creatives + parts).filter { words.passes(anyOf: $0.texts) }
        select(state.selection.flatMap { item in rows.firstIndex { $0.item == item } } ?? state.lastRow)
    }

    /// Whether the rows are those of that snapshot under that filter.
    func fits(_ snapshot: Snapshot, filter: String) -> Bool {
        self.filter == filter && report == snapshot.cache && zones == snapshot.zones
    }

    package var count: Int { rows.count }

    /// Moves the cursor, clamped to the rows.
    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    /// The row under the cursor, nil while there are none.
    var selectedLine: CacheRow? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    /// The creative under the cursor, nil for anything else.
    var selected: CreativeRecord? { if case .creative(let record)? = selectedLine { record } else { nil } }

    /// The item of a row, nil outside.
    package func item(at row: Int) -> CacheItem? { rows.indices.contains(row) ? rows[row].item : nil }

    /// The address at which the selected creative is served; nil while no server runs.
    var address: String? {
        guard let selected, let address = report?.address else { return nil }
        return "\(address.isSecure ? "https" : "http")://localhost:\(address.port)/\(selected.id.text)"
    }
}
