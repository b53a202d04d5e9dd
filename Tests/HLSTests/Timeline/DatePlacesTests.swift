import Ports
import Testing

@testable import HLS

/// Many dates are placed as each one alone (HLS-12).
@Suite struct DatePlacesTests {
    private static func expectEqualPlaces(on timeline: Timeline, _ comment: Comment) {
        let places = DatePlaces(timeline)
        for second in stride(from: -5.0, through: 60, by: 0.25) {
            let date = UnixTime.second(second)
            #expect(places.position(of: date) == timeline.position(of: date), "\(second) s, \(comment)")
        }
    }

    /// Gaps, overlaps, dates that go back and segments without dates.
    @Test func manyDatesAreAtThePlacesOfEach() {
        let seed: UInt64 = 0x7E57_0002
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let durations = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Double(Int.random(in: 1...12, using: &random)) / 2
            }
            let timeline = folded(
                listing(0, durations, date: .random(in: 0...30, using: &random)) { playlist in
                    for index in playlist.segments.indices.dropFirst() where Bool.random(using: &random) {
                        playlist.jumpDates(from: index, by: Double(Int.random(in: -20...20, using: &random)) / 2)
                    }
                    for index in playlist.segments.indices where Int.random(in: 0..<8, using: &random) == 0 {
                        playlist.segments[index].date = nil
                    }
                })
            Self.expectEqualPlaces(on: timeline, "seed \(seed), round \(round)")
        }
    }

    @Test func aTimelineWithoutDatesHasNoPlaces() {
        Self.expectEqualPlaces(on: folded(listing(0, [6, 6], date: nil)), "no dates")
        Self.expectEqualPlaces(on: Timeline(), "no segments")
    }
}
