import HLS
import Ports
import TestSupport
import Testing

/// Conversion of dates to stream time and back (HLS-12).
@Suite struct TimelineDatesTests {
    /// Four segments of 6 s; the dates jump 2 s ahead at the third.
    private let ahead = folded(steady(0, count: 4) { $0.jumpDates(from: 2, by: 2) })
    /// The same with dates 1 s earlier: the third segment overlaps the second.
    private let back = folded(steady(0, count: 4) { $0.jumpDates(from: 2, by: -1) })

    @Test(arguments: [(0.0, 0.0), (11.999, 11.999), (12, 14), (20, 22), (24, 26), (30, 32), (-3, -3)])
    func dateAtPosition(_ given: (position: Double, date: Double)) {
        #expect(ahead.date(at: .second(given.position)) == .second(given.date))
    }

    @Test(
        "gap: the next segment; outside the timeline: extrapolated",
        arguments: [(5.0, 5.0), (12, 12), (13, 12), (14, 12), (15, 13), (26, 24), (30, 28), (-4, -4)])
    func positionOfDate(_ given: (date: Double, position: Double)) {
        #expect(ahead.position(of: .second(given.date)) == .second(given.position))
    }

    @Test("overlap: the later segment", arguments: [(10.5, 10.5), (11, 12), (11.5, 12.5), (12, 13)])
    func positionOnOverlap(_ given: (date: Double, position: Double)) {
        #expect(back.position(of: .second(given.date)) == .second(given.position))
    }

    @Test func datesOfADayAgoAreFoundInTheirOwnRun() {
        let timeline = folded(
            steady(0, count: 4), listing(4, [6, 6], date: -86_400) { $0.segments[0].isDiscontinuity = true })
        #expect(timeline.position(of: .second(-86_399)) == .second(25))
        #expect(timeline.position(of: .second(3)) == .second(3))
        #expect(timeline.position(of: .second(-86_380)) == .second(44), "past the current run: ahead of the edge")
    }

    @Test func withoutDatesThereIsNoPosition() {
        let timeline = folded(listing(0, [6, 6], date: nil))
        #expect(timeline.position(of: .second(1)) == nil)
        #expect(timeline.date(at: .second(1)) == nil)
        #expect(timeline.dateStretches(from: .zero, to: .second(9)).map(\.toDate) == [nil])
    }

    @Test func theEpochIsADateLikeAnyOther() {
        // A date of exactly 1970-01-01T00:00:00Z is falsy in JavaScript players; here it is a date.
        let zero = -Double(epochDate.microseconds) / 1_000_000
        let timeline = folded(listing(0, [6, 6], date: zero))
        #expect(timeline.date(at: .second(7))?.microseconds == 7_000_000)
        #expect(timeline.position(of: UnixTime(microseconds: 8_000_000)) == .second(8))
    }

    @Test func stretchesSplitWhereDatesJump() {
        let stretches = ahead.dateStretches(from: .second(10), to: .second(20))
        #expect(
            stretches == [
                DateStretch(from: .second(10), to: .second(12), fromDate: .second(10), toDate: .second(12)),
                DateStretch(from: .second(12), to: .second(20), fromDate: .second(14), toDate: .second(22)),
            ])
        #expect(ahead.dateStretches(from: .second(10), to: .second(12)).count == 1, "the jump comes after the end")
        #expect(ahead.dateStretches(from: .second(12), to: .second(12)).isEmpty)
    }

    @Test func roundedDatesDoNotSplit() {
        let timeline = folded(steady(0, count: 4) { $0.jumpDates(from: 2, by: 0.1) })
        let stretches = timeline.dateStretches(from: .zero, to: .second(24))
        #expect(stretches.map(\.toDate) == [.second(24.1)])
    }

    @Test func boundariesNearest() {
        let timeline = folded(steady(0), steady(2))
        #expect(timeline.nearestBoundary(to: .second(14.9)) == .second(12))
        #expect(timeline.nearestBoundary(to: .second(15)) == .second(12), "a tie goes to the earlier")
        #expect(timeline.nearestBoundary(to: .second(15.1)) == .second(18))
        #expect(timeline.nearestBoundary(to: .second(47)) == .second(48))
        #expect(timeline.nearestBoundary(to: .second(11)) == nil, "before the window")
        #expect(timeline.nearestBoundary(to: .second(48.1)) == nil, "past the window")
    }

    @Test func roundTripsInUnambiguousWindows() throws {
        let seed: UInt64 = 0x7E57_0001
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            let timeline = Self.randomTimeline(&random, jumps: 0.0...30.0)
            let window = try #require(timeline.window)
            for _ in 0..<20 {
                let position = StreamTime(
                    microseconds: .random(in: window.start.microseconds..<window.end.microseconds, using: &random))
                let date = try #require(timeline.date(at: position))
                #expect(timeline.position(of: date) == position, "seed \(seed), round \(round)")
            }
        }
    }

    /// Segments of random length, whose dates sometimes jump ahead by `jumps` seconds.
    private static func randomTimeline(_ random: inout SplitMix64, jumps: ClosedRange<Double>) -> Timeline {
        let durations = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            Double.random(in: 0.1...9, using: &random)
        }
        return folded(
            listing(.random(in: 0...1_000, using: &random), durations, date: .random(in: 0...1_000, using: &random)) {
                playlist in
                for index in playlist.segments.indices.dropFirst() where Bool.random(using: &random) {
                    playlist.jumpDates(from: index, by: .random(in: jumps, using: &random))
                }
            })
    }
}
