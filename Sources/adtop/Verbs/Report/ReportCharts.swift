import Live
import Ports
import Session

/// The charts of the page as inline SVG. Each bar has a title, which a browser shows under the pointer and a screen
/// reader reads. Colours are classes, so the page's style sheet decides between light and dark.
enum ReportCharts {
    typealias Series = StackedChart.Series

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
        return StackedChart(values, labels: labels, series: Self.course)
            .markup(ticks: [0, labels.count / 2, labels.count - 1])
    }

    /// One bar for each bucket.
    static func lateness(_ histogram: DelayHistogram) -> HTMLText {
        let labels = histogram.counts.indices.map(DelayHistogram.label)
        var chart = StackedChart(
            histogram.counts.map { [$0] }, labels: labels, series: [Series(name: "beacons", style: "one")])
        chart.showsCounts = true
        return chart.markup(ticks: Array(labels.indices))
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
            markup +=
                #"<rect class="\#(series.style)" x="\#(SVGMarkup.figure(x))" y="0" width="\#(SVGMarkup.figure(part))" height="8"/>"#
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
        var markup = #"<svg class="strip" viewBox="0 0 \#(SVGMarkup.figure(width)) 16" role="img">"#
        markup += "<title>\(HTMLText.escaped(words.joined(separator: ", ")))</title>"
        for (bucket, count) in parts {
            let height = max(1, Double(count) / Double(largest) * 15)
            markup += SVGMarkup.rectangle("one", x: Double(bucket) * 8 + 1, y: 15 - height, width: 6, height: height)
        }
        return HTMLText(markup: markup + #"<path class="axis" d="M0 15.5H\#(SVGMarkup.figure(width))"/></svg>"#)
    }
}
