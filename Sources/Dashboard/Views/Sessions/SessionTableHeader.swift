import Ports
import Screen
import Session

/// The rows above the table: the number of sessions and their states, the numbers of beacons, and always whether they
/// are sent.
struct SessionTableHeader: TableHeader {
    let model: SessionTableModel
    let context: ViewContext

    /// Draws the row of the sessions and that of their beacons.
    func draw(in header: Rect, totals: Rect, on grid: inout Grid) {
        row.draw(in: header.inset(columns: 1, rows: 0), on: &grid)
        beacons.draw(in: totals.inset(columns: 1, rows: 0), on: &grid)
    }

    /// The only row of the smallest screens: failures are dropped last.
    func drawTiny(in rect: Rect, on grid: inout Grid) {
        var row = FittedRow()
        row.left = [states]
        row.right = [mode]
        row.middle = 1
        row.draw(in: rect, on: &grid)
    }

    var row: FittedRow {
        var row = FittedRow()
        row.left = [
            .program(nil, context),
            FittedRow.Item([.of(model.count.counted("stream"), .header), StyledLine()], ranks: [5], gap: 3),
            states, errors,
        ]
        row.right = [InsecureBadge.item(context.settings), mode, .clock(rank: 3, context)]
        return row
    }

    /// The number of sessions in each state, with words where there is room.
    private var states: FittedRow.Item {
        let words: [(StateSign, SafeText)] = [
            (.failed, "failing"), (.retry, "stalled"), (.onAir, "on air"), (.done, "running"), (.idle, "starting"),
            (.off, "ended"),
        ]
        var counts = StateCounts(context.glyphs)
        for (sign, word) in words {
            let count = model.signs[sign] ?? 0
            guard count > 0 || sign == .failed || sign == .done else { continue }
            counts.add(count, sign, word, isFailure: sign == .failed)
        }
        var item = counts.item(ranks: [1, 6])
        item.action = .nextFailure
        return item
    }

    /// Sessions that run, and in which something was found.
    private var errors: FittedRow.Item {
        guard model.withErrors > 0 else { return .nothing }
        var long = StyledLine(SafeText(context.glyphs.warning), .logError)
        long.add("\(model.withErrors)", .logError)
        let short = long
        long.append(" with errors", .logError)
        var item = FittedRow.Item([long, short], ranks: [2], gap: 2)
        item.action = .nextFailure
        return item
    }

    private var mode: FittedRow.Item {
        let (firing, count) = (model.firing, model.count)
        guard firing > 0 else { return .observing(rank: 7, gap: 3) }
        // The long word gives way before the numbers of sessions, and the short one is never dropped.
        let isLocal = model.firesLocally
        let ranks = isLocal ? [1, 5, 8] : [1, 8]
        guard firing < count else { return FittedRow.Item(FireWord.forms(isLocal: isLocal), ranks: ranks, gap: 3) }
        let forms = FireWord.forms(isLocal: isLocal, rest: SafeText(outside: " \(firing.grouped)/\(count.grouped)"))
        return FittedRow.Item(forms + FireWord.forms(isLocal: isLocal).suffix(1), ranks: ranks, gap: 3)
    }

    private var beacons: FittedRow {
        let sum = model.beacons
        // The highest rank stays longest: failures matter most, beacons of unknown fate least.
        let counts: [(name: SafeText, count: Int, role: Role, rank: Int)] = [
            ("due", sum.due, .text, 3), ("sent", sum.sent, .text, 3),
            ("done", sum.acknowledged, .stateDone, 3), ("failed", sum.failed, .stateFailed, 9),
            ("unknown", sum.unknown, .stateUnknown, 1),
        ]
        var row = FittedRow()
        row.left = [FittedRow.Item([StyledLine("beacons", .textMuted), StyledLine()], ranks: [0])]
        row.left += counts.map { entry in
            var line = StyledLine(entry.name + " ", .textMuted)
            line.add(entry.count.grouped, entry.count == 0 ? .textMuted : entry.role)
            return FittedRow.Item([line, StyledLine()], ranks: [entry.rank])
        }
        return row
    }
}
