import Ports
import Testing

@testable import AdTracking

/// What is kept of a beacon's tries comes back as it was.
@Suite struct BeaconTriesTests {
    private static let url = "https://tracker.example/impression?session=4711&ad=city-car&break=17"
    private static let at = Moment(
        wall: UnixTime(microseconds: 1_800_000_000_123_456), uptime: .microseconds(7_201_000_001))

    private static func attempt(_ claim: Int, _ answer: BeaconAnswer?) -> BeaconAttempt {
        BeaconAttempt(claim: ClaimID(claim), at: at, answer: answer)
    }

    private static func answer(
        _ hops: [HTTPExchange.Hop], failure: HTTPFailure? = nil, contentType: String? = nil
    ) -> BeaconAnswer {
        BeaconAnswer(
            status: failure == nil ? hops.last?.status : nil, failure: failure, hops: hops,
            timings: .init(connect: 0, wait: 12_345, receive: nil, total: 23_456), contentType: contentType, bytes: 43)
    }

    private static let image = answer(
        [.init(url: url, status: 200, fields: [HTTPField("Content-Type", "image/gif"), HTTPField("server", "t/1")])],
        contentType: "image/gif")

    private static let answers: [BeaconAnswer?] = [
        nil, image, answer([]),
        answer([
            .init(url: url, status: 302, fields: [HTTPField("Location", "/next?ü")]),
            .init(url: "https://other.example/next?ü", status: 204, fields: []),
        ]),
        answer([], failure: HTTPFailure(.tls, "certificate is expired", rejection: .expired)),
        answer([], failure: .proxy(.login, "the proxy wants a password")),
        answer([.init(url: url, status: 200, fields: [])], failure: HTTPFailure(.reset, "")),
        answer([.init(url: "", status: -1, fields: [HTTPField("", "")])], contentType: ""),
    ]

    @Test(arguments: answers) func anAnswerComesBackAsItWas(_ answer: BeaconAnswer?) {
        let attempts = [Self.attempt(1, answer), Self.attempt(ClaimID.Owner.ping.firstNumber, answer)]
        let tries = BeaconTries(count: 11, late: .milliseconds(-12), attempts, of: Self.url)
        #expect(tries.attempts(of: Self.url) == attempts)
        #expect(tries.count == 11)
        #expect(tries.late == .milliseconds(-12))
        #expect(tries == BeaconTries(count: 11, late: .milliseconds(-12), attempts, of: Self.url))
    }

    @Test(arguments: [
        Duration.zero, .seconds(-1), .nanoseconds(1), .nanoseconds(-1_000_000_001), .microseconds(Int64.max),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ])
    func aSpanComesBackExactly(_ span: Duration) {
        #expect(BeaconTries(count: 0, late: span, [], of: "").late == span)
    }

    @Test func nothingTakesNoBytes() {
        let none = BeaconTries(count: 0, late: nil, [], of: Self.url)
        #expect(none == BeaconTries() && none.bytes.isEmpty)
        #expect(none.count == 0 && none.late == nil && none.attempts(of: Self.url).isEmpty)
    }

    /// The address is that of the beacon, which is not kept twice.
    @Test func aSentBeaconTakesFewBytes() {
        let plain = Self.answer([.init(url: Self.url, status: 204, fields: [])])
        let tries = BeaconTries(count: 1, late: .milliseconds(3), [Self.attempt(1, plain)], of: Self.url)
        #expect(tries.bytes.count <= 48)
        #expect(tries.bytes.capacity < 2 * tries.bytes.count)
    }

    /// The address that was requested may change while an answer to the former one is kept.
    @Test func anotherAddressChangesNoAnswer() {
        var slot = URLDelivery(url: Self.url)
        let attempts = [Self.attempt(1, Self.image), Self.attempt(2, nil)]
        slot.attempts = attempts
        (slot.attemptCount, slot.late) = (2, .zero)
        slot.filled = "https://tracker.example/filled"
        #expect(slot.attempts == attempts)
        slot.become("https://tracker.example/impression?cb=2")
        #expect(slot.attempts == attempts)
        slot.filled = nil
        #expect(slot.attempts == attempts && slot.attemptCount == 2 && slot.late == .zero)
    }
}
