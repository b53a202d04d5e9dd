import AdTracking
import Ports
import Testing
import VAST

@testable import Session

/// The reports of a VMAP break (VMAP-2).
@Suite struct DecisionReportsTests {
    /// Nothing is known of what the break contains: it still starts and ends.
    @Test func aBreakWithoutAnyAdStartsAndEnds() throws {
        var part = DecisionPart.Part(name: "p")
        part.start = UnixTime(milliseconds: 5_000)
        part.reports = DecisionPart.BreakReports(start: ["https://t/start"], end: ["https://t/end"], error: [])
        let ad = try #require(part.ads(values: MacroValues()).first?.ad)
        #expect(ad.events.map(\.type) == [.breakStart, .breakEnd])
        #expect(ad.events.map(\.urls) == [["https://t/start"], ["https://t/end"]])
        #expect(ad.start == part.start && ad.duration == .zero && ad.notPlayed != nil)
    }

    @Test func aBreakWithoutReportsHasNothing() {
        var part = DecisionPart.Part(name: "p")
        part.start = UnixTime(milliseconds: 5_000)
        part.reports = DecisionPart.BreakReports(start: [], end: [], error: [])
        #expect(part.ads(values: MacroValues()).isEmpty)
    }
}
