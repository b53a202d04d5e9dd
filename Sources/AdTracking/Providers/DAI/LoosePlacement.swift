import Algorithms
import Ports

/// The breaks of ids that are no event of an ad: each is verified in the first break that it is in, or in one of its own (PRV-47).
///
/// A stream may have thousands of each, and every document asks again: the moments are searched for once for each break.
struct LoosePlacement {
    /// The break of each id; nil for one that is in none.
    private var places: [Int?]
    private let moments: [MediaMoment]
    /// The breaks that ids got for themselves, by the second at which they start and by that of their date.
    private var (ownByStart, ownByDate): ([ExactDecimal: Int], [ExactDecimal: Int]) = ([:], [:])

    init(of moments: [MediaMoment], in breaks: [ListedBreak]) {
        self.moments = moments
        places = Array(repeating: nil, count: moments.count)
        for isDated in [false, true] {
            let numbers = moments.indices.filter { moments[$0].isDated == isDated }
            if !numbers.isEmpty { place(numbers, isDated: isDated, in: breaks) }
        }
    }

    private mutating func place(_ numbers: [Int], isDated: Bool, in breaks: [ListedBreak]) {
        let sorted = numbers.sortedStably { moments[$0].seconds < moments[$1].seconds }
        var open = OpenPlaces(count: sorted.count)
        for (index, adBreak) in breaks.enumerated() {
            guard let start = adBreak.start(isDated: isDated), let length = adBreak.length else { continue }
            var next = open.first(from: sorted.partitioningIndex { moments[$0].seconds >= start })
            while next < sorted.count, moments[sorted[next]].seconds.minus(start) <= length {
                places[sorted[next]] = index
                open.take(next)
                next = open.first(from: next)
            }
        }
    }

    /// Adds the verification of the id with that number in the list of moments.
    mutating func add(verifying url: String, of id: String, numbered number: Int, to breaks: inout [ListedBreak]) {
        let moment = moments[number]
        let own = moment.isDated ? ownByDate[moment.seconds] : ownByStart[moment.seconds]
        if let index = places[number] ?? own {
            let start = breaks[index].start(isDated: moment.isDated) ?? breaks[index].start
            breaks[index].events.append(ListedEvent(verifying: url, at: moment.seconds.minus(start)))
            return
        }
        var new = ListedBreak(id: id, start: moment.seconds, statedDuration: .zero, date: moment.date)
        new.events = [ListedEvent(verifying: url, at: .zero)]
        let index = breaks.count
        breaks.append(new)
        if ownByStart[new.start] == nil { ownByStart[new.start] = index }
        if let date = new.start(isDated: true), ownByDate[date] == nil { ownByDate[date] = index }
    }
}

extension ListedBreak {
    /// Its start on the clock of moments with or without a date.
    fileprivate func start(isDated: Bool) -> ExactDecimal? {
        isDated ? date.map { MediaMoment($0).seconds } : start
    }
}

/// Places in a row, some of which are taken: finds the next one that is not, without looking at all between.
struct OpenPlaces {
    /// The place itself while it is open, else a later one; one more than there are places.
    private var next: [Int]

    init(count: Int) {
        next = Array(0...count)
    }

    mutating func take(_ place: Int) { next[place] = place + 1 }

    /// The first open place at or behind that one; the number of places if there is none.
    mutating func first(from place: Int) -> Int {
        var end = place
        while next[end] != end { end = next[end] }
        var step = place
        while next[step] != end { (next[step], step) = (end, next[step]) }
        return end
    }
}
