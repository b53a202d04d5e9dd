import Ports
import Screen
import Session

/// Maps media dates to columns of the timeline: the playhead's column is fixed, dates move under it.
struct TimelineScale {
    /// The spans that the strip may have; the smallest that shows the neighbouring breaks is used.
    static let spans: [Duration] = [
        .seconds(120), .seconds(300), .seconds(600), .seconds(900), .seconds(1_800), .seconds(3_600), .seconds(7_200),
        .seconds(14_400), .seconds(43_200),
    ]
    /// Where the playhead is, in percent of the strip: a live stream has little before it.
    static let livePercent = 75
    static let otherPercent = 47
    /// The span without breaks nearby.
    static let usual: Duration = .seconds(600)
    /// The steps between labels of the axis.
    private static let steps: [Int64] = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400]
    /// The least number of columns between two labels.
    private static let labelDistance = 18

    /// Columns of the strip.
    let width: Int
    /// The column of the playhead.
    let playheadColumn: Int
    /// The media date at the playhead.
    let date: UnixTime
    private let microsecondsPerColumn: Int64

    /// The scale of a strip `width` columns wide around the media date `date`; nil without columns.
    init?(width: Int, date: UnixTime, breaks: [BreakView], playheadPercent: Int) {
        guard width > 0 else { return nil }
        self.width = width
        self.date = date
        playheadColumn = width * playheadPercent / 100
        let span = TimelineScale.span(for: breaks, date: date, leftShare: Double(playheadColumn) / Double(width))
        microsecondsPerColumn = max(1, span.inMicroseconds / Int64(width))
    }

    /// The column of a date; far outside when it is not on the strip.
    func column(of time: UnixTime) -> Int {
        let offset = (time - date).inMicroseconds.flooringDivision(by: microsecondsPerColumn)
        return playheadColumn + Int(min(max(offset, -10_000), 10_000))
    }

    /// The date at the left edge of a column.
    func time(at column: Int) -> UnixTime {
        date + .microseconds(Int64(column - playheadColumn).multipliedSaturating(by: microsecondsPerColumn))
    }

    /// Round dates for the axis, with whether their labels need seconds.
    var ticks: (times: [UnixTime], hasSeconds: Bool) {
        let needed = microsecondsPerColumn.multipliedSaturating(by: Int64(TimelineScale.labelDistance)) / 1_000_000
        let step = TimelineScale.steps.first { $0 >= needed } ?? 28_800
        let first = time(at: 0).microseconds.flooringDivision(by: step * 1_000_000)
        let count = min(width / TimelineScale.labelDistance + 2, 64)
        let times = (0..<Int64(count)).map {
            UnixTime(microseconds: first.addingSaturating($0 + 1).multipliedSaturating(by: step * 1_000_000))
        }
        return (times, step < 60)
    }

    private static func span(for breaks: [BreakView], date: UnixTime, leftShare: Double) -> Duration {
        let next = breaks.first { $0.start > date }.map { ($0.start - date).inSeconds }
        let before = breaks.last { $0.start <= date && $0.hasEnded } ?? breaks.last { $0.start <= date }
        let previous = before.map { (date - $0.start).inSeconds }
        guard next != nil || previous != nil else { return usual }
        // A tenth more, so that the neighbours are not at the very edge.
        let wanted = max((next ?? 0) * 1.1 / (1 - leftShare), (previous ?? 0) * 1.1 / max(leftShare, 0.01))
        return spans.first { $0.inSeconds >= wanted } ?? spans[spans.count - 1]
    }
}
