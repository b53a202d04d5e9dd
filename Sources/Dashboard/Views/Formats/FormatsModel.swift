import AdFormats
import Screen
import Session

/// A row of the formats view: the names of the columns, an ad space, or a line about the ad in it.
package enum FormatsItem: Hashable, Sendable {
    case head
    case slot(String)
    case line(String, Int)

    /// The ad space of the row; nil for the head.
    package var slot: String? {
        switch self {
        case .head: nil
        case .slot(let name), .line(let name, _): name
        }
    }
}

/// The rows of the formats view: rebuilt when ad spaces or the number of lines about them change.
package struct FormatsModel: ListRows {
    private(set) var rows: [FormatsItem] = []
    /// The row under the cursor.
    package private(set) var selectedRow = 0
    private var filter = ""
    private var isMade = false

    /// No rows.
    package init() {}

    /// The rows for `snapshot` as `state` wants them.
    init(_ snapshot: Snapshot, _ state: ListState<FormatsModel>) {
        rows = Self.rows(snapshot, filter: state.filter)
        filter = state.filter
        isMade = true
        select(state.selection.flatMap { rows.firstIndex(of: $0) } ?? state.lastRow)
    }

    /// Whether the rows are those of `snapshot` under that filter.
    func fits(_ snapshot: Snapshot, filter: String) -> Bool {
        isMade && self.filter == filter && rows == Self.rows(snapshot, filter: filter)
    }

    private static func rows(_ snapshot: Snapshot, filter: String) -> [FormatsItem] {
        let filter = TextFilter(filter)
        let rows = (snapshot.formats?.slots ?? []).flatMap { view -> [FormatsItem] in
            let slot = view.slot
            guard filter.passes(anyOf: [slot.name, slot.config.unit, slot.format.rawValue, slot.state.rawValue]) else {
                return []
            }
            return [.slot(slot.name)] + (0..<FormatsRowLine.lineCount(slot)).map { .line(slot.name, $0) }
        }
        return rows.isEmpty ? [] : [.head] + rows
    }

    /// The item under the cursor, nil while there are none.
    var selected: FormatsItem? { item(at: selectedRow) }

    package var count: Int { rows.count }

    /// Moves the cursor, clamped to the rows below the head.
    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 1), max(rows.count - 1, 0))
    }

    /// The item of a row, nil outside.
    package func item(at row: Int) -> FormatsItem? { rows.indices.contains(row) ? rows[row] : nil }

    /// The row of the next ad space, nil after the last.
    func nextSlot(after row: Int) -> Int? {
        rows.indices.first { index in
            guard index > row, case .slot = rows[index] else { return false }
            return true
        }
    }
}

extension FormatsView {
    /// The ad space of that name.
    func slot(_ name: String) -> Slot? { slots.first { $0.slot.name == name } }

    /// The banner of the screen, which has no place in the list; a shown one is preferred. Nil without one.
    var screenBanner: AdSlot? {
        let banners = slots.lazy.map(\.slot).filter { $0.config.placement == .screenBanner }
        return banners.first { $0.machine.isPresented } ?? banners.first
    }

    /// The full-screen ad that is shown; nil while none is.
    var presented: Slot? { slots.first { $0.slot.format.isFullScreen && $0.slot.machine.isPresented } }
}
