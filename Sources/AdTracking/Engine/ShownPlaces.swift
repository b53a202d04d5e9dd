import Ports

/// The dates that were shown in media played without a gap, one run for each step of the dates, in the order in which they were shown.
///
/// How late something is, is media played since its place. The distance of two dates is that only where no step lies between them: behind a
/// step of a day all of the other side is a day ago, or yet to come (TRK-11).
struct ShownPlaces: Sendable {
    /// Maximum number of runs; beyond it the oldest are forgotten.
    private static let limit = 16

    private var runs: [ClosedRange<UnixTime>] = []

    /// `stretch` was played.
    /// - Parameter continues: whether its dates follow those of the last run.
    mutating func show(_ stretch: ClosedRange<UnixTime>, continues: Bool) {
        if continues, let last = runs.popLast() {
            runs.append(min(last.lowerBound, stretch.lowerBound)...max(last.upperBound, stretch.upperBound))
            return
        }
        runs.append(stretch)
        if runs.count > Self.limit { runs.removeFirst() }
    }

    /// The same media has other dates from now on.
    mutating func redate(by shift: Duration) {
        runs = runs.map { ($0.lowerBound + shift)...($0.upperBound + shift) }
    }

    /// The media that follows is elsewhere: what was shown is as far from it as the dates have it.
    mutating func stop() { runs = [] }

    /// How much media was played since the last place of `date`, for a viewer at `position`; the distance of the dates where that place is
    /// not behind a step.
    func distance(from date: UnixTime, to position: UnixTime) -> Duration {
        guard let last = runs.last, last.contains(position), !last.contains(date) else { return position - date }
        var passed = position - last.lowerBound
        for run in runs.dropLast().reversed() {
            if run.contains(date) { return passed + (run.upperBound - date) }
            passed += run.upperBound - run.lowerBound
        }
        return position - date
    }
}
