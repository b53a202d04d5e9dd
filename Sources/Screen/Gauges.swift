/// A series as one row of levels, newest at the right.
package enum Sparkline {
    /// The last `columns` values against the greatest of them, or against `top`; zero and unknown values take the lowest level.
    package static func text(
        _ values: some Collection<Double>, columns: Int, of top: Double? = nil, _ glyphs: Glyphs
    ) -> SafeText {
        let shown = values.suffix(max(columns, 0))
        let top = top ?? shown.filter(\.isFinite).max() ?? 0
        return shown.reduce(SafeText.empty) { $0 + SafeText(glyphs.sparks[level($1, of: top, glyphs.sparks.count)]) }
    }

    /// The same in two rows of twice as many levels, the upper one first.
    package static func tall(
        _ values: some Collection<Double>, columns: Int, of top: Double? = nil, _ glyphs: Glyphs
    ) -> (upper: SafeText, lower: SafeText) {
        let shown = values.suffix(max(columns, 0))
        let top = top ?? shown.filter(\.isFinite).max() ?? 0
        let count = glyphs.sparks.count
        return shown.reduce((SafeText.empty, SafeText.empty)) { rows, value in
            let level = level(value, of: top, count * 2)
            let upper = level < count ? SafeText(" ") : SafeText(glyphs.sparks[level - count])
            return (rows.0 + upper, rows.1 + SafeText(glyphs.sparks[min(level, count - 1)]))
        }
    }

    /// The level of a value: 0 only for nothing, the highest only for the greatest.
    package static func level(_ value: Double, of top: Double, _ levels: Int) -> Int {
        guard value.isFinite, value > 0, top > 0, levels > 1 else { return 0 }
        return min(max(Int((value / top * Double(levels - 1)).rounded(.up)), 1), levels - 1)
    }
}

/// A share as a bar.
package enum Gauge {
    /// `fraction` of the columns filled; more than 0 fills at least one cell, less than 1 leaves at least one empty.
    package static func text(_ fraction: Double, columns: Int, _ glyphs: Glyphs) -> SafeText {
        let columns = min(max(columns, 0), Size.limit)
        let filled = filledColumns(fraction, of: columns)
        return SafeText(glyphs.gaugeFull, count: filled) + SafeText(glyphs.gaugeEmpty, count: columns - filled)
    }

    /// How many of `columns` are filled.
    package static func filledColumns(_ fraction: Double, of columns: Int) -> Int {
        let columns = min(columns, Size.limit)
        guard columns > 0, fraction > 0 else { return 0 }
        guard fraction < 1 else { return columns }
        return columns == 1 ? 0 : min(max(Int((fraction * Double(columns)).rounded()), 1), columns - 1)
    }
}
