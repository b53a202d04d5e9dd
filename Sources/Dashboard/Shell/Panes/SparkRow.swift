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
    /// - Parameter quiet: the role of a second without any.
    private func draw(
        _ label: SafeText, _ values: [Int], _ busy: Role, quiet: Role, _ place: Rect, on grid: inout Grid
    ) {
        let digits = 3
        let columns = min(max(place.width - label.columns - digits - 2, 0), isWide ? 60 : 30)
        let shown = Self.filled(values, columns)
        let top = shown.max() ?? 0
        var upper = StyledLine(label + " ", .textMuted)
        upper.append(SafeText(outside: "\(min(top, 999))").paddedStart(to: digits) + " ", .textMuted)
        var lower = StyledLine(SafeText("0").paddedStart(to: label.columns + 1 + digits) + " ", .textMuted)
        for run in Self.runs(shown) {
            let (values, role) = (run.map(Double.init), run.contains { $0 > 0 } ? busy : quiet)
            guard place.height > 1 else {
                upper.append(Sparkline.text(values, columns: run.count, of: Double(top), context.glyphs), role)
                continue
            }
            let rows = Sparkline.tall(values, columns: run.count, of: Double(top), context.glyphs)
            upper.append(rows.upper, role)
            lower.append(rows.lower, role)
        }
        grid.put(upper, at: place.origin, maxColumns: place.width)
        if place.height > 1 { grid.put(lower, at: Point(x: place.x, y: place.y + 1), maxColumns: place.width) }
    }

    /// Values one after another that are all more than zero, or all zero.
    private static func runs(_ values: [Int]) -> [ArraySlice<Int>] {
        var runs: [ArraySlice<Int>] = []
        var start = 0
        for index in values.indices where index + 1 == values.count || (values[index] > 0) != (values[index + 1] > 0) {
            runs.append(values[start...index])
            start = index + 1
        }
        return runs
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
