import AdTracking
import Ports
import TestSupport
import Testing

/// The reference library's numbered tests of played ranges (TRK-25: I40 to I58); times are in milliseconds.
@Suite struct PlayedRangesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var id: String
        var positions: [Int64]
        var ranges: [ClosedRange<Int64>]
        var inside: [Int64] = []
        var outside: [Int64] = []
        var testDescription: String { id }
    }

    static let three: [ClosedRange<Int64>] = [0...1_000, 10_000...11_000, 20_000...21_000]

    static let cases = [
        Case(id: "I40", positions: [5_000], ranges: [5_000...5_000]),
        Case(id: "I41", positions: [-1_000], ranges: []),
        Case(id: "I42", positions: [5_000, 5_500, 6_000, 6_500], ranges: [5_000...6_500]),
        Case(id: "I43", positions: [5_000, 5_500, 6_000, 5_500], ranges: [5_000...6_000]),
        Case(id: "I44", positions: [5_000, 6_000, 20_000], ranges: [5_000...6_000, 20_000...20_000]),
        Case(id: "I45", positions: [10_000, 9_500], ranges: [9_500...10_000]),
        Case(id: "I46 before", positions: [5_000, 6_000, 10_000, 11_000], ranges: [5_000...6_000, 10_000...11_000]),
        Case(
            id: "I46", positions: [5_000, 6_000, 10_000, 11_000, 7_000, 8_000, 9_000], ranges: [5_000...11_000]),
        Case(id: "I47", positions: [0], ranges: [0...0]),
        Case(id: "I48", positions: [0, 1_000, 10_000, 11_000, 20_000, 21_000], ranges: three),
        Case(id: "I49", positions: [], ranges: [], outside: [5_000, 0, 100_000]),
        Case(id: "I50", positions: [5_000, 6_000], ranges: [5_000...6_000], inside: [5_000, 5_500, 6_000]),
        Case(id: "I51", positions: [5_000, 6_000], ranges: [5_000...6_000], outside: [4_999, 6_001, 0, 20_000]),
        Case(
            id: "I52", positions: [0, 1_000, 10_000, 11_000, 20_000, 21_000], ranges: three,
            inside: [500, 10_500, 20_500]),
        Case(
            id: "I53", positions: [0, 1_000, 10_000, 11_000], ranges: [0...1_000, 10_000...11_000],
            outside: [5_000, 1_001, 9_999]),
        Case(id: "I57", positions: [3_600_000, 3_600_500], ranges: [3_600_000...3_600_500], inside: [3_600_250]),
        Case(
            id: "I58", positions: Array(stride(from: 0, through: 9_900, by: 100)), ranges: [0...9_900],
            inside: [0, 5_000, 9_900]),
    ]

    @Test(arguments: cases)
    func reference(_ test: Case) {
        let played = Self.ranges(test.positions)
        #expect(Self.milliseconds(played) == test.ranges)
        for time in test.inside { #expect(played.contains(.ms(time)), "\(time)") }
        for time in test.outside { #expect(!played.contains(.ms(time)), "\(time)") }
    }

    /// What remains begins and ends a microsecond beside what is removed.
    @Test func aStretchIsRemovedWithItsEnds() {
        var played = Self.ranges([0, 1_000, 10_000, 11_000, 20_000, 21_000])
        played.remove(.ms(500)...(.ms(20_000)))
        #expect(
            played.ranges == [.ms(0)...(.ms(500) - .microseconds(1)), (.ms(20_000) + .microseconds(1))...(.ms(21_000))])
        played.remove(.ms(21_000)...(.ms(30_000)))
        #expect(!played.contains(.ms(21_000)) && played.contains(.ms(20_999)))
        played.remove(.ms(600)...(.ms(700)))
        #expect(played.ranges.count == 2)
        played.remove(.ms(0)...(.ms(30_000)))
        #expect(played.ranges.isEmpty)
    }

    @Test func i54Clear() {
        var played = Self.ranges([5_000, 10_000, 20_000])
        #expect(played.ranges.count == 3)
        played.clear()
        #expect(played.ranges.isEmpty)
    }

    @Test func i55CleanForgetsOldRanges() {
        var played = Self.ranges([0, 1_000, 10_000, 11_000, 50_000, 51_000])
        played.clean { .ms(52_000) - $0 >= .milliseconds(10_000) }
        #expect(Self.milliseconds(played) == [50_000...51_000])
    }

    @Test func i56CleanKeepsRecentRanges() {
        var played = Self.ranges([40_000, 41_000, 45_000, 46_000, 50_000, 51_000])
        played.clean { .ms(52_000) - $0 >= .milliseconds(20_000) }
        #expect(Self.milliseconds(played) == [40_000...41_000, 45_000...46_000, 50_000...51_000])
    }

    /// Stretches in any order give the union, compared with a set of milliseconds.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func stretchesFormTheirUnion(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var played = PlayedRanges()
        var model: Set<Int64> = []
        for _ in 0..<60 {
            let start = Int64.random(in: 0..<2_000, using: &random)
            let end = start + Int64.random(in: 0..<60, using: &random)
            played.record(.ms(start)...(.ms(end)))
            model.formUnion(start...end)
        }
        for time in Int64(0)..<2_100 {
            #expect(played.contains(.ms(time)) == model.contains(time), "seed \(seed), time \(time)")
        }
    }

    @Test func numberOfRangesIsLimited() {
        var played = PlayedRanges()
        for index in 0..<Int64(PlayedRanges.limit + 10) {
            let position = UnixTime.ms(index * 10_000)
            played.record(position...position)
        }
        #expect(played.ranges.count == PlayedRanges.limit)
        #expect(!played.contains(.ms(0)))
        #expect(played.contains(.ms(Int64(PlayedRanges.limit + 9) * 10_000)))
    }

    /// The library samples positions: one within a second of a range, twice its interval, extends it, else it starts a new one,
    /// and those before the epoch are ignored. Here a sample is the stretch over it and what is near it.
    private static func ranges(_ positions: [Int64]) -> PlayedRanges {
        var played = PlayedRanges()
        for position in positions.map({ UnixTime.ms($0) }) where position >= .ms(0) {
            let near = played.ranges.filter {
                $0.upperBound + .seconds(1) >= position && $0.lowerBound - .seconds(1) <= position
            }
            let start = near.first.map { min($0.lowerBound, position) } ?? position
            let end = near.last.map { max($0.upperBound, position) } ?? position
            played.record(start...end)
        }
        return played
    }

    private static func milliseconds(_ played: PlayedRanges) -> [ClosedRange<Int64>] {
        played.ranges.map { $0.lowerBound.milliseconds...$0.upperBound.milliseconds }
    }
}
