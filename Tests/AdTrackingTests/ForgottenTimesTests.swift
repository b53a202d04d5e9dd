import Ports
import Testing

@testable import AdTracking

/// Sent beacons that are not remembered one by one any more are never sent again, whatever lists them.
@Suite struct ForgottenTimesTests {
    private static let hour: Int64 = 3_600_000

    @Test func timesOfOneStreamAreOneStretch() {
        var times = ForgottenTimes()
        for minute in Int64(0)..<600 { times.add(.ms(minute * 60_000)) }
        #expect(times.stretches == [.ms(0)...(.ms(599 * 60_000))])
        #expect(times.reaches(.ms(-60_000), within: .seconds(60)))
        #expect(!times.reaches(.ms(-60_001), within: .seconds(60)))
        #expect(!times.reaches(.ms(599 * 60_000 + 60_001), within: .seconds(60)))
    }

    /// An encoder with a wrong clock must not silence the stream until that time comes.
    @Test func datesThatJumpedAreApart() {
        var times = ForgottenTimes()
        times.add(.ms(0))
        times.add(.ms(48 * Self.hour))
        #expect(!times.reaches(.ms(24 * Self.hour), within: .seconds(3_600)))
        times.add(through: .ms(47 * Self.hour))
        #expect(times.stretches.count == 1 && times.reaches(.ms(24 * Self.hour), within: .zero))
    }

    @Test func beyondTheLimitTheNearestAreJoined() {
        var times = ForgottenTimes()
        for place in Int64(0)...Int64(DateStretches.limit) { times.add(.ms(place * place * 3 * Self.hour)) }
        #expect(times.stretches.count == DateStretches.limit)
        #expect(times.stretches.first == .ms(0)...(.ms(3 * Self.hour)))
        #expect(zip(times.stretches, times.stretches.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }

    /// More breaks than are remembered, long after the retention: listed again at their time, nothing is sent again.
    @Test func whatIsForgottenIsNotSentAgain() {
        var viewer = AdViewer()
        let count = Int64(InsertionBook.rememberedLimit) / 2
        func adBreak(_ number: Int64) -> [AdBreak] {
            [.test("b\(number)", number * 60_000, 20_000, [.full("a\(number)", number * 60_000, 20_000)])]
        }
        for number in 1...count {
            viewer.metadata(adBreak(number), range: (number - 1) * 60_000...(number + 1) * 60_000)
            viewer.play(number * 60_000 - 30_000, number * 60_000 + 30_000)
        }
        let sent = viewer.requests
        #expect(Set(sent).count == sent.count && sent.count == Int(count) * 6)
        #expect(viewer.tracker.ledger.rememberedBeacons <= InsertionBook.rememberedLimit)
        viewer.seek(0)
        for number in Int64(1)...20 {
            var again = adBreak(number)
            again[0].name = "again"
            viewer.metadata(again, range: (number - 1) * 60_000...(number + 1) * 60_000)
            viewer.play(number * 60_000 - 30_000, number * 60_000 + 30_000)
        }
        #expect(viewer.requests == sent)
        #expect(viewer.reason(.start) == .expired)
    }

    /// A journal that reads only its newest beacons says so.
    @Test func whatTheJournalDidNotReadIsNotSent() {
        var viewer = AdViewer()
        viewer.tracker.restored([], completeFrom: .ms(100_000))
        viewer.metadata(
            [
                .test("old", 110_000, 20_000, [.full("old", 110_000, 20_000)]),
                .test("new", 200_000, 20_000, [.full("new", 200_000, 20_000)]),
            ], range: 0...400_000)
        viewer.play(90_000, 230_000)
        #expect(viewer.requests.count == 6 && viewer.requests.allSatisfy { $0.contains("/new/") })
        #expect(viewer.reason(.start, of: "old") == .expired)
    }
}
