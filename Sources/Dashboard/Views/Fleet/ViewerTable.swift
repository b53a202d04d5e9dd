import Fleet
import Ports
import Screen

/// The columns of the table of viewers.
enum ViewerColumn: String, FleetColumn {
    case name, agent, state, due, sent, acknowledged, failed, unknown, late, poll, seen, problem

    var title: SafeText {
        switch self {
        case .name: "viewer"
        case .agent: "agent"
        case .state: "state"
        case .due: "due"
        case .sent: "sent"
        case .acknowledged: "done"
        case .failed: "fail"
        case .unknown: "unkn"
        case .late: "late"
        case .poll: "poll"
        case .seen: "seen"
        case .problem: "why"
        }
    }

    var isNumber: Bool {
        switch self {
        case .name, .agent, .state, .problem: false
        default: true
        }
    }

    var width: Int {
        switch self {
        case .name: 13
        case .agent, .state: 11
        case .due, .sent, .acknowledged, .failed, .unknown: 5
        case .late, .poll, .seen: 7
        case .problem: 20
        }
    }

    var orderName: SafeText { self == .problem ? "worst first" : "by " + title }
    static var names: Self { .name }
    static var widest: Self { .problem }
    static var droppedFirst: [Self] {
        [.unknown, .due, .acknowledged, .late, .poll, .seen, .sent, .problem, .failed, .agent]
    }
}

/// The viewers of a fleet: who follows them and how they are.
enum ViewerTable: FleetTableKind {
    typealias Row = FleetViewer
    typealias Column = ViewerColumn

    static var pane: Pane { .viewers }
    static var title: SafeText { "[1] Viewers" }
    static var noun: String { "viewer" }
    static var firstSort: Column { .problem }
    static var absence: SafeText { "no viewers: adtop fleet add FILE|URL adds channels" }
    static var foreignKey: String { "session key: press Enter to see the breaks of the selected viewer" }
    static var hints: [FooterHint] { TableHints.all(opening: "breaks") }

    static func id(_ row: Row) -> String { "\(row.id)" }
    static func name(_ row: Row) -> String { row.name }
    static func filterTexts(_ row: Row) -> [String] {
        [row.name, row.agent ?? "", row.phase, row.problem ?? ""] + row.labels
    }
    static func words(_ rows: [Row]) -> [FilterWord] {
        let byUrgency = rows.sorted { urgency($0) > urgency($1) }
        return FilterWord.joined(
            FilterWord.counted(byUrgency.map(\.phase), noun), FilterWord.counted(rows.compactMap(\.agent), noun),
            FilterWord.counted(rows.flatMap(\.labels), noun), FilterWord.counted(rows.map(\.name), noun))
    }

    /// How long a viewer may be without an agent before it is a problem.
    private static let patience = Duration.seconds(15)

    static func urgency(_ row: Row) -> Int {
        switch row.phase {
        case "failing", "over": return 5
        case "orphaned" where (row.aloneFor ?? .zero) > patience: return 4
        case "waiting" where (row.aloneFor ?? .zero) > patience: return 3
        default: break
        }
        if row.problem != nil { return 2 }
        return (row.beacons?.failed ?? 0) > 0 ? 1 : 0
    }

    private static func sign(_ row: Row) -> StateSign {
        switch row.phase {
        case "failing", "over": .failed
        case "orphaned": .retry
        case "ended": .off
        case "running": row.problem == nil ? .done : .retry
        default: .idle
        }
    }

    private static func role(_ row: Row) -> Role? {
        switch urgency(row) {
        case 5, 4: .stateFailed
        case 1, 2, 3: .stateRetry
        default: nil
        }
    }

    /// What is wrong with it; empty where nothing is.
    static func why(_ row: Row) -> String {
        if let alone = row.aloneFor { return "no agent for \(TimeText.coarse(max(.zero, alone)))" }
        if let problem = row.problem { return problem }
        let failed = row.beacons?.failed ?? 0
        return failed > 0 ? "\(failed.counted("beacon")) failed" : ""
    }

    static func text(_ row: Row, _ place: TablePlace<Column>, _ context: ViewContext) -> StyledLine {
        func count(_ path: KeyPath<FleetViewer.Beacons, Int>, _ role: Role = .text) -> StyledLine {
            row.beacons.map { CellText.count($0[keyPath: path], role, columns: place.width) }
                ?? StyledLine("-", .textMuted)
        }
        switch place.column {
        case .name:
            let name = SafeText(outside: row.name, columns: SessionColumns.readName)
            return StyledLine(name.truncatedMiddle(to: place.width, context.glyphs), role(row) ?? .text)
        case .agent: return row.agent.map { .of($0) } ?? StyledLine("-", .textMuted)
        case .state:
            var line = StyledLine(SafeText(context.glyphs.sign(sign(row))), sign(row).role)
            line.add(" " + row.phase, sign(row).role)
            return line
        case .due: return count(\.due)
        case .sent: return count(\.sent)
        case .acknowledged: return count(\.acknowledged, .stateDone)
        case .failed: return count(\.failed, .stateFailed)
        case .unknown: return count(\.unknown, .stateUnknown)
        case .late: return CellText.late(row.worstLate)
        case .poll: return CellText.age(row.pollAge, warnsAfter: .seconds(20))
        // Rows are written every half minute where nothing changed.
        case .seen: return CellText.age(row.healthAge, warnsAfter: .seconds(45))
        case .problem: return .of(context.prose(why(row)), role(row) ?? .textMuted)
        }
    }

    static func places(_ left: Row, before right: Row, by column: Column) -> Bool? {
        switch column {
        case .problem: differ(urgency(left), urgency(right))
        case .name: named(left.name, right.name)
        case .agent: named(left.agent ?? "", right.agent ?? "")
        case .state: differ(Int(sign(left).urgency), Int(sign(right).urgency))
        case .due: differ(left.beacons?.due ?? -1, right.beacons?.due ?? -1)
        case .sent: differ(left.beacons?.sent ?? -1, right.beacons?.sent ?? -1)
        case .acknowledged: differ(left.beacons?.acknowledged ?? -1, right.beacons?.acknowledged ?? -1)
        case .failed: differ(left.beacons?.failed ?? -1, right.beacons?.failed ?? -1)
        case .unknown: differ(left.beacons?.unknown ?? -1, right.beacons?.unknown ?? -1)
        case .late: differ(left.worstLate ?? .seconds(-1), right.worstLate ?? .seconds(-1))
        case .poll: differ(left.pollAge ?? .seconds(-1), right.pollAge ?? .seconds(-1))
        case .seen: differ(left.healthAge ?? .seconds(-1), right.healthAge ?? .seconds(-1))
        }
    }

    static func fields(_ row: Row, _ context: ViewContext) -> [TableDetail.Field] {
        var place = StyledLine()
        place.add(
            row.agent.map { "agent \($0), epoch \(row.epoch)" } ?? "no agent", row.agent == nil ? .stateRetry : .text)
        place.add("   region \(row.region.isEmpty ? "any" : row.region)", .textMuted)
        if !row.labels.isEmpty { place.add("   \(row.labels.joined(separator: ", "))", .textMuted) }
        var beacons = StyledLine()
        if let counts = row.beacons {
            beacons.add("\(counts.due.grouped) due, \(counts.sent.grouped) sent, \(counts.acknowledged.grouped) done, ")
            beacons.add("\(counts.failed.grouped) failed", counts.failed > 0 ? .stateFailed : .text)
            beacons.add(", \(counts.unknown.grouped) unknown")
            if let age = row.healthAge { beacons.add("   as of \(TimeText.coarse(max(.zero, age))) ago", .textMuted) }
        } else {
            beacons.append("not reported yet", .textMuted)
        }
        let why = why(row)
        let problem =
            why.isEmpty
            ? StyledLine("nothing is wrong", .textMuted) : StyledLine.of(context.prose(why), role(row) ?? .text)
        return [("place", place), ("beacons", beacons), ("why", problem)]
    }

    static func open(_ row: Row, _ turn: inout ViewTurn) -> [DashboardEffect] { [.selectSession(row.id)] }
}
