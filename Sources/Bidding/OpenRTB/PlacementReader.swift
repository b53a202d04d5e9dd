package import Ports

/// Why an auction document is invalid.
package struct AuctionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Path of the member, e.g. `placement.format`.
    package var path: String
    /// The reason as a clause.
    package var message: String

    package init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { "\(path): \(message)" }
}

extension Placement {
    private static let maximumSizes = 100
    private static let maximumDeals = 1_000

    /// Parses the `placement` member of an auction document (docs/auction.md). `isSecure` is the default of its member.
    package init(_ json: JSONValue, isSecure: Bool = false) throws(AuctionProblem) {
        guard json.objectValue != nil else { throw AuctionProblem("placement", "expected an object") }
        guard let id = json["id"]?.filledText else { throw AuctionProblem("placement.id", "expected a string") }
        let formatText = json["format"]?.stringValue ?? AdFormat.banner.rawValue
        guard let format = AdFormat(rawValue: formatText) else {
            let known = AdFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuctionProblem("placement.format", "'\(formatText)' is not one of \(known)")
        }
        self.init(id: id, format: format, sizes: try Self.sizes(json["sizes"]))
        impID = json["impId"]?.filledText ?? impID
        player = try json["player"].map { json throws(AuctionProblem) in try Self.size(json, "placement.player") }
        minimumDuration = json["minDuration"]?.smallInteger
        maximumDuration = json["maxDuration"]?.smallInteger
        expiry = json["expS"]?.smallInteger.flatMap { $0 > 0 ? $0 : nil }
        self.isSecure = json["secure"].map { $0.flag ?? false } ?? isSecure
        acceptsInsecure = json["secure"]?.flag == false
        keywords = json["keywords"]?.texts ?? []
        deals = (json["deals"]?.arrayValue ?? []).prefix(Self.maximumDeals).compactMap { Deal($0) }
        isPrivate = json["privateAuction"]?.flag ?? false
        block = BlockList(json["block"])
        refreshInterval = json["refreshS"]?.smallInteger
        refreshCount = json["refreshCount"]?.smallInteger
        startDelay = json["startDelay"]?.smallInteger
        try readFloor(json)
        if let pod = json["pod"] {
            self.pod = PodRoom(
                id: pod["id"]?.stringValue, sequence: pod["seq"]?.smallInteger ?? 0,
                duration: pod["durationS"]?.smallInteger, maximumAds: pod["maxAds"]?.smallInteger)
        }
    }

    private mutating func readFloor(_ json: JSONValue) throws(AuctionProblem) {
        if let written = json["floor"], written != .null {
            guard let amount = written["cpm"]?.moneyValue, !amount.isNegative else {
                throw AuctionProblem("placement.floor.cpm", "expected an amount")
            }
            floor = FloorGuide(floor: amount, currency: written["cur"]?.filledText ?? "USD")
        }
        floor.durationFloors = FloorGuide.durationFloors(json["durFloors"])
        floor.minimumPerSecond = json["minCpmPerSec"]?.moneyValue
    }

    private static func sizes(_ json: JSONValue?) throws(AuctionProblem) -> [AdSize] {
        var sizes: [AdSize] = []
        for (index, item) in (json?.arrayValue ?? []).prefix(maximumSizes).enumerated() {
            sizes.append(try size(item, "placement.sizes[\(index)]"))
        }
        return sizes
    }

    private static func size(_ json: JSONValue, _ path: String) throws(AuctionProblem) -> AdSize {
        let numbers = json.smallIntegers
        guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else {
            throw AuctionProblem(path, "expected width and height, such as [320, 50]")
        }
        return AdSize(numbers[0], numbers[1])
    }
}
