import Algorithms
import Ports

/// The events of a recorded programme that have no id yet, by time (PRV-46). Ids and events may be thousands: each id is looked for with a
/// binary search.
struct EventPlaces {
    struct Place: Hashable {
        var adBreak: Int
        var ad: Int
        var event: Int
    }

    private struct Entry {
        var seconds: ExactDecimal
        /// Number of the event in the programme: of two at one distance the first one is nearest.
        var number: Int
    }

    /// Events on one clock by time, with those that are open to each side.
    private struct Clock {
        var entries: [Entry]
        var ahead: OpenPlaces
        /// The same from the end.
        var back: OpenPlaces

        init(_ entries: [Entry]) {
            self.entries = entries.sortedStably { $0.seconds < $1.seconds }
            (ahead, back) = (OpenPlaces(count: entries.count), OpenPlaces(count: entries.count))
        }

        mutating func take(_ index: Int) {
            ahead.take(index)
            back.take(entries.count - 1 - index)
        }

        /// The open entry that is nearest to a moment.
        mutating func nearest(to seconds: ExactDecimal) -> Int? {
            let count = entries.count
            let split = entries.partitioningIndex { $0.seconds > seconds }
            let after = ahead.first(from: split)
            let last = count - 1 - back.first(from: count - split)
            guard last >= 0 else { return after < count ? after : nil }
            let time = entries[last].seconds
            let before = ahead.first(from: entries.partitioningIndex { $0.seconds >= time })
            guard after < count else { return before }
            let (earlier, later) = (time.distance(to: seconds), entries[after].seconds.distance(to: seconds))
            if earlier == later { return entries[before].number < entries[after].number ? before : after }
            return earlier < later ? before : after
        }
    }

    private let near: ExactDecimal
    private var places: [Place] = []
    private var isTaken: [Bool]
    /// By second of the stream, and by date.
    private var (streamed, dated): (Clock, Clock)

    /// - Parameter near: the largest distance between an id and its event.
    init(_ breaks: [ListedBreak], near: ExactDecimal) {
        self.near = near
        var (streamed, dated): ([Entry], [Entry]) = ([], [])
        for (index, adBreak) in breaks.enumerated() {
            for (number, ad) in adBreak.ads.enumerated() {
                let date = ad.date.map { MediaMoment($0).seconds }
                for (position, event) in ad.events.enumerated() where event.urls.isEmpty {
                    guard let offset = event.offset(inLength: ad.length) else { continue }
                    streamed.append(Entry(seconds: ad.start.plus(offset), number: places.count))
                    if let date { dated.append(Entry(seconds: date.plus(offset), number: places.count)) }
                    places.append(Place(adBreak: index, ad: number, event: position))
                }
            }
        }
        isTaken = Array(repeating: false, count: places.count)
        (self.streamed, self.dated) = (Clock(streamed), Clock(dated))
    }

    /// The nearest event that has no id yet, which now has one; nil where none is near.
    mutating func takeNearest(to moment: MediaMoment) -> Place? {
        moment.isDated
            ? Self.take(from: &dated, moment.seconds, near, &isTaken).map { places[$0] }
            : Self.take(from: &streamed, moment.seconds, near, &isTaken).map { places[$0] }
    }

    /// - Returns: the number of the event.
    private static func take(
        from clock: inout Clock, _ seconds: ExactDecimal, _ near: ExactDecimal, _ isTaken: inout [Bool]
    ) -> Int? {
        while let index = clock.nearest(to: seconds), clock.entries[index].seconds.distance(to: seconds) <= near {
            clock.take(index)
            let number = clock.entries[index].number
            // Another moment may have had it on the other clock.
            guard isTaken[number] else {
                isTaken[number] = true
                return number
            }
        }
        return nil
    }
}
