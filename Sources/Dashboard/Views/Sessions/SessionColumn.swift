import Ports
import Screen
import Session

/// The columns of the table of sessions, which are also its sort keys.
enum SessionColumn: String, TableColumn {
    /// The place in the user's list.
    case number
    case name, state, latency, breaks, ads
    case due, sent, acknowledged, failed, unknown
    /// The greatest delay of a beacon.
    case late
    /// Time since the last good answer, for the feed that waits longest.
    case age
    /// The beacons of the last minute.
    case minute
    /// The outcomes of the last hour.
    case hour
    case findings, problem

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
        case .minute: "last minute"
        case .hour: "last hour"
        case .findings: "find"
        case .problem: "why"
        }
    }

    /// The title where the column is narrower than that.
    var shortTitle: SafeText { self == .hour ? "hour" : title }

    /// Its least width with the blank after it.
    var width: Int {
        switch self {
        case .number, .breaks: 4
        case .ads, .unknown, .failed: 5
        case .name: 13
        case .state: 11
        case .latency, .late, .age: 7
        case .due, .sent, .acknowledged, .findings: 5
        case .minute: SessionColumns.minuteCells + 1
        case .hour: SessionColumns.hourCells + 1
        case .problem: 24
        }
    }

    /// The order in which columns are dropped where there is too little room; the last two never are.
    static let droppedFirst: [SessionColumn] = [
        .minute, .number, .unknown, .ads, .breaks, .due, .acknowledged, .late, .age, .hour, .latency, .sent, .findings,
        .problem, .failed,
    ]

    /// The columns that names are worth more than.
    static let lesser: Set<SessionColumn> = [.minute, .number, .unknown, .ads, .breaks]

    /// Whether its texts are aligned right.
    var isNumber: Bool {
        switch self {
        case .name, .state, .minute, .hour, .findings, .problem: false
        default: true
        }
    }
}

/// The columns of a row and their places.
struct SessionColumns {
    /// The most columns of a name.
    static let nameLimit = 32
    /// The columns of a name from outside that are looked at: its end is shown, too.
    static let readName = 256
    /// Names of that many columns are whole before the lesser columns are shown.
    private static let wholeName = 20
    /// Cells of the last hour, of five minutes each; of two where there is room, and of ten where there is little.
    static let hourCells = 12
    static let wideHourCells = 30
    static let narrowHourCells = 6
    /// Cells of the last minute, of five seconds each.
    static let minuteCells = 12

    typealias Place = TablePlace<SessionColumn>

    let places: [Place]

    /// Columns of the longest texts of all sessions, so that columns do not move with a filter.
    struct Longest {
        var name = 0
        var findings = 0
    }

    /// For rows of that many cells.
    init(width: Int, sessions count: Int, _ longest: Longest = Longest()) {
        let digits = max(2, String(count).count)
        func needed(_ column: SessionColumn) -> Int {
            switch column {
            case .number: digits + 1
            case .findings: max(column.width, longest.findings + 1)
            default: column.width
            }
        }
        var shown = SessionColumn.allCases
        let moreName = max(0, min(longest.name, Self.wholeName) + 1 - SessionColumn.name.width)
        for column in SessionColumn.droppedFirst {
            let room = width - (SessionColumn.lesser.contains(column) ? moreName : 0)
            guard shown.reduce(0, { $0 + needed($1) }) > room else { break }
            shown.removeAll { $0 == column }
        }
        // Spare cells go to the names as far as these are longer, then to the last hour, then to the problem.
        var spare = max(0, width - shown.reduce(0) { $0 + needed($1) })
        let forName = min(spare, max(0, min(longest.name, Self.nameLimit) + 1 - SessionColumn.name.width))
        spare -= forName
        var forHour = 0
        if shown.contains(.hour) {
            let more = Self.wideHourCells - Self.hourCells
            forHour = spare >= 2 * more ? more : 0
        } else if shown.contains(.problem), spare > Self.narrowHourCells {
            shown = SessionColumn.allCases.filter { $0 == .hour || shown.contains($0) }
            spare -= SessionColumn.hour.width
            forHour = Self.narrowHourCells - Self.hourCells
        }
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
    init(tableWidth: Int, _ model: SessionTableModel) {
        self.init(width: max(0, tableWidth - 1), sessions: model.count, model.longest)
    }
}
