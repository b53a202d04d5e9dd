import Fleet

/// The places in the store of beacons without a media date: one that is tried again is the next attempt of that very claim (FLT-5), wherever the
/// viewer is by then.
struct UndatedBeacons {
    /// The newest ones are remembered, at most so many.
    static let limit = 256

    private struct Name: Hashable {
        var beacon: BeaconID
        var round: Int
    }

    private var places: [Name: Duration] = [:]
    /// The one that was claimed first at the front.
    private var order: [Name] = []

    mutating func claimed(_ key: ClaimKey) {
        let name = Name(beacon: key.beacon, round: key.round)
        if places.updateValue(key.due, forKey: name) == nil { order.append(name) }
        if order.count > Self.limit { places[order.removeFirst()] = nil }
    }

    /// The key under which it is claimed: that of the first try, or as it is.
    func key(of key: ClaimKey) -> ClaimKey {
        var key = key
        guard key.attempt > 1, let place = places[Name(beacon: key.beacon, round: key.round)] else { return key }
        key.due = place
        return key
    }
}
