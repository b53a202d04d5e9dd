import Fleet
import Ports
import Screen

/// The rows above the tables of a fleet: agents and viewers by state, rates, whether beacons are sent, how old all of it is, and what is wrong.
struct FleetHeader: TableHeader {
    let fleet: FleetDesk
    let context: ViewContext

    private var overview: FleetOverview? { fleet.view.reading?.overview }

    func draw(in header: Rect, totals: Rect, on grid: inout Grid) {
        row.draw(in: header.inset(columns: 1, rows: 0), on: &grid)
        guard !totals.isEmpty else { return }
        let area = totals.inset(columns: 1, rows: 0)
        rates.draw(in: area.row(0), on: &grid)
        let problems = fleet.problems.prefix(area.height - 1)
        for (index, problem) in problems.enumerated() {
            let left = fleet.problems.count - problems.count
            let rest = index == problems.count - 1 && left > 0 ? left : 0
            draw(problem, rest: rest, in: area.row(index + 1), on: &grid)
        }
    }

    func drawTiny(in rect: Rect, on grid: inout Grid) {
        var row = FittedRow()
        row.left = [agents, viewers]
        row.right = [age, mode]
        row.middle = 1
        row.draw(in: rect, on: &grid)
    }

    var row: FittedRow {
        var row = FittedRow()
        row.left = [.program("fleet", context), agents, viewers]
        row.right = [age, mode, .clock(rank: 3, context)]
        return row
    }

    /// Agents by state; those that are over are in the table only.
    private var agents: FittedRow.Item {
        guard let overview else { return .nothing }
        var counts = StateCounts(context.glyphs)
        let words: [(FleetOverview.Agent.State, StateSign, SafeText)] = [
            (.silent, .retry, "silent"), (.draining, .busy, "draining"), (.alive, .done, "alive"),
        ]
        for (state, sign, word) in words {
            let count = overview.agents(state).count
            guard count > 0 || state == .alive else { continue }
            counts.add(count, sign, word, isFailure: state == .silent)
        }
        return counts.item(ranks: [1, 7])
    }

    private var viewers: FittedRow.Item {
        guard let overview else { return .nothing }
        let (viewers, owned) = (overview.viewers, overview.followed)
        let long = StyledLine.of("\(owned.grouped) of \(viewers.count.counted("viewer")) followed", .header)
        let short = StyledLine.of(
            "\(owned.grouped)/\(viewers.count.grouped)", owned == viewers.count ? .header : .stateRetry)
        let waiting = Self.count(viewers.waiting, "waiting", .stateRetry)
        let orphaned = Self.count(overview.orphaned, "orphaned", .stateFailed)
        let forms = [[long, waiting, orphaned], [short, waiting, orphaned], [short, orphaned], [orphaned]]
        return FittedRow.Item(forms.map(Self.joined), ranks: [2, 4, 6], gap: 3)
    }

    private static func count(_ count: Int, _ word: String, _ role: Role) -> StyledLine {
        count > 0 ? .of("\(count.grouped) \(word)", role) : StyledLine()
    }

    private static func joined(_ parts: [StyledLine]) -> StyledLine {
        parts.filter { $0.columns > 0 }.reduce(into: StyledLine()) { line, part in
            if line.columns > 0 { line.add("  ", .header) }
            line.append(part)
        }
    }

    /// How old the data are, once they are older than they should be.
    private var age: FittedRow.Item {
        guard fleet.isOld(at: context.now) else { return .nothing }
        let age = fleet.age(at: context.now).map { TimeText.coarse($0) }
        return FittedRow.Item(
            [.of(age.map { "data \($0) old" } ?? "no data", .headerArmed), .of(age ?? "none", .headerArmed)], ranks: [5]
        )
    }

    private var mode: FittedRow.Item {
        guard let overview else { return .nothing }
        if overview.store.mode == "fire" {
            return FittedRow.Item([StyledLine("FIRE", .headerArmed)], ranks: [], gap: 3)
        }
        return .observing(rank: 8, gap: 3)
    }

    /// Rates and sums; in their place why there are no newer ones.
    private var rates: FittedRow {
        var row = FittedRow()
        if let problem = fleet.view.problem {
            row.left = [item([.of(context.prose(problem.sentence), .stateFailed)], 0)]
            return row
        }
        guard let overview else {
            row.left = [item([StyledLine("the store is read", .textMuted)], 0)]
            return row
        }
        if fleet.isOld(at: context.now) {
            row.left = [item([StyledLine("the store has not answered since", .stateRetry)], 0)]
            return row
        }
        row.left = [
            label("claims", overview.claimsPerSecond.map { "\(Self.rate($0))/s" }, .text, rank: 8),
            // Each agent counts from its takeover of a viewer, so these sums can fall.
            item([StyledLine("since takeover", .textMuted), StyledLine()], 2),
            label("due", fleet.beacons.due.grouped, .text, rank: 3),
            label("sent", fleet.beacons.sent.grouped, .text, rank: 5),
            label("done", fleet.beacons.acknowledged.grouped, .stateDone, rank: 4),
            label(
                "failed", fleet.beacons.failed.grouped, fleet.beacons.failed > 0 ? .stateFailed : .textMuted, rank: 9),
            label(
                "unknown/h", overview.unknownLastHour.map { Int(clamping: $0).grouped },
                (overview.unknownLastHour ?? 0) > 0 ? .stateUnknown : .textMuted, rank: 6),
        ]
        row.right = [
            label("store", "\(overview.store.durability) \(overview.store.latency.millisecondsText) ms", .text, rank: 1)
        ]
        return row
    }

    private func item(_ forms: [StyledLine], _ rank: Int) -> FittedRow.Item { FittedRow.Item(forms, ranks: [rank]) }

    private func label(_ name: SafeText, _ value: String?, _ role: Role, rank: Int) -> FittedRow.Item {
        guard let value else { return .nothing }
        var line = StyledLine(name + " ", .textMuted)
        line.add(value, role)
        return item([line, StyledLine()], rank)
    }

    /// `✗ viewers-orphaned  3 viewers of ended agents not taken over for 16s; start an agent   2 more in the log`
    private func draw(_ problem: FleetProblem, rest: Int, in row: Rect, on grid: inout Grid) {
        let role: Role = problem.code.severity == .error ? .stateFailed : .stateRetry
        let sign: StateSign = problem.code.severity == .error ? .failed : .retry
        var line = StyledLine(SafeText(context.glyphs.sign(sign)) + " ", role)
        line.add(problem.code.rawValue, role)
        line.add("  " + context.prose(problem.words), .text)
        var end = StyledLine()
        if rest > 0 {
            let isWide = line.columns + 24 <= row.width
            end = .of(isWide ? "\(rest) more in the log" : "+\(rest)", .textMuted)
        }
        let room = max(0, row.width - (rest > 0 ? end.columns + 1 : 0))
        grid.put(line.truncatedTail(to: room, context.glyphs), at: row.origin, maxColumns: room)
        grid.put(end, at: Point(x: row.maxX - end.columns, y: row.y), maxColumns: end.columns)
    }

    /// `0`, `52.3`, `1,812`
    private static func rate(_ rate: Double) -> String {
        let tenths = Int64((min(max(rate, 0), 1e12) * 10).rounded())
        return tenths >= 10_000 || tenths == 0
            ? Int(clamping: tenths / 10).grouped : "\(Int(clamping: tenths / 10).grouped).\(tenths % 10)"
    }
}
