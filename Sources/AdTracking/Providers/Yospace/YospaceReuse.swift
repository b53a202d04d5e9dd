import Ports

/// Breaks that have the id of an earlier one (PRV-31). Answers have no times, so that only the media shows that another break is meant: it begins
/// further away than the earlier one is long, and than a minute (TRK-16 has the same distance for beacons).
extension YospaceQueue {
    /// Ads of a break that begin at most so many seconds after it are its own, however short it is.
    fileprivate static let shortestReach = ExactDecimal(60)

    /// A new break of the id of an earlier one, where the newest answer with that id lists an ad of the media id that begins here.
    /// - Parameter isAnswered: whether an answer that was requested since then has no such ad. Before, only an ad counts that was not seen yet: one
    ///   that was may be on air once more in a break that is not listed yet.
    mutating func again(_ media: String, at moment: MediaMoment, isAnswered: Bool) -> (index: Int, ad: Int)? {
        let earlier = queue.lastIndex { known in
            known.isApart(from: moment) && (isAnswered || known.open(media) != nil)
                && known.relisted?.ads.contains { $0.creative == media } == true
        }
        guard let earlier, var listed = queue[earlier].relisted else { return nil }
        queue[earlier].leave(listed)
        if let id = listed.id { (listed.id, listed.name) = (ListedBreak.ownID(of: id, at: moment.seconds), id) }
        var new = Queued(listed)
        new.airing = queue[earlier].airing + 1
        queue.append(new)
        if queue.count > Self.breakLimit { queue.removeFirst(queue.count - Self.breakLimit) }
        return new.open(media).map { (queue.count - 1, $0) }
    }
}

extension YospaceQueue.Queued {
    /// Whether an ad that begins at that moment is of another break.
    func isApart(from moment: MediaMoment) -> Bool {
        guard let start = starts.compactMap({ $0?.moment.seconds }).min() else { return false }
        let ads = listed.ads.filter(\.isLinear).compactMap(\.length).reduce(ExactDecimal.zero) { $0.plus($1) }
        return start.distance(to: moment.seconds) > max(listed.statedDuration ?? .zero, ads, YospaceQueue.shortestReach)
    }

    /// The first ad of a media id that has no place.
    func open(_ media: String) -> Int? {
        listed.ads.indices.first { listed.ads[$0].creative == media && starts[$0] == nil }
    }

    /// Another break has this listing: ads that were not seen here are that one's.
    fileprivate mutating func leave(_ newer: ListedBreak) {
        relisted = nil
        for index in listed.ads.indices.reversed() where starts[index] == nil {
            guard newer.ads.contains(where: { YospaceQueue.isSame($0, listed.ads[index]) }) else { continue }
            listed.ads.remove(at: index)
            starts.remove(at: index)
            newest.remove(at: index)
        }
    }
}
