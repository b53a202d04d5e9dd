import AdTracking
import Bidding
import Locks
import Ports
import Testing

@testable import Monitoring
@testable import Session

/// Notices outside a session: at most once as well.
@Suite struct NoticeSenderTests {
    /// Answers with a status by path, and counts requests.
    private final class Network: HTTPTransport {
        private let seen = Locked<[HTTPRequest]>([])
        private let statuses: [String: Int]
        private let body: String

        init(_ statuses: [String: Int] = [:], body: String = "") {
            self.statuses = statuses
            self.body = body
        }

        var requests: [HTTPRequest] { seen.withLock { $0 } }
        var paths: [String] { requests.map(\.url.path) }

        func send(_ request: HTTPRequest) async -> HTTPExchange {
            seen.withLock { $0.append(request) }
            let status = statuses[request.url.path] ?? 204
            return HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: [])], body: Array(body.utf8))
        }
    }

    /// Waiting takes no time.
    private final class Clock: TimeSource {
        private let moment = Locked(Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(10)))

        func now() -> Moment { moment.withLock { $0 } }
        func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
            moment.withLock { $0 = $0.advanced(by: max(.zero, uptime - $0.uptime)) }
        }
    }

    /// - Parameter markup: the markup member of the bid, with its comma.
    private func result(markup: String = "\"adm\": \"x\",") throws -> AuctionResult {
        let text = """
            {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]}, "events": ["display"],
             "rtb": [{"bidder": "one", "response": {"id": "a", "seatbid": [{"bid": [{"id": "b", "impid": "1", "price": 1, "crid": "c",
              \(markup) "nurl": "https://one.example/w", "burl": "https://one.example/b"}]}]}}]}
            """
        return try AuctionPlan(try JSONReader.read(text)).auction.held()
    }

    private func send(
        _ network: Network, _ storage: InMemoryJournal.Storage, retry: RetrySetting = .safe
    ) async throws -> [NoticeView] {
        let sender = NoticeSender(
            transport: network, time: Clock(), journal: InMemoryJournal(storage: storage), userAgent: "test",
            retry: retry)
        var result = try result()
        return try await sender.send(&result, addressRule: .publicOnly)
    }

    @Test func aSecondRunSendsNothing() async throws {
        let (network, storage) = (Network(), InMemoryJournal.Storage())
        let first = try await send(network, storage)
        #expect(first.map(\.state) == [.done, .done] && network.paths == ["/w", "/b"])
        let second = try await send(network, storage)
        #expect(second.map(\.state) == [.done, .done] && second.allSatisfy(\.isEarlier))
        #expect(network.paths.count == 2)
    }

    /// Each hop of a redirect is judged as the notice itself was, and https never falls to http.
    @Test func requestsCarryTheRulesToTheEdge() async throws {
        let network = Network()
        _ = try await send(network, InMemoryJournal.Storage())
        #expect(network.requests.count == 2)
        for request in network.requests {
            #expect(request.addressRule == .publicOnly)
            #expect(request.redirectRule == RedirectRule(allowedHosts: nil, allowsDowngrade: false))
        }
    }

    /// The answer to the win notice is the markup; without it the ad is not shown and nothing is billed (BID-20).
    @Test(
        arguments: [
            (200, "<b>${AUCTION_PRICE}</b>", ["/w", "/b"], "<b>1</b>"), (200, "<VAST/>", ["/w"], nil),
            (204, "", ["/w"], nil),
            (500, "<b/>", ["/w"], nil),
        ] as [(Int, String, [String], String?)])
    func billingWaitsForTheMarkup(_ status: Int, _ body: String, _ paths: [String], _ markup: String?) async throws {
        let network = Network(["/w": status, "/b": 200], body: body)
        let sender = NoticeSender(
            transport: network, time: Clock(), journal: InMemoryJournal(storage: InMemoryJournal.Storage()),
            userAgent: "test")
        var result = try result(markup: "")
        let notices = try await sender.send(&result, addressRule: .publicOnly)
        #expect(network.paths == paths && result.markup == markup)
        #expect(notices.last?.state == (markup == nil ? .skipped : .done))
        #expect(result.failure == (markup == nil ? .internalError : nil))
        #expect(result.warnings.count == (markup == nil ? 1 : 0))
    }

    /// An answer of 500 may come from a bidder that counts: only those who test bidders ask again.
    @Test(arguments: [(RetrySetting.safe, 1), (.standard, 7), (.never, 1)]) func triesOfBilling(
        _ retry: RetrySetting, _ tries: Int
    ) async throws {
        let network = Network(["/b": 500])
        let notices = try await send(network, InMemoryJournal.Storage(), retry: retry)
        #expect(network.paths.count { $0 == "/b" } == tries && network.paths.count { $0 == "/w" } == 1)
        #expect(notices.map(\.state) == [.done, .failed] && notices[1].tries == tries)
    }

    @Test func aClaimWithoutAnEndStaysUnknown() async throws {
        let (network, storage) = (Network(), InMemoryJournal.Storage())
        let journal = InMemoryJournal(storage: storage)
        _ = try await journal.open(SessionKey("auction/a"))
        var book = NoticeBook(mode: .fire, gate: SendGate(), retry: .standard)
        book.begin(round: 1, try result())
        book.claim(isAsked: true, at: Clock().now())
        for case .writeClaims(let claims) in book.takeEffects(at: Clock().now()) {
            try await journal.writeClaims(claims.map(JournalClaim.init))
        }
        await journal.close()
        let notices = try await send(network, storage)
        #expect(notices.map(\.state) == [.unknown, .unknown] && network.paths.isEmpty)
    }
}
