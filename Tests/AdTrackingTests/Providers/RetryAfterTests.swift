import AdTracking
import Ports
import Testing

/// RFC 9110 sections 10.2.3, 6.6.1 and 5.6.7.
@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:00Z.
    private static let now = Moment(wall: UnixTime(microseconds: 784_111_740_000_000), uptime: .zero)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        " Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func everyFormOfDateIsRead(text: String) {
        #expect(RetryAfter.delay(text, at: Self.now.wall) == .seconds(37))
    }

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994", "soon", "", "-5", "1.5"])
    func otherTextsAskForNothing(text: String) {
        #expect(RetryAfter.delay(text, at: Self.now.wall) == nil)
    }

    /// The server's clock is five minutes ahead.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:54:00 GMT", 2.0), ("Sun Nov  6 08:54:00 1994", 2),
            ("Sunday, 06-Nov-94 08:54:00 GMT", 2),
            ("Sun, 06 Nov 1994 09:00:00 GMT", 0), ("today", 302), (nil, 302),
        ] as [(String?, Double)])
    func aDateCountsFromThatOfTheAnswer(date: String?, seconds: Double) {
        let fields =
            [HTTPField("Retry-After", "Sun, 06 Nov 1994 08:54:02 GMT")] + (date.map { [HTTPField("Date", $0)] } ?? [])
        let answer = HTTPExchange(hops: [HTTPExchange.Hop(url: "http://h.test/", status: 503, fields: fields)])
        #expect(RetryAfter.delay(of: answer, at: Self.now) == .seconds(seconds))
        #expect(RetryAfter.pause(of: answer, at: Self.now) == .seconds(min(seconds, 300)))
    }

    @Test func secondsDoNotDependOnTheDate() {
        #expect(RetryAfter.delay("20", answered: "Sun, 06 Nov 1994 08:54:00 GMT", at: Self.now.wall) == .seconds(20))
    }

    @Test func aPollCountsFromTheDateOfTheAnswer() throws {
        var schedule = PollSchedule(seed: 3)
        schedule.started(at: Self.now)
        _ = schedule.shouldPoll(at: Self.now)
        schedule.failed(
            retryAfter: "Sun, 06 Nov 1994 08:54:02 GMT", answered: "Sun, 06 Nov 1994 08:53:32 GMT", at: Self.now)
        #expect(try #require(schedule.nextPollAt) == .seconds(30))
    }
}
