import Ports
import Screen
import Session

/// The columns of the table of sessions, which are also its sort keys.
package enum SessionColumn: String, Sendable, CaseIterable {
    /// The place in the user's list.
    case number
    case name, state, latency, breaks, ads
    case due, sent, acknowledged, failed, unknown
    /// The greatest delay of a beacon.
    case late
    /// Time since the last good answer, for the feed that waits longest.
    case age
    /// The outcomes of the last hour.
    case hour
    case findings, problem

    /// The next sort key, after the last the first.
    var next: SessionColumn {
        let all = SessionColumn.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The title of the column.
    var title: SafeText {
        switch self {
        case .number: "#"
        case .name: "session"
        case .state: "state"
        case .latency: "lat"
        case .breaks: "brk"
        case .ads: "ads"
        case .due: "due"
        case .sent: "sent"
        case .acknowledged: "done"
        case .failed: "fail"
        case .unknown: "unkn"
        case .late: "late"
        case .age: "poll"
        case .hour: "last hour"
        case .findings: "find"
        case .problem: "why"
        }
    }

    /// Its least width with the blank after it.
    var width: Int {
        switch self {
        case .number, .breaks: 4
        case .ads, .unknown, .failed: 5
        case .name: 13
        case .state: 11
        case .latency, .late, .age: 7
        case .due, .sent, .acknowledged: 6
        case .findings: 10
        case .hour: SessionColumns.hourCells + 1
        case .problem: 26
        }
    }

    /// The order in which columns are dropped where there is too little room; the last two never are.
    static let droppedFirst: [SessionColumn] = [
        .number, .unknown, .ads, .breaks, .due, .acknowledged, .late, .hour, .age, .latency, .sent, .findings, .problem,
        .failed,
    ]

    /// Whether its texts are aligned right.
    var isNumber: Bool {
        switch self {
        case .name, .state, .hour, .findings, .problem: false
        default: true
        }
    }
}

/// The columns of a row and their places.
struct SessionColumns {
    /// The most columns of a name.
    static let nameLimit = 32
    /// Cells of the last hour, of five minutes each; of two where there is room.
    static let hourCells = 12
    static let wideHourCells = 30

    struct Place: Equatable {
        let column: SessionColumn
        /// Cells, without the blank after it.
        let x: Int
        let width: Int
    }

    let places: [Place]

    /// For rows of that many cells; `numbers` is how many sessions there are.
    init(width: Int, sessions count: Int) {
        let digits = max(2, String(count).count)
        func needed(_ column: SessionColumn) -> Int { column == .number ? digits + 1 : column.width }
        var shown = SessionColumn.allCases
        for column in SessionColumn.droppedFirst {
            guard shown.reduce(0, { $0 + needed($1) }) > width else { break }
            shown.removeAll { $0 == column }
        }
        // Spare cells go to the name, then to the last hour, then to the problem.
        var spare = max(0, width - shown.reduce(0) { $0 + needed($1) })
        let forName = min(spare / 2, Self.nameLimit - SessionColumn.name.width)
        spare -= forName
        let moreHour = Self.wideHourCells - Self.hourCells
        let forHour = spare >= 2 * moreHour ? moreHour : 0
        spare -= forHour
        var (places, x): ([Place], Int) = ([], 0)
        for column in shown {
            let more = column == .name ? forName : column == .problem ? spare : column == .hour ? forHour : 0
            let cells = needed(column) + more
            places.append(Place(column: column, x: x, width: max(0, min(cells - 1, width - x))))
            x += cells
        }
        self.places = places
    }

    /// For a table of that many cells, of which the first is the cursor's.
    init(tableWidth: Int, sessions count: Int) {
        self.init(width: max(0, tableWidth - 1), sessions: count)
    }

    /// The column under a cell, nil beside them.
    func column(at x: Int) -> SessionColumn? {
        places.last { $0.x <= x && x <= $0.x + $0.width }?.column
    }
}
