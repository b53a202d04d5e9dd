import Screen
import Session

/// The outcomes of the last hour as cells, the newest at the right: each shows the worst of its minutes.
enum HourStrip {
    static func line(_ minutes: [MinuteOutcome], cells: Int, _ glyphs: Glyphs) -> StyledLine {
        var line = StyledLine()
        guard cells > 0, !minutes.isEmpty else { return line }
        for cell in 0..<cells {
            let part = minutes[minutes.count * cell / cells..<minutes.count * (cell + 1) / cells]
            guard let sign = sign(of: part.max() ?? .quiet) else {
                line.append(SafeText(glyphs.track), .textMuted)
                continue
            }
            line.append(SafeText(glyphs.cell(sign)), sign.role)
        }
        return line
    }

    /// Nil where no beacon was due.
    static func sign(of outcome: MinuteOutcome) -> StateSign? {
        switch outcome {
        case .quiet: nil
        case .notSent: .off
        case .observed: .observed
        case .acknowledged: .done
        case .late: .retry
        case .unknown: .unknown
        case .failed: .failed
        }
    }
}
