import Algorithms
import Ports

/// Known breaks by date and start, to find the one that another without an id is (PRV-9).
struct BreaksByPlace {
    private struct Place {
        var start: ExactDecimal
        var date: UnixTime?
        var index: Int

        func precedes(_ other: Place) -> Bool { (start, index) < (other.start, other.index) }
    }

    private var dates: [UnixTime: [Int]] = [:]
    /// By start.
    private var dated: [Place] = []
    private var undated: [Place] = []

    /// The break with the date of another, else the one whose start is nearest. Breaks with two dates that are further apart are never one: their
    /// seconds count from elsewhere.
    /// - Parameter reach: largest distance of the starts, and of the dates, in seconds.
    func index(of adBreak: ListedBreak, within reach: ExactDecimal) -> Int? {
        if let same = adBreak.date.flatMap({ dates[$0]?.min() }) { return same }
        let isNear = { (place: Place) in
            guard let date = adBreak.date, let known = place.date else { return true }
            return (date - known).magnitude <= reach.asSeconds
        }
        let candidates =
            Self.neighbours(of: adBreak.start, in: undated)
            + Self.neighbours(of: adBreak.start, in: dated).filter(isNear)
        return candidates.map { (distance: $0.start.distance(to: adBreak.start), index: $0.index) }
            .filter { $0.distance <= reach }.min { $0 < $1 }?.index
    }

    private static func neighbours(of start: ExactDecimal, in places: [Place]) -> [Place] {
        let next = places.partitioningIndex { $0.start >= start }
        return Array(places[max(0, next - 1)..<min(places.count, next + 1)])
    }

    mutating func insert(_ adBreak: ListedBreak, at index: Int) {
        let place = Place(start: adBreak.start, date: adBreak.date, index: index)
        guard let date = adBreak.date else {
            return undated.insert(place, at: undated.partitioningIndex { !$0.precedes(place) })
        }
        dated.insert(place, at: dated.partitioningIndex { !$0.precedes(place) })
        dates[date, default: []].append(index)
    }

    mutating func remove(_ adBreak: ListedBreak, at index: Int) {
        let place = Place(start: adBreak.start, date: adBreak.date, index: index)
        guard let date = adBreak.date else { return Self.remove(place, from: &undated) }
        Self.remove(place, from: &dated)
        dates[date]?.removeAll { $0 == index }
    }

    private static func remove(_ place: Place, from places: inout [Place]) {
        let found = places.partitioningIndex { !$0.precedes(place) }
        if found < places.count, places[found].index == place.index { places.remove(at: found) }
    }
}
