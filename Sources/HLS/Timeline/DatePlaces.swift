import Algorithms
import Ports

/// The positions of many dates on one timeline: what ``Timeline/position(of:)`` finds, without a search among all runs of dates for each
/// date. A hostile playlist has as many runs as segments, and as many dates to place.
struct DatePlaces {
    private let timeline: Timeline
    /// The starts and ends of all runs, ascending.
    private let bounds: [UnixTime]
    /// The last run that has the dates from each bound to the next; nil where none has them.
    private var owners: [Range<Int>?]

    init(_ timeline: Timeline) {
        self.timeline = timeline
        let runs = timeline.dateRunsFromLast.compactMap { run in timeline.dates(of: run).map { (run: run, dates: $0) } }
        let bounds = Array(runs.flatMap { [$0.dates.lowerBound, $0.dates.upperBound] }.sorted().uniqued())
        self.bounds = bounds
        owners = Array(repeating: nil, count: max(0, bounds.count - 1))
        // The next stretch at or behind each one that no run has yet, as far as is known.
        var open = Array(owners.indices) + [owners.count]
        func nextOpen(_ index: Int) -> Int {
            var end = index
            while open[end] != end { end = open[end] }
            var step = index
            while open[step] != end { (open[step], step) = (end, open[step]) }
            return end
        }
        for (run, dates) in runs {
            let end = bounds.partitioningIndex { $0 >= dates.upperBound }
            var index = nextOpen(bounds.partitioningIndex { $0 >= dates.lowerBound })
            while index < end {
                owners[index] = run
                open[index] = index + 1
                index = nextOpen(index)
            }
        }
    }

    /// Whether the newest playlist lists nothing yet at a position.
    func isAhead(_ position: StreamTime) -> Bool { timeline.listed.last.map { position >= $0.end } ?? true }

    func position(of date: UnixTime) -> StreamTime? {
        let index = bounds.partitioningIndex { $0 > date } - 1
        let run = owners.indices.contains(index) ? owners[index] : nil
        return run.map { timeline.position(of: date, in: $0) } ?? timeline.extrapolatedPosition(of: date)
    }
}
