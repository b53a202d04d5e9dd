package import Ports

/// What a bid has to reach: of a deal, or of a placement (BID-3).
package struct FloorGuide: Hashable, Sendable {
    /// A floor for ads of some lengths (OpenRTB 2.6 `DurFloors`); bounds in seconds, included.
    package struct DurationFloor: Hashable, Sendable {
        package var minimum: Int?
        package var maximum: Int?
        package var floor: ExactDecimal
    }

    /// CPM; nil where nothing is said.
    package var floor: ExactDecimal?
    package var currency = "USD"
    package var durationFloors: [DurationFloor] = []
    /// CPM for each second of the ad.
    package var minimumPerSecond: ExactDecimal?

    package static let none = FloorGuide()

    package init(floor: ExactDecimal? = nil, currency: String = "USD") {
        self.floor = floor
        self.currency = currency
    }

    /// What an ad of this length (seconds) has to reach: its duration floor, else the floor per second, else the floor.
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

    /// Reads OpenRTB `durfloors`.
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

    /// The text members of a list; others are left out.
    var texts: [String] { (arrayValue ?? []).compactMap(\.stringValue) }

    /// The whole numbers of a list; others are left out.
    var smallIntegers: [Int] { (arrayValue ?? []).compactMap(\.smallInteger) }

    /// Text that is not empty.
    var filledText: String? { stringValue.flatMap { $0.isEmpty ? nil : $0 } }
}
