package import Ports

/// A private deal of a placement (OpenRTB 2.6 `Deal`).
package struct Deal: Hashable, Sendable {
    package var id: String
    package var floor: FloorGuide
    /// The deal's auction type: 1 first price, 2 second price plus, 3 the floor is the agreed price; nil as the
    /// auction.
    package var auctionType: Int?
    /// Seats that may use it; empty allows all.
    package var seats: [String] = []
    /// Advertisers that may use it; empty allows all.
    package var advertiserDomains: [String] = []
    /// The deal as sent in a request.
    package var json: JSONValue

    /// Parses a deal; nil without id. The floor's currency is USD when it states none: it is not inherited.
    package init?(_ json: JSONValue) {
        guard let id = json["id"]?.filledText else { return nil }
        self.id = id
        floor = FloorGuide(
            floor: json["bidfloor"]?.moneyValue, currency: json["bidfloorcur"]?.filledText ?? "USD")
        floor.durationFloors = FloorGuide.durationFloors(json["durfloors"])
        floor.minimumPerSecond = json["mincpmpersec"]?.moneyValue
        auctionType = json["at"]?.smallInteger
        seats = json["wseat"]?.texts ?? []
        advertiserDomains = json["wadomain"]?.texts ?? []
        self.json = json
    }
}
