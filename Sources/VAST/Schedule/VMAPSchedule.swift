/// The breaks of a VMAP document in the order in which playback reaches them (VMAP-1).
package struct VMAPSchedule: Hashable, Sendable {
    /// One point at which the content stops for ads.
    package struct Stop: Hashable, Sendable {
        /// Milliseconds of content; nil for the end of content of unknown duration.
        package var atMilliseconds: Int64?
        /// Whether the stop is before, after or within the content.
        package var position: Position
        /// Indices into `breaks` of the document, those at `start` first, then in document order; they play as one break.
        package var breaks: [Int]
        /// 0 for the first time, incremented for each repetition.
        package var occurrence: Int
    }

    package enum Position: String, Hashable, Sendable {
        case preRoll = "pre", midRoll = "mid", postRoll = "post"

        /// The value of the macro BREAKPOSITION.
        package var macroValue: Int {
            switch self {
            case .preRoll: 1
            case .midRoll: 2
            case .postRoll: 3
            }
        }
    }

    /// The stops in the order of time.
    package var stops: [Stop] = []
    /// Breaks assigned to the n-th opportunity that the player knows: number and index.
    package var byOpportunity: [Opportunity] = []
    /// Indices of breaks at a percentage of an unknown duration.
    package var unplaced: [Int] = []
    /// Indices of breaks with an unreadable offset.
    package var invalid: [Int] = []
    /// Indices of breaks that would repeat more often than ``maximumRepetitions`` allows.
    package var cut: [Int] = []

    /// Milliseconds by which the segments of a stream may be shorter than the content for which a document was made.
    package static let endTolerance: Int64 = 1_000

    private var repetitions = 0
    /// Index into ``stops`` while they are collected.
    private var places: [Place: Int] = [:]

    private struct Place: Hashable {
        var position: Position
        var time: Int64?
    }

    package struct Opportunity: Hashable, Sendable {
        /// Number of the opportunity, from 1.
        package var number: Int
        package var index: Int
    }

    /// Most repetitions of all breaks with `repeatAfter`, for tiny periods. Three breaks that repeat every 30 s through
    /// a day have fewer.
    package static let maximumRepetitions = 10_000

    /// `duration` is that of the content in milliseconds; nil while unknown, in which case breaks do not repeat.
    package init(_ document: VMAPDocument, duration: Int64?) {
        // What is at `start` plays before everything, also before what is at the time 0.
        let first = document.breaks.indices.filter { document.breaks[$0].offset == .start }
        let others = document.breaks.indices.filter { document.breaks[$0].offset != .start }
        for index in first + others {
            let entry = document.breaks[index]
            switch entry.offset {
            case .start: add(index, at: 0, .preRoll, 0)
            case .end: add(index, at: duration, .postRoll, 0)
            case .milliseconds(let time): place(index, entry, at: time, duration: duration)
            case .percent(let percent):
                guard let time = TimeOffset.percent(percent).milliseconds(ofDuration: duration) else {
                    unplaced.append(index)
                    continue
                }
                place(index, entry, at: time, duration: duration)
            case .position(let number): byOpportunity.append(Opportunity(number: number, index: index))
            case .invalid: invalid.append(index)
            }
        }
        stops = stops.enumerated().sorted {
            let (left, right) = ($0.element, $1.element)
            return (left.rank, left.atMilliseconds ?? .max, $0.offset) < (
                right.rank, right.atMilliseconds ?? .max, $1.offset
            )
        }.map(\.element)
        places = [:]
    }

    /// Documents with times or shares alone have the breaks before and after the content at 0 and at its end.
    private static func position(of time: Int64, duration: Int64?) -> Position {
        if time == 0 { return .preRoll }
        guard let duration, duration >= 0, time >= duration, time - duration <= endTolerance else { return .midRoll }
        return .postRoll
    }

    private mutating func place(_ index: Int, _ entry: VMAPDocument.Break, at time: Int64, duration: Int64?) {
        let position = Self.position(of: time, duration: duration)
        add(index, at: position == .postRoll ? duration : time, position, 0)
        guard let period = entry.repeatAfterMilliseconds, period > 0, let duration else { return }
        var next = time
        var occurrence = 1
        while true {
            let (sum, overflow) = next.addingReportingOverflow(period)
            guard !overflow, sum < duration else { return }
            guard repetitions < Self.maximumRepetitions else { return cut.append(index) }
            next = sum
            add(index, at: next, .midRoll, occurrence)
            repetitions += 1
            occurrence += 1
        }
    }

    /// Breaks at the same time form one stop.
    private mutating func add(_ index: Int, at time: Int64?, _ position: Position, _ occurrence: Int) {
        let place = Place(position: position, time: time)
        if let twin = places[place] {
            stops[twin].breaks.append(index)
        } else {
            places[place] = stops.count
            stops.append(Stop(atMilliseconds: time, position: position, breaks: [index], occurrence: occurrence))
        }
    }
}

extension VMAPSchedule.Stop {
    /// The sort key: `start` is before everything, and `end` after it.
    fileprivate var rank: Int {
        switch position {
        case .preRoll: 0
        case .midRoll: 1
        case .postRoll: 2
        }
    }
}
