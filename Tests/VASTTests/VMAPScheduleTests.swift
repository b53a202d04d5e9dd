import Ports
import Testing

@testable import VAST

@Suite struct VMAPScheduleTests {
    private func document(_ breaks: [(offset: String, repeatAfter: String?)]) throws -> VMAPDocument {
        let body = breaks.map { entry in
            let repetition = entry.repeatAfter.map { " repeatAfter=\"\($0)\"" } ?? ""
            return "<AdBreak timeOffset=\"\(entry.offset)\" breakType=\"linear\"\(repetition)/>"
        }
        let text = "<VMAP version=\"1.0\">\(body.joined())</VMAP>"
        return try #require(VASTReader.read(Array(text.utf8)).vmap)
    }

    @Test func ordersStartTimesSharesAndEnd() throws {
        let document = try document([
            ("end", nil), ("50%", nil), ("00:00:10", nil), ("#2", nil), ("start", nil), ("00:00:10", nil), ("x", nil),
        ])
        let schedule = VMAPSchedule(document, duration: 60_000)
        #expect(schedule.stops.map(\.breaks) == [[4], [2, 5], [1], [0]])
        #expect(schedule.stops.map(\.atMilliseconds) == [0, 10_000, 30_000, 60_000])
        #expect(schedule.stops.map(\.position) == [.preRoll, .midRoll, .midRoll, .postRoll])
        #expect(schedule.byOpportunity == [VMAPSchedule.Opportunity(number: 2, index: 3)])
        #expect(schedule.invalid == [6])
    }

    /// The breaks before and after the content are also written as times and shares; `start` comes before everything.
    @Test func theFirstAndTheLastInstantAreBeforeAndAfterTheContent() throws {
        let document = try document([
            ("100%", nil), ("00:01:00.900", nil), ("00:00:00", nil), ("end", nil), ("0%", nil), ("00:02:00", nil),
            ("start", nil),
        ])
        let schedule = VMAPSchedule(document, duration: 60_000)
        #expect(schedule.stops.map(\.breaks) == [[6, 2, 4], [5], [0, 1, 3]])
        #expect(schedule.stops.map(\.atMilliseconds) == [0, 120_000, 60_000])
        #expect(schedule.stops.map(\.position) == [.preRoll, .midRoll, .postRoll])
    }

    @Test func sharesWaitForTheDuration() throws {
        let schedule = VMAPSchedule(try document([("50%", nil), ("end", nil)]), duration: nil)
        #expect(schedule.unplaced == [0])
        #expect(schedule.stops.map(\.atMilliseconds) == [nil])
    }

    @Test func repeatsUpToTheEnd() throws {
        let schedule = VMAPSchedule(try document([("00:00:10", "00:00:20")]), duration: 60_000)
        #expect(schedule.stops.map(\.atMilliseconds) == [10_000, 30_000, 50_000])
        #expect(schedule.stops.map(\.occurrence) == [0, 1, 2])
    }

    @Test func repetitionIsBounded() throws {
        let schedule = VMAPSchedule(try document([("00:00:00", "00:00:00.001")]), duration: 86_400_000)
        #expect(schedule.stops.count == VMAPSchedule.maximumRepetitions + 1)
        #expect(schedule.cut == [0])
    }

    @Test func aDayOfBreaksEvery30SecondsIsWhole() throws {
        let every: (offset: String, repeatAfter: String?) = ("00:00:00", "00:00:30")
        let schedule = VMAPSchedule(try document([every, every, every]), duration: 86_400_000)
        #expect(schedule.stops.count == 2_880 && schedule.stops.allSatisfy { $0.breaks == [0, 1, 2] })
        #expect(schedule.cut.isEmpty)
    }

    /// The bound is that of the document, so that many breaks with tiny periods need no more.
    @Test func theRepetitionsOfAllBreaksAreBoundedTogether() throws {
        let every: (offset: String, repeatAfter: String?) = ("00:00:00", "00:00:00.001")
        let document = try document(Array(repeating: every, count: 5) + [("00:00:10", nil)])
        let schedule = VMAPSchedule(document, duration: 86_400_000)
        #expect(schedule.stops.map(\.breaks.count).reduce(0, +) == VMAPSchedule.maximumRepetitions + 6)
        #expect(schedule.cut == [0, 1, 2, 3, 4])
    }
}
