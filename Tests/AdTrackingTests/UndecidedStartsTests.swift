import Ports
import Testing

@testable import AdTracking

/// Ads whose date was shown, while the playlist may list media with that date again (TRK-30).
@Suite struct UndecidedStartsTests {
    /// Dates from 52 to 80 s come a second time, and the playlist lists those through `listed`.
    private func returns(listed: Int64) -> [UndecidedStarts.Return] {
        [.init(next: .ms(52_000), listed: .ms(listed), end: .ms(80_000))]
    }

    @Test(arguments: [
        (Int64(72_000), true), (64_000, true), (63_700, false), (52_000, false), (40_000, false), (79_999, true),
        (80_000, false),
    ])
    func whatThePlaylistMayYetListWaits(_ start: Int64, _ waits: Bool) {
        var undecided = UndecidedStarts()
        undecided.note(.ms(start), among: returns(listed: 64_000))
        #expect(undecided.contains(.ms(start)) == waits)
    }

    @Test func itIsDecidedWhenThePlaylistListsIt() {
        var undecided = UndecidedStarts()
        undecided.note(.ms(72_000), among: returns(listed: 64_000))
        undecided.note(.ms(78_000), among: returns(listed: 64_000))
        #expect(undecided.takeDecided(among: returns(listed: 72_000)).isEmpty)
        #expect(undecided.takeDecided(among: returns(listed: 76_000)) == [.ms(72_000)])
        #expect(undecided.starts == [.ms(78_000)])
        #expect(undecided.takeDecided(among: []) == [.ms(78_000)], "its dates do not come again")
    }

    /// Behind a step of a day its date would come again a day later.
    @Test(arguments: [(Int64(300_000), true), (300_001, false)]) func nothingWaitsForLong(_ ahead: Int64, _ waits: Bool)
    {
        var undecided = UndecidedStarts()
        let returns = [UndecidedStarts.Return(next: .ms(0), listed: .ms(4_000), end: .ms(90_000_000))]
        undecided.note(.ms(4_000 + ahead), among: returns)
        #expect(undecided.starts.isEmpty == !waits)
    }
}
