import Fleet
import Ports
import Screen

/// The columns of the table of agents.
enum AgentColumn: String, FleetColumn {
    case name, state, region, viewers, failing, cores, memory, claims, queue, beat, uptime, version, place

    var title: SafeText {
        switch self {
        case .name: "agent"
        case .state: "state"
        case .region: "region"
        case .viewers: "viewers"
        case .failing: "fail"
        case .cores: "cpu"
        case .memory: "memory"
        case .claims: "claims"
        case .queue: "queue"
        case .beat: "beat"
        case .uptime: "up"
        case .version: "version"
        case .place: "place"
        }
    }

    var isNumber: Bool {
        switch self {
        case .name, .state, .region, .version, .place: false
        default: true
        }
    }

    var width: Int {
        switch self {
        case .name: 11
        case .state: 11
        case .region: 8
        case .viewers: 10
        case .failing, .cores: 5
        case .memory, .version: 9
        case .claims, .uptime: 8
        case .queue: 6
        case .beat: 5
        case .place: 12
        }
    }

    var orderName: SafeText { self == .state ? "worst first" : "by " + title }
    static var names: Self { .name }
    static var widest: Self { .place }
    static var droppedFirst: [Self] {
        [.place, .uptime, .region, .version, .queue, .failing, .memory, .beat, .claims, .cores]
    }
}

/// The agents of a fleet with their load.
enum AgentTable: FleetTableKind {
    typealias Row = FleetOverview.Agent
    typealias Column = AgentColumn

    static var pane: Pane { .agents }
    static var title: SafeText { "[2] Agents" }
    static var noun: String { "agent" }
    static var firstSort: Column { .state }
    static var absence: SafeText { "no agents: adtop fleet agent --name NAME starts one" }
    static var foreignKey: String { "session key: Enter shows the viewers of the selected agent" }
    static var hints: [FooterHint] { TableHints.all(opening: "its viewers") }

    static func id(_ row: Row) -> String { "\(row.id)" }
    static func name(_ row: Row) -> String { row.name }
    static func filterTexts(_ row: Row) -> [String] {
        [row.name, row.state.rawValue, row.region, row.place, row.version]
    }
    static func words(_ rows: [Row]) -> [FilterWord] {
        FilterWord.joined(
            FilterWord.counted(
                order.flatMap { state in rows.filter { $0.state == state }.map(\.state.rawValue) }, noun),
            FilterWord.counted(rows.map(\.region), noun), FilterWord.counted(rows.map(\.version), noun),
            FilterWord.counted(rows.map(\.name), noun))
    }

    /// Claims that wait for longer, or more of them, are a problem (`agent-behind`).
    private static func isBehind(_ row: Row) -> Bool {
        row.isAtWork && ((row.load.claimP99 ?? .zero) > .seconds(1) || (row.load.queue ?? 0) > 1_000)
    }

    static func urgency(_ row: Row) -> Int {
        if row.state == .silent { return 3 }
        if isBehind(row) { return 2 }
        return row.isAtWork && (row.load.failing ?? 0) > 0 ? 1 : 0
    }

    private static func sign(_ row: Row) -> StateSign {
        switch row.state {
        case .alive: .done
        case .draining: .busy
        case .silent: .retry
        case .fenced: .failed
        case .ended: .off
        }
    }

    static func text(_ row: Row, _ place: TablePlace<Column>, _ context: ViewContext) -> StyledLine {
        let muted: Role = row.isAtWork ? .text : .textMuted
        func known(_ text: String?, _ role: Role = .text) -> StyledLine {
            text.map { .of($0, row.isAtWork ? role : .textMuted) } ?? StyledLine("-", .textMuted)
        }
        switch place.column {
        case .name:
            let name = SafeText(outside: row.name, columns: SessionColumns.readName)
            return StyledLine(
                name.truncatedMiddle(to: place.width, context.glyphs), urgency(row) > 1 ? .stateRetry : muted)
        case .state:
            var line = StyledLine(SafeText(context.glyphs.sign(sign(row))), sign(row).role)
            line.add(" " + row.state.rawValue, sign(row).role)
            return line
        case .region: return .of(row.region.isEmpty ? "any" : row.region, row.region.isEmpty ? .textMuted : muted)
        case .viewers:
            // The viewers of an agent that is over are counted with other agents.
            let capacity = CellText.number(row.capacity)
            let holding = CellText.number(row.holding, columns: place.width - 1 - capacity.utf8.count)
            return row.isAtWork ? .of("\(holding)/\(capacity)", row.holding == 0 ? .textMuted : .text) : known(nil)
        case .failing:
            let role: Role = row.isAtWork ? .stateRetry : .textMuted
            return row.load.failing.map { CellText.count(Int(clamping: $0), role, columns: place.width) } ?? known(nil)
        case .cores: return known(row.load.coresText)
        case .memory: return known(row.load.memoryText)
        case .claims: return known(row.load.claimText, isBehind(row) ? .stateRetry : .text)
        case .queue: return row.load.queue.map { CellText.count(Int(clamping: $0), columns: place.width) } ?? known(nil)
        case .beat: return row.isAtWork ? CellText.age(row.beatAge, warnsAfter: .seconds(6)) : known(nil)
        case .uptime: return .of(TimeText.coarse(max(.zero, row.uptime)), muted)
        case .version: return .of(row.version, muted)
        case .place: return .of(row.place, .textMuted)
        }
    }

    private static let order: [FleetOverview.Agent.State] = [.silent, .draining, .alive, .fenced, .ended]

    static func places(_ left: Row, before right: Row, by column: Column) -> Bool? {
        switch column {
        case .state:
            // Those that are over last, whatever their load was.
            let (first, second) = (rank(left), rank(right))
            return first == second ? nil : first < second
        case .name: return named(left.name, right.name)
        case .region: return named(left.region, right.region)
        case .version: return named(left.version, right.version)
        case .place: return named(left.place, right.place)
        case .viewers: return differ(left.isAtWork ? left.holding : -1, right.isAtWork ? right.holding : -1)
        case .failing: return differ(left.load.failing ?? -1, right.load.failing ?? -1)
        case .cores: return differ(left.load.cores ?? -1, right.load.cores ?? -1)
        case .memory: return differ(left.load.residentBytes ?? -1, right.load.residentBytes ?? -1)
        case .claims: return differ(left.load.claimP99 ?? .seconds(-1), right.load.claimP99 ?? .seconds(-1))
        case .queue: return differ(left.load.queue ?? -1, right.load.queue ?? -1)
        case .beat: return differ(beat(left), beat(right))
        case .uptime: return differ(left.uptime, right.uptime)
        }
    }

    /// An agent that is over does not beat, and has none to show.
    private static func beat(_ row: Row) -> Duration { row.isAtWork ? row.beatAge : .seconds(-1) }

    private static func rank(_ row: Row) -> Int {
        let state = order.firstIndex(of: row.state) ?? order.count
        return state * 10 - (row.isAtWork ? urgency(row) : 0)
    }

    static func fields(_ row: Row, _ context: ViewContext) -> [TableDetail.Field] {
        // The path at the end: it may be long, and the table has a column for it.
        let process = StyledLine.of(
            """
            pid \(row.pid), up \(TimeText.coarse(max(.zero, row.uptime))), \
            beat \(TimeText.coarse(max(.zero, row.beatAge))) ago, \(row.place)
            """)
        var load = StyledLine()
        load.add(
            "\(row.load.coresText ?? "-") cores, \(row.load.memoryText ?? "-"), claims \(row.load.claimText ?? "-") (p99)"
        )
        let waiting = row.load.queue.map { Int(clamping: $0).grouped } ?? "-"
        load.add(", \(waiting) waiting", (row.load.queue ?? 0) > 1_000 ? .stateRetry : .text)
        var words = StyledLine()
        switch row.state {
        case .alive where isBehind(row):
            words.append("behind: the store answers slowly, or has too much to do", .stateRetry)
        case .alive where (row.load.failing ?? 0) > 0:
            words.add(
                "\(Int(clamping: row.load.failing ?? 0).counted("viewer")) with a problem; Enter lists its viewers",
                .stateRetry)
        case .alive: words.append("nothing is wrong", .textMuted)
        case .draining where row.holding == 0:
            words.append("drained: it follows no viewers and can be stopped", .textMuted)
        case .draining: words.add("hands over \(row.holding.counted("viewer"))", .stateBusy)
        case .silent: words.append("its lease is over; another agent declares it dead soon", .stateRetry)
        case .fenced: words.append("declared dead; others have its viewers", .textMuted)
        case .ended: words.append("ended in order", .textMuted)
        }
        return [("process", process), ("load", load), ("state", words)]
    }

    static func open(_ row: Row, _ turn: inout ViewTurn) -> [DashboardEffect] {
        turn.ask(.filter(.viewers, row.name))
        return []
    }
}
