import Ports
import Screen

/// Where the time of a request went: `dns ▏connect ▎wait ████▌ 198 ms`.
enum TimingBar {
    /// Cells of the whole time.
    private static let cells = 16
    private static let eighths: [SafeText] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    static func line(_ timings: HTTPExchange.Timings, _ context: ViewContext) -> StyledLine {
        let phases: [(SafeText, Int64?)] = [
            ("dns", timings.resolve), ("connect", timings.connect), ("wait", timings.wait),
            ("receive", timings.receive),
        ]
        let whole = max(1, timings.total)
        var line = StyledLine()
        for (name, time) in phases {
            guard let time, time > 0 else { continue }
            line.append(name + " ", .textMuted)
            line.append(bar(time, of: whole, context.glyphs), .spark)
            line.space()
        }
        line.add(TimeText.latency(.microseconds(timings.total)), .text)
        return line
    }

    /// At least an eighth of a cell, so that every phase is seen.
    private static func bar(_ part: Int64, of whole: Int64, _ glyphs: Glyphs) -> SafeText {
        let share = min(1, Double(part) / Double(whole))
        let parts = max(1, Int((share * Double(cells * 8)).rounded()))
        guard !glyphs.isASCII else { return SafeText(glyphs.gaugeFull, count: max(1, parts / 8)) }
        let full = SafeText(glyphs.gaugeFull, count: parts / 8)
        return parts % 8 == 0 ? full : full + eighths[parts % 8 - 1]
    }
}
