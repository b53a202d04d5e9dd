/// The values that beacons of one type have at each place of their URLs: where they differ, the value identifies the ad.
struct ToldValues {
    private struct Place: Hashable {
        var type: String
        var place: Int
    }

    private var values: [Place: Set<Int>] = [:]

    mutating func add(_ type: String, _ url: String, _ busters: CacheBusters) {
        for mark in busters.marks(of: url) {
            values[Place(type: type, place: mark.place), default: []].insert(mark.value)
        }
    }

    /// Whether both URLs have a value that other beacons of the type have not.
    func tell(_ type: String, _ left: String, _ right: String, _ busters: CacheBusters) -> Bool {
        zip(busters.marks(of: left), busters.marks(of: right)).contains { left, right in
            left == right && (values[Place(type: type, place: left.place)]?.count ?? 0) > 1
        }
    }
}
