import Bidding
import Ports
import Testing

@Suite struct PodTests {
    private func bid(_ id: String, _ cpm: Int32, _ seconds: Int, place: Int = 0) -> PodBid {
        PodBid(id: id, cpm: ExactDecimal(cpm), duration: seconds, place: place)
    }

    private func packed(_ bids: [PodBid], seconds: Int, ads: Int? = nil) -> [String]? {
        Pod.packed(bids, in: PodRoom(id: nil, sequence: 0, duration: seconds, maximumAds: ads))?.bids.map(\.id)
    }

    @Test func theDearestCombinationFillsThePod() {
        let bids = [bid("a", 10, 60), bid("b", 6, 30), bid("c", 6, 30), bid("d", 1, 5)]
        #expect(packed(bids, seconds: 60) == ["b", "c"])
        #expect(packed(bids, seconds: 60, ads: 1) == ["a"])
        #expect(packed(bids, seconds: 4) == [])
        #expect(packed(bids, seconds: 0) == nil)
    }

    @Test func placesInThePodAreKept() {
        let bids = [
            bid("last", 1, 10, place: -1), bid("any", 1, 10), bid("first", 1, 10, place: 1),
            bid("either", 9, 10, place: 2),
        ]
        #expect(packed(bids, seconds: 90) == ["either", "any", "last"])
        #expect(packed([bid("f", 1, 10, place: 1), bid("g", 2, 10, place: 1)], seconds: 90) == ["g"])
    }

    @Test func equalOnesKeepTheirOrder() {
        #expect(packed([bid("a", 5, 30), bid("b", 5, 30)], seconds: 30) == ["a"])
    }

    @Test func manyBidsAreTakenByPricePerSecond() throws {
        let bids = (1...20).map { bid("b\($0)", Int32($0), 10) } + [bid("dear", 100, 100), bid("nothing", 1, 0)]
        let room = PodRoom(id: nil, sequence: 0, duration: 30, maximumAds: nil)
        let pod = try #require(Pod.packed(bids, in: room))
        #expect(pod.bids.map(\.id) == ["b18", "b19", "b20"])
        #expect(!pod.isExact && pod.filled == 30 && pod.cpm.text == "57")
    }

    @Test func thePodOfAnAuctionIsOfItsGoodBids() throws {
        var auction = Auction(id: "a", placement: Placement(id: "mid", format: .video))
        auction.placement.maximumDuration = 30
        auction.placement.pod = PodRoom(id: "p", sequence: 0, duration: 90, maximumAds: 4)
        auction.answers = [(12, 30), (9, 15), (20, 60)].map { price, seconds in
            AuctionSamples.answer(
                "b\(seconds)", price: .integer(Int64(price)), members: ["mtype": 2, "dur": .integer(Int64(seconds))])
        }
        let pod = try #require(auction.held().pod)
        #expect(pod.bids.map(\.id) == ["bid-b30", "bid-b15"])
        #expect(pod.filled == 45 && pod.isExact)
    }
}
