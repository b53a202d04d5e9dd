import AdTracking
import Ports
import Testing

@testable import Session

@Suite struct AirPartTests {
    private static func time(_ seconds: Int) -> UnixTime { UnixTime(milliseconds: Int64(seconds) * 1_000) }

    /// An ad planned to last `planned` seconds, of which `length` are stitched.
    private static func ad(_ name: String, _ start: Int, _ length: Int, planned: Int) -> Ad {
        Ad(
            name: name, start: time(start), duration: .seconds(length),
            events: [TrackingEvent(type: .complete, start: time(start + planned))])
    }

    private static let book: BreakBook = {
        var book = BreakBook(session: "s")
        let breaks = [
            AdBreak(
                name: "1", start: time(10), duration: .seconds(30),
                ads: [ad("a", 10, 10, planned: 15), ad("b", 20, 20, planned: 20)]),
            AdBreak(name: "2", start: time(60), duration: .seconds(12), ads: [ad("c", 60, 12, planned: 30)]),
        ]
        _ = book.merge(DecodedMetadata(breaks: breaks), playhead: nil, keep: .seconds(60))
        return book
    }()

    /// Times around every change.
    private static let instants = [0, 9, 10, 11, 19, 20, 21, 25, 30, 39, 40, 41, 59, 60, 71, 72, 73, 89, 90, 91]

    /// While a plan is valid for another data range, a new plan gives the same result.
    @Test func aValidPlanEqualsANewOne() {
        var held = 0
        for first in Self.instants {
            var air = AirPart()
            air.plan(Self.book, DataRange(start: Self.time(0), end: Self.time(first)))
            for second in Self.instants {
                let range = DataRange(start: Self.time(0), end: Self.time(second))
                guard air.isPlanned(range) else { continue }
                held += 1
                var fresh = AirPart()
                fresh.plan(Self.book, range)
                #expect(
                    Self.instants.map { air.onAir(at: Self.time($0), on: .primary) }
                        == Self.instants.map { fresh.onAir(at: Self.time($0), on: .primary) })
                #expect(
                    Self.instants.map { air.nextBoundary(after: Self.time($0), on: .primary) }
                        == Self.instants.map { fresh.nextBoundary(after: Self.time($0), on: .primary) })
            }
        }
        #expect(held > 50)
    }

    /// Without a data range it is unknown what is growing, so nothing is assumed.
    @Test func noPlanHoldsWithoutADataRange() {
        var air = AirPart()
        air.plan(Self.book, nil)
        #expect(!air.isPlanned(nil))
        #expect(!air.isPlanned(DataRange(start: Self.time(0), end: Self.time(9))))
    }
}
