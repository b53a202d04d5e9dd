import Ports
import Screen
import Session

/// Beacons and errors of the last seconds, each with its scale, and the latencies of answers.
struct SparkRow {
    private let context: ViewContext
    private let row: Rect
    private var activity: ActivityView { context.snapshot.activity }
    private var isWide: Bool { context.sizeClass == .huge }

    /// Draws both series and the latencies, in one row or in two.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let row = rect.inset(columns: 1, rows: 0)
        guard !row.isEmpty else { return }
        SparkRow(context: context, row: row).draw(on: &grid)
    }

    private func draw(on grid: inout Grid) {
        let latencies = latencies
        let room = row.width - latencies.columns - 3
        let half = room / 2
        draw(
            "beacons/s", activity.beaconsPerSecond, .spark, quiet: .spark,
            Rect(x: row.x, y: row.y, width: half, height: row.height), on: &grid)
        draw(
            "errors/s", activity.errorsPerSecond, .sparkBad, quiet: .textMuted,
            Rect(x: row.x + half + 1, y: row.y, width: half, height: row.height), on: &grid)
        grid.put(latencies, at: Point(x: row.maxX - latencies.columns, y: row.y))
    }

    /// Label, greatest value of what is shown, and the strip: `beacons/s  12 ▁▂█`. In two rows the scale is an axis.
    /// - Parameter quiet: the role while nothing of what is shown is more than zero.
    private func draw(
        _ label: SafeText, _ values: [Int], _ busy: Role, quiet: Role, _ place: Rect, on grid: inout Grid
    ) {
        let digits = 3
        let columns = min(max(place.width - label.columns - digits - 2, 0), isWide ? 60 : 30)
        let shown = Self.filled(values, columns)
        let role = shown.contains { $0 > 0 } ? busy : quiet
        let top = SafeText(outside: "\(min(shown.max() ?? 0, 999))").paddedStart(to: digits)
        var upper = StyledLine(label + " ", .textMuted)
        upper.append(top + " ", .textMuted)
        guard place.height > 1 else {
            upper.append(Sparkline.text(shown.map(Double.init), columns: columns, context.glyphs), role)
            grid.put(upper, at: place.origin, maxColumns: place.width)
            return
        }
        let rows = Sparkline.tall(shown.map(Double.init), columns: columns, context.glyphs)
        upper.append(rows.upper, role)
        grid.put(upper, at: place.origin, maxColumns: place.width)
        var lower = StyledLine(SafeText("0").paddedStart(to: label.columns + 1 + digits) + " ", .textMuted)
        lower.append(rows.lower, role)
        grid.put(lower, at: Point(x: place.x, y: place.y + 1), maxColumns: place.width)
    }

    /// Seconds before the session began count as nothing, so that the strip has its full length at once.
    private static func filled(_ values: [Int], _ columns: Int) -> [Int] {
        let shown = values.suffix(columns)
        return [Int](repeating: 0, count: columns - shown.count) + shown
    }

    private var latencies: StyledLine {
        var line = StyledLine()
        var parts: [(SafeText, Duration?)] = [("p50 ", activity.latencyMedian), ("p95 ", activity.latency95)]
        if isWide { parts.append(("max ", activity.latencyMaximum)) }
        for (label, value) in parts {
            guard let value else { continue }
            if line.columns > 0 { line.space(2) } else if isWide { line.append("latency ", .textMuted) }
            line.append(label, .textMuted)
            line.add(TimeText.latency(value))
        }
        return line
    }
}
