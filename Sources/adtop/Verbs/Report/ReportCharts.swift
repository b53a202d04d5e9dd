import Live
import Ports
import Session

/// The charts of the page as inline SVG. Each bar has a title, which a browser shows under the pointer and a screen
/// reader reads. Colours are classes, so the page's style sheet decides between light and dark.
enum ReportCharts {
    private static let width = 960.0

    /// A kind of bar.
    struct Series {
        var name: String
        /// Class in the style sheet.
        var style: String
    }

    static let course = [
        Series(name: "done", style: "ok"), Series(name: "failed", style: "bad"),
        Series(name: "unknown or busy", style: "odd"), Series(name: "not sent", style: "off"),
    ]

    /// Stacked bars over time.
    static func course(_ course: JournalReport.Course) -> HTMLText {
        let values = course.stretches.map { [$0.acknowledged, $0.failed, $0.unanswered, $0.unsent] }
        let labels = course.stretches.indices.map { index in
            String((course.start + course.length * index).iso8601.prefix(19).replacing("T", with: " "))
        }
        return stacked(values, labels: labels, series: Self.course, ticks: [0, labels.count / 2, labels.count - 1])
    }

    /// One bar for each bucket.
    static func lateness(_ histogram: DelayHistogram) -> HTMLText {
        let labels = histogram.counts.indices.map(DelayHistogram.label)
        return stacked(
            histogram.counts.map { [$0] }, labels: labels, series: [Series(name: "beacons", style: "one")],
            ticks: Array(labels.indices), showsCounts: true)
    }

    /// The shares of the states as one bar, for a row of a table.
    static func share(_ tally: JournalReport.Tally) -> HTMLText {
        let parts = [
            (tally.acknowledged, course[0]), (tally.failed, course[1]), (tally.unknown + tally.open, course[2]),
            (tally.observed + tally.skipped, course[3]),
        ]
        guard tally.due > 0 else { return HTMLText(markup: "") }
        var markup = #"<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" role="img">"#
        markup += "<title>\(parts.filter { $0.0 > 0 }.map { "\($0.1.name) \($0.0)" }.joined(separator: ", "))</title>"
        var x = 0.0
        for (count, series) in parts where count > 0 {
            let part = Double(count) / Double(tally.due) * 100
            markup += #"<rect class="\#(series.style)" x="\#(figure(x))" y="0" width="\#(figure(part))" height="8"/>"#
            x += part
        }
        return HTMLText(markup: markup + "</svg>")
    }

    /// A histogram as small bars, for a row of a table; empty without beacons.
    static func strip(_ histogram: DelayHistogram) -> HTMLText {
        let largest = histogram.counts.max() ?? 0
        guard largest > 0 else { return HTMLText(markup: "") }
        let parts = histogram.counts.enumerated().filter { $0.element > 0 }
        let words = parts.map { "\(DelayHistogram.label(ofBucket: $0.offset)) \($0.element)" }
        let width = 8.0 * Double(histogram.counts.count)
        var markup = #"<svg class="strip" viewBox="0 0 \#(figure(width)) 16" role="img">"#
        markup += "<title>\(HTMLText.escaped(words.joined(separator: ", ")))</title>"
        for (bucket, count) in parts {
            let height = max(1, Double(count) / Double(largest) * 15)
            markup += rectangle("one", x: Double(bucket) * 8 + 1, y: 15 - height, width: 6, height: height)
        }
        return HTMLText(markup: markup + #"<path class="axis" d="M0 15.5H\#(figure(width))"/></svg>"#)
    }

    private static func stacked(
        _ values: [[Int]], labels: [String], series: [Series], ticks: [Int], showsCounts: Bool = false
    ) -> HTMLText {
        let height = 200.0
        let (left, bottom, top) = (56.0, 28.0, 16.0)
        let largest = max(1, values.map { $0.reduce(0, +) }.max() ?? 1)
        let step = (width - left) / Double(max(1, values.count))
        let scale = (height - bottom - top) / Double(largest)
        var markup = #"<svg class="chart" viewBox="0 0 \#(figure(width)) \#(figure(height))" role="img">"#
        for line in [largest, largest / 2] where line > 0 {
            let y = height - bottom - Double(line) * scale
            markup += #"<path class="grid" d="M\#(figure(left)) \#(figure(y))H\#(figure(width))"/>"#
            markup += label("\(line)", x: left - 6, y: y + 4, anchor: "end")
        }
        for (index, stack) in values.enumerated() {
            var y = height - bottom
            let x = left + Double(index) * step
            let words = zip(series, stack).filter { $0.1 > 0 }.map { "\($0.0.name) \($0.1)" }.joined(separator: ", ")
            markup += "<g><title>\(HTMLText.escaped(labels[index])): \(words.isEmpty ? "nothing" : words)</title>"
            // The whole column reacts to the pointer, not only the bar.
            markup += rectangle("hit", x: x, y: top, width: step, height: height - bottom - top)
            for (part, count) in zip(series, stack) where count > 0 {
                let size = max(1, Double(count) * scale)
                y -= size
                markup += rectangle(part.style, x: x + step * 0.1, y: y, width: step * 0.8, height: size)
            }
            if showsCounts, let count = stack.first, count > 0 {
                markup += label("\(count)", x: x + step / 2, y: y - 4, anchor: "middle")
            }
            markup += "</g>"
        }
        markup += #"<path class="axis" d="M\#(figure(left)) \#(figure(height - bottom))H\#(figure(width))"/>"#
        for tick in Set(ticks).sorted() where labels.indices.contains(tick) {
            let isEdge = ticks.count < labels.count && tick == labels.count - 1
            let isFirst = ticks.count < labels.count && tick == 0
            markup += label(
                labels[tick], x: left + (Double(tick) + (isEdge ? 1 : isFirst ? 0 : 0.5)) * step, y: height - 8,
                anchor: isEdge ? "end" : isFirst ? "start" : "middle")
        }
        return HTMLText(markup: markup + "</svg>")
    }

    private static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> String {
        #"<rect class="\#(style)" x="\#(figure(x))" y="\#(figure(y))" width="\#(figure(width))" height="\#(figure(height))"/>"#
    }

    private static func label(_ text: String, x: Double, y: Double, anchor: String) -> String {
        #"<text x="\#(figure(x))" y="\#(figure(y))" text-anchor="\#(anchor)">\#(HTMLText.escaped(text))</text>"#
    }

    /// One decimal, with a point in every locale.
    private static func figure(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
