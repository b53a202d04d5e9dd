import Ports

/// Starts of ads that metadata listed when their date had been shown, while the playlist may yet list media with that date behind a step
/// back (TRK-30). Until it does, they were neither shown nor are they yet to come.
struct UndecidedStarts: Sendable {
    /// Dates that are shown a second time behind a step back.
    struct Return: Sendable {
        /// The first one.
        var next: UnixTime
        /// That through which the playlist lists them.
        var listed: UnixTime
        /// The end of them; not included.
        var end: UnixTime
    }

    /// Maximum number of starts; what comes beyond it counts as shown before the step.
    private static let limit = 256
    /// How long before its media metadata may list an ad. One that is further ahead counts as shown before the step: behind a step of a day
    /// its date would come again a day later.
    private static let longestWait: Duration = .seconds(300)

    private(set) var starts: [UnixTime] = []

    /// An ad that starts at `start` is listed now, and that date was shown.
    mutating func note(_ start: UnixTime, among returns: [Return]) {
        guard starts.count < Self.limit, !contains(start), Self.mayCome(start, among: returns) else { return }
        starts.append(start)
    }

    func contains(_ start: UnixTime) -> Bool { SeamClock.has(start, in: starts) }

    /// Removes those whose place the playlist shows by now.
    mutating func takeDecided(among returns: [Return]) -> [UnixTime] {
        let decided = starts.filter { !Self.mayCome($0, among: returns) }
        if !decided.isEmpty { starts.removeAll(where: decided.contains) }
        return decided
    }

    /// The same media has other dates from now on.
    mutating func redate(by shift: Duration) { starts = starts.map { $0 + shift } }

    private static func mayCome(_ start: UnixTime, among returns: [Return]) -> Bool {
        returns.contains { dates in
            start >= dates.next - SeamClock.slack && start < dates.end && dates.listed < start + SeamClock.slack
                && start - dates.listed <= longestWait
        }
    }
}
