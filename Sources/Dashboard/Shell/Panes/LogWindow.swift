import Ports
import Session

/// The entries of the log that pass level and filter, walked from the reader's place: never the whole log per frame.
struct LogWindow {
    /// The log that is shown.
    let log: LogView
    /// Level, filter and the reader's place.
    let state: LogState
    private let filter: TextFilter

    /// The window of a log in the place of `state`.
    init(_ log: LogView, _ state: LogState) {
        self.log = log
        self.state = state
        filter = TextFilter(state.filter)
    }

    /// Whether a line is shown.
    func passes(_ entry: LogEntry) -> Bool {
        if let adBreak = state.adBreak, !adBreak.isSubject(of: entry) { return false }
        // What goes wrong is shown whatever it is about.
        guard entry.level >= state.level, state.sources.contains(entry.source) || entry.level > .info else {
            return false
        }
        return entry.session.map { filter.passes(anyOf: [$0, entry.message]) } ?? filter.passes(entry.message)
    }

    /// Lines of which the words to filter by are taken.
    private static let readForWords = 1_000

    /// The words of a log to filter by, of lines that the level and the sources of `state` show: sessions, and what lines begin with.
    static func words(of log: LogView, shownBy state: LogState) -> [FilterWord] {
        var unfiltered = state
        unfiltered.filter = ""
        let lines = log.suffix(readForWords).filter(LogWindow(log, unfiltered).passes)
        let starts = lines.map { String($0.message.prefix { $0.isLetter }) }
        return FilterWord.joined(
            FilterWord.counted(lines.compactMap(\.session), "line"), FilterWord.counted(starts, "line"))
    }

    /// The position of an entry's number, clamped to what is kept.
    func position(of number: Int) -> Int {
        guard let first = log[0]?.number else { return 0 }
        return min(max(number - first, 0), max(log.count - 1, 0))
    }

    /// Position of the bottom line: the tail, or the entry to which the reader has scrolled.
    var bottom: Int { state.bottom.map(position) ?? log.count - 1 }

    /// Lines that follow each other with the same text, as one.
    struct Line: Equatable {
        /// The newest of them.
        var entry: LogEntry
        /// How many there are.
        var count = 1
        /// Whether it is out of its place, which is further up: the newest problem, kept in sight.
        var isPinned = false

        func isAlike(_ other: LogEntry) -> Bool {
            entry.message == other.message && entry.level == other.level && entry.session == other.session
                && entry.host == other.host
        }
    }

    /// At most `count` lines of passing entries, alike ones folded, oldest first; see `entries`.
    func lines(_ count: Int) -> [Line] {
        guard count > 0 else { return [] }
        var lines: [Line] = []
        var position = bottom
        while position >= 0 {
            if let entry = log[position], passes(entry) {
                if lines.last?.isAlike(entry) == true {
                    lines[lines.count - 1].count += 1
                } else {
                    guard lines.count < count else { break }
                    lines.append(Line(entry: entry))
                }
            }
            position -= 1
        }
        lines.reverse()
        position = bottom + 1
        while position < log.count, lines.count < count {
            if let entry = log[position], passes(entry) {
                if let last = lines.last, last.isAlike(entry) {
                    lines[lines.count - 1] = Line(entry: entry, count: last.count + 1)
                } else {
                    lines.append(Line(entry: entry))
                }
            }
            position += 1
        }
        return lines
    }

    /// How long a problem is kept in sight: long enough for a reader to see it and look for its cause. After that, header and
    /// findings still count it, and in a quiet session the line would take the place of news for days.
    static let problemSpan: Duration = .seconds(600)

    /// The newest problem, as long as it is kept in sight; nil where the log is read further up.
    var problem: LogEntry? {
        guard state.bottom == nil, let problem = log.newestProblem, passes(problem), let newest = log.last,
            newest.at.uptime - problem.at.uptime <= Self.problemSpan
        else { return nil }
        return problem
    }

    /// As `lines`; at the tail the newest problem is the first line where it would be out of sight, so that it is seen
    /// however much is logged in the ``problemSpan`` after it.
    func linesWithProblem(_ count: Int) -> [Line] {
        let lines = lines(count)
        guard lines.count == count, count > 1, let problem, let first = lines.first?.entry,
            problem.number < first.number
        else { return lines }
        // The first line is the newest of those that are alike.
        return [Line(entry: problem, isPinned: true)] + lines.dropFirst()
    }

    /// At most `count` passing entries, oldest first, the last of them at or before the bottom. Where too few are
    /// above, entries below fill up, so that the window is never emptier than the log.
    func entries(_ count: Int) -> [LogEntry] {
        guard count > 0 else { return [] }
        var shown: [LogEntry] = []
        var position = bottom
        while position >= 0, shown.count < count {
            if let entry = log[position], passes(entry) { shown.append(entry) }
            position -= 1
        }
        shown.reverse()
        position = bottom + 1
        while position < log.count, shown.count < count {
            if let entry = log[position], passes(entry) { shown.append(entry) }
            position += 1
        }
        return shown
    }

    /// The number of the entry at the bottom after scrolling by rows, down when positive; nil is the tail. Alike entries are one line here,
    /// too, and it is a whole line that scrolls.
    /// - Parameter rows: how many rows an entry has on the screen.
    func bottom(scrolledBy distance: Int, height: Int, rows: (LogEntry) -> Int = { _ in 1 }) -> Int? {
        var landed = bottom
        // The line at the bottom of the screen is the last one that passes.
        while landed > 0, let entry = log[landed], !passes(entry) { landed -= 1 }
        // Scrolling up stops where the window is still full.
        let lowest = distance < 0 ? bottomFromTop(height, rows) : 0
        var left = Int(clamping: distance.magnitude)
        var hasMoved = false
        while left > 0, let next = distance < 0 ? lineAbove(landed) : lineBelow(landed), next >= lowest {
            // What leaves the screen at the bottom, or comes in there. A line that is longer than the rest stays, so that no row is passed
            // over.
            let length = log[distance < 0 ? landed : next].map(rows) ?? 1
            guard !hasMoved || length <= left else { break }
            (landed, hasMoved) = (next, true)
            left -= length
        }
        if distance > 0 { landed = endOfLine(landed) }
        return passing(from: landed, step: 1) == nil ? nil : log[landed]?.number
    }

    /// The last entry of the last line that is whole when the oldest is at the top.
    private func bottomFromTop(_ height: Int, _ rows: (LogEntry) -> Int) -> Int {
        var last = -1
        var left = height
        while left > 0, let next = passing(from: last, step: 1), let entry = log[next] {
            let length = rows(entry)
            guard last < 0 || length <= left else { break }
            last = endOfLine(next)
            left -= length
        }
        return max(last, 0)
    }

    /// The last entry of the line above that of an entry; nil at the top.
    private func lineAbove(_ position: Int) -> Int? {
        guard let line = log[position].map({ Line(entry: $0) }) else { return nil }
        var above = passing(from: position, step: -1)
        while let place = above, let entry = log[place], line.isAlike(entry) { above = passing(from: place, step: -1) }
        return above
    }

    /// The last entry of the line below that of an entry; nil at the end.
    private func lineBelow(_ position: Int) -> Int? {
        passing(from: endOfLine(position), step: 1).map(endOfLine)
    }

    /// The last entry of the line that an entry is in.
    private func endOfLine(_ position: Int) -> Int {
        guard let line = log[position].map({ Line(entry: $0) }) else { return position }
        var end = position
        while let next = passing(from: end, step: 1), let entry = log[next], line.isAlike(entry) { end = next }
        return end
    }

    /// The next entry that passes, in that direction.
    private func passing(from position: Int, step: Int) -> Int? {
        var position = position + step
        while let entry = log[position] {
            if passes(entry) { return position }
            position += step
        }
        return nil
    }
}
