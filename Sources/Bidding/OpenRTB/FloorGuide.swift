package import Ports

/// The floors of a deal or of a placement (BID-3).
package struct FloorGuide: Hashable, Sendable {
    /// A floor for ads with a duration in a range (OpenRTB 2.6 `DurFloors`); bounds are in seconds, inclusive.
    package struct DurationFloor: Hashable, Sendable {
        package var minimum: Int?
        package var maximum: Int?
        package var floor: ExactDecimal
    }

    /// CPM; nil when not stated.
    package var floor: ExactDecimal?
    package var currency = "USD"
    package var durationFloors: [DurationFloor] = []
    /// CPM per second of the ad.
    package var minimumPerSecond: ExactDecimal?

    package static let none = FloorGuide()

    package init(floor: ExactDecimal? = nil, currency: String = "USD") {
        self.floor = floor
        self.currency = currency
    }

    /// The floor of an ad with this duration in seconds: the duration floor, else the floor per second, else the floor.
    package func floor(duration: Int?) -> ExactDecimal? {
        if let duration {
            let match = durationFloors.first { item in
                duration >= item.minimum ?? 0 && duration <= item.maximum ?? .max
            }
            if let match { return match.floor }
            if let minimumPerSecond, let seconds = ExactDecimal(exactly: Int64(duration)) {
                return minimumPerSecond.multiplied(by: seconds)?.money
            }
        }
        return floor
    }

    /// Parses OpenRTB `durfloors`.
    package static func durationFloors(_ json: JSONValue?) -> [DurationFloor] {
        (json?.arrayValue ?? []).prefix(maximumDurationFloors).map { item in
            DurationFloor(
                minimum: item["mindur"]?.smallInteger, maximum: item["maxdur"]?.smallInteger,
                floor: item["bidfloor"]?.moneyValue ?? .zero)
        }
    }

    private static let maximumDurationFloors = 100
}

extension JSONValue {
    /// A whole number that fits an `Int32`: sizes, seconds, enumerations.
    package var smallInteger: Int? {
        integerValue.flatMap { Int32(exactly: $0) }.map { Int($0) }
    }

    /// A flag: true and false, or 1 and 0 as OpenRTB writes them; nil for anything else.
    var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        default: integerValue.flatMap { $0 == 1 ? true : $0 == 0 ? false : nil }
        }
    }

    /// The string elements of an array; others are dropped.
    var texts: [String] { (arrayValue ?? []).compactMap(\.stringValue) }

    /// The whole numbers of an array; others are dropped.
    var smallIntegers: [Int] { (arrayValue ?? []).compactMap(\.smallInteger) }

    /// A string that is not empty.
    var filledText: String? { stringValue.flatMap { $0.isEmpty ? nil : $0 } }
}
