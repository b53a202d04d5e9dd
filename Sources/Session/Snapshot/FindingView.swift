package import Ports

/// A finding with the number and times of its occurrences.
package struct FindingView: Sendable, Equatable {
    /// Most places that are kept of one finding; those seen longest ago are dropped first.
    package static let placesKept = 16

    /// The newest of them.
    package var finding: Finding
    package var count: Int
    package var first: Moment
    package var last: Moment
    package var source = FindingSource.metadata
    /// Breaks, ads and events that it is about, newest first.
    package var places: [Place] = []
    /// The media date at the playhead when it was seen last; nil before the playhead joined, and in a stream without dates.
    package var date: UnixTime?

    /// One place, with its newest message.
    package struct Place: Sendable, Equatable {
        package var place: FindingPlace
        package var message: String
        package var count: Int
        package var last: Moment
    }

    /// Adds an occurrence.
    /// - Parameter date: the media date at the playhead.
    mutating func note(_ new: Finding, at moment: Moment, playing date: UnixTime?) {
        finding = new
        count += 1
        (last, self.date) = (moment, date)
        guard let place = new.place else { return }
        var entry = Place(place: place, message: new.message, count: 1, last: moment)
        if let known = places.firstIndex(where: { $0.place == place }) {
            entry.count += places.remove(at: known).count
        }
        places.insert(entry, at: 0)
        if places.count > Self.placesKept { places.removeLast() }
    }
}
