import Fleet
import ModeledStore
import Testing

/// The arithmetic of the store, of which `FleetRegionTests` and `FleetSchemaTests` have cases on a server (FLT-17).
@Suite struct ViewerSharesTests {
    private static func shares(_ workers: [ViewerShares.Worker], _ wanted: [String: Int]) -> [[Int]] {
        let shares = ViewerShares(workers, wanted: wanted)
        return workers.map { [shares[$0.agent].own, shares[$0.agent].all] }
    }

    @Test func capacityDivides() {
        let workers = [ViewerShares.Worker(1, capacity: 100), .init(2, capacity: 300)]
        #expect(Self.shares(workers, ["": 10]) == [[0, 3], [0, 8]])
        #expect(Self.shares(workers, ["": 1_000]) == [[0, 100], [0, 300]])
        #expect(Self.shares([], ["": 10]) == [])
    }

    /// Those of any region fill the room that those of the regions leave.
    @Test func regionsAreFirst() {
        let workers = [
            ViewerShares.Worker(1, region: "eu", capacity: 10), .init(2, region: "us", capacity: 10),
            .init(3, capacity: 10),
        ]
        #expect(Self.shares(workers, ["eu": 10, "": 10]) == [[10, 10], [0, 5], [0, 5]])
        #expect(Self.shares(workers, ["eu": 25, "us": 5, "": 30]) == [[10, 10], [5, 10], [0, 10]])
        #expect(Self.shares(workers, ["asia": 9]) == [[0, 0], [0, 0], [0, 0]])
    }

    /// One that cannot read the sessions of its region has no share while another one can, and none of those of any region while any can.
    @Test func thoseThatCannotReadHaveNoShare() {
        let workers = [
            ViewerShares.Worker(1, region: "eu", capacity: 10, isAble: false), .init(2, region: "eu", capacity: 10),
            .init(3, region: "us", capacity: 10, isAble: false),
        ]
        #expect(Self.shares(workers, ["eu": 4, "us": 2, "": 3]) == [[0, 0], [4, 7], [2, 2]])
        let none = workers.map { ViewerShares.Worker($0.agent, region: $0.region, capacity: 10, isAble: false) }
        #expect(Self.shares(none, ["eu": 4, "us": 2, "": 3]) == [[2, 3], [2, 3], [2, 3]])
    }
}
