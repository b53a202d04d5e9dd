import Ports
import Screen
import Session

/// Beacons and errors of the last seconds, and the latencies of answers.
enum SparkRow {
    /// Draws both series and the latencies in one row.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let row = rect.inset(columns: 1, rows: 0)
        guard !row.isEmpty else { return }
        let isWide = context.sizeClass == .huge
        let right = latencies(context, isWide: isWide)
        let labels =
            isWide ? ("beacons/s  ", "     errors/s  ") : ("beacons/s  ", "   errors  ") as (SafeText, SafeText)
        let room = row.width - right.columns - labels.0.columns - labels.1.columns - 3
        let columns = min(max(room / 2, 0), isWide ? 60 : 30)
        let activity = context.snapshot.activity
        var line = StyledLine(labels.0, .textMuted)
        line.append(spark(activity.beaconsPerSecond, columns, context.glyphs), .spark)
        line.append(labels.1, .textMuted)
        line.append(
            spark(activity.errorsPerSecond, columns, context.glyphs),
            activity.errorsPerSecond.suffix(columns).contains { $0 > 0 } ? .sparkBad : .textMuted)
        grid.put(line, at: row.origin, maxColumns: row.width)
        grid.put(right, at: Point(x: row.maxX - right.columns, y: row.y))
    }

    /// Seconds before the session began count as nothing, so that the strip has its full length at once.
    private static func spark(_ values: [Int], _ columns: Int, _ glyphs: Glyphs) -> SafeText {
        let shown = values.suffix(columns)
        let blank = [Double](repeating: 0, count: columns - shown.count)
        return Sparkline.text(blank + shown.map(Double.init), columns: columns, glyphs)
    }

    private static func latencies(_ context: ViewContext, isWide: Bool) -> StyledLine {
        let activity = context.snapshot.activity
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
