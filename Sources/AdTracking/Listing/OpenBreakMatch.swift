import Ports

/// Which breaks of an answer are open ones, or come in their place (PRV-25).
struct OpenBreakMatch {
    /// A break that is listed this near may be the same one, listed again.
    private static let reach: Duration = .seconds(60)
    /// Breaks without a common id are one if their starts differ by no more (PRV-9).
    private static let near: Duration = .milliseconds(500)

    /// What is compared of an open break.
    private struct Place {
        var index: Int
        var id: String?
        var start: UnixTime
        var length: Duration

        /// With the same id it is the same break, as far as it may have moved.
        var reach: Duration { max(OpenBreakMatch.reach, length) }

        func distance(to date: UnixTime) -> Duration { (date - start).magnitude }
        func contains(_ date: UnixTime) -> Bool { start <= date && distance(to: date) < length }
    }

    /// For each break of the answer the open one that it is: that with its id, else one that starts where it does. Each is only one.
    private(set) var partners: [Int?]
    /// The open breaks that no break of the answer is, and in whose place another one reports its end from now on: it begins inside, or has the beacon
    /// of the end, which is sent once (TRK-16). One that was listed beside them does not.
    private(set) var replaced: Set<Int> = []

    private var places: [Place] = []
    private var taken: Set<Int> = []

    init(_ placed: [ListedBreak], in open: [ListedBreak]) {
        partners = [Int?](repeating: nil, count: placed.count)
        for (index, adBreak) in open.enumerated() {
            guard let start = adBreak.date else { continue }
            let length = adBreak.length?.asSeconds ?? .zero
            places.append(Place(index: index, id: adBreak.writtenID, start: start, length: length))
        }
        guard !places.isEmpty else { return }
        pair(placed) { new, place, distance in
            new.writtenID != nil && new.writtenID == place.id && distance <= place.reach
        }
        pair(placed) { _, _, distance in distance <= Self.near }
        replace(open, by: zip(placed, partners).filter { $1 == nil && $0.hasEnd }.map { $0.0 })
    }

    private mutating func pair(_ placed: [ListedBreak], where isSame: (ListedBreak, Place, Duration) -> Bool) {
        for (number, new) in placed.enumerated() where partners[number] == nil {
            guard let date = new.date else { continue }
            let candidates = places.filter { !taken.contains($0.index) && isSame(new, $0, $0.distance(to: date)) }
            guard let nearest = candidates.min(by: { $0.distance(to: date) < $1.distance(to: date) }) else { continue }
            partners[number] = nearest.index
            taken.insert(nearest.index)
        }
    }

    private mutating func replace(_ open: [ListedBreak], by others: [ListedBreak]) {
        guard !others.isEmpty else { return }
        var beacons: [String: [Place]] = [:]
        for place in places {
            for url in open[place.index].endURLs { beacons[url, default: []].append(place) }
        }
        for new in others {
            guard let date = new.date else { continue }
            for place in places where place.contains(date) { replaced.insert(place.index) }
            for url in new.endURLs {
                for place in beacons[url] ?? [] where place.distance(to: date) <= place.reach {
                    replaced.insert(place.index)
                }
            }
        }
        replaced.subtract(taken)
    }
}

extension ListedBreak {
    /// Whether it reports something at its end.
    var hasEnd: Bool { events.contains(where: \.type.waitsForEnd) }

    fileprivate var endURLs: Set<String> { Set(events.lazy.filter(\.type.waitsForEnd).flatMap(\.urls)) }
}
