/// Stacked bars as inline SVG: a scale on the left, a column for each value, labels below.
struct StackedChart {
    /// A kind of bar.
    struct Series {
        var name: String
        /// Class in the style sheet.
        var style: String
    }

    private static let (width, height) = (960.0, 200.0)
    /// Space beside and above the columns.
    private static let (left, bottom, top) = (56.0, 28.0, 16.0)
    private static let ground = height - bottom

    private let values: [[Int]]
    private let labels: [String]
    private let series: [Series]
    private let largest: Int
    /// Width of a column.
    private let step: Double
    /// Whether the first number of a column is above it.
    var showsCounts = false

    /// - Parameter values: for each column a number for each series.
    init(_ values: [[Int]], labels: [String], series: [Series]) {
        (self.values, self.labels, self.series) = (values, labels, series)
        largest = max(1, values.map { $0.reduce(0, +) }.max() ?? 1)
        step = (Self.width - Self.left) / Double(max(1, values.count))
    }

    /// - Parameter ticks: columns whose labels are shown.
    func markup(ticks: [Int]) -> HTMLText {
        var markup =
            #"<svg class="chart" viewBox="0 0 \#(SVGMarkup.figure(Self.width)) \#(SVGMarkup.figure(Self.height))" role="img">"#
        markup += grid
        for (index, stack) in values.enumerated() { markup += column(index, stack) }
        markup += line("axis", y: Self.ground)
        for tick in Set(ticks).sorted() where labels.indices.contains(tick) {
            // Where some have no label, the first and the last one end with the chart.
            markup += label(of: tick, staysInside: ticks.count < labels.count)
        }
        return HTMLText(markup: markup + "</svg>")
    }

    /// Lines at the largest number and at half of it.
    private var grid: String {
        [largest, largest / 2].filter { $0 > 0 }.map { number in
            let y = Self.ground - Double(number) * scale
            return line("grid", y: y) + SVGMarkup.label("\(number)", x: Self.left - 6, y: y + 4, anchor: "end")
        }.joined()
    }

    private func column(_ index: Int, _ stack: [Int]) -> String {
        var y = Self.ground
        let x = Self.left + Double(index) * step
        let words = zip(series, stack).filter { $0.1 > 0 }.map { "\($0.0.name) \($0.1)" }.joined(separator: ", ")
        var markup = "<g><title>\(HTMLText.escaped(labels[index])): \(words.isEmpty ? "nothing" : words)</title>"
        // The whole column reacts to the pointer, not only the bar.
        markup += SVGMarkup.rectangle("hit", x: x, y: Self.top, width: step, height: Self.ground - Self.top)
        for (part, count) in zip(series, stack) where count > 0 {
            let size = max(1, Double(count) * scale)
            y -= size
            markup += SVGMarkup.rectangle(part.style, x: x + step * 0.1, y: y, width: step * 0.8, height: size)
        }
        if showsCounts, let count = stack.first, count > 0 {
            markup += SVGMarkup.label("\(count)", x: x + step / 2, y: y - 4, anchor: "middle")
        }
        return markup + "</g>"
    }

    private func label(of tick: Int, staysInside: Bool) -> String {
        let isFirst = staysInside && tick == 0
        let isLast = staysInside && tick == labels.count - 1
        let x = Self.left + (Double(tick) + (isLast ? 1 : isFirst ? 0 : 0.5)) * step
        return SVGMarkup.label(
            labels[tick], x: x, y: Self.height - 8, anchor: isLast ? "end" : isFirst ? "start" : "middle")
    }

    private func line(_ style: String, y: Double) -> String {
        #"<path class="\#(style)" d="M\#(SVGMarkup.figure(Self.left)) \#(SVGMarkup.figure(y))H\#(SVGMarkup.figure(Self.width))"/>"#
    }

    /// Height of one.
    private var scale: Double { (Self.ground - Self.top) / Double(largest) }
}
