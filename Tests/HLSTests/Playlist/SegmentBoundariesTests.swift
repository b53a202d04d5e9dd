import Ports
import Testing

@testable import HLS

struct SegmentBoundariesTests {
    /// Segments of 6 s at the given seconds.
    private static func nearest(_ starts: [Int], to second: Int) -> Int? {
        let segments = starts.enumerated().map { index, start in
            MediaSegment(
                sequence: index, uri: "", duration: .seconds(6),
                date: UnixTime(microseconds: 0) + .seconds(start), dateSource: .explicit)
        }
        let date = UnixTime(microseconds: 0) + .seconds(second)
        return SegmentBoundaries(segments).nearest(to: date).map { Int($0.microseconds / 1_000_000) }
    }

    @Test(
        arguments: [
            ([0, 6, 12], 0, 0), ([0, 6, 12], 2, 0), ([0, 6, 12], 3, 0), ([0, 6, 12], 4, 6), ([0, 6, 12], 18, 18),
            ([0, 6, 12], 19, nil), ([0, 6, 12], -1, nil), ([0, 6, 100], 50, 100), ([0, 6, 100], 12, 12),
            // Overlapping segments, listed out of order: the later start counts.
            ([0, 4, 10], 5, 4), ([100, 106, 0], 4, 6), ([100, 106, 0], 50, 100), ([], 0, nil),
        ] as [([Int], Int, Int?)]) func nearest(_ starts: [Int], _ second: Int, _ expected: Int?)
    {
        #expect(Self.nearest(starts, to: second) == expected)
    }
}
