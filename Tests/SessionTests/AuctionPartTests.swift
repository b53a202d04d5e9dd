import AdTracking
import Bidding
import Ports
import Session
import Testing

@Suite struct AuctionPartTests {
    private static let document = """
        {"auctionId": "a", "everyS": 20, "placement": {"id": "top", "sizes": [[320, 50]]},
         "lineItems": [{"id": "li", "cpm": "0.50"}],
         "rtb": [{"bidder": "one", "url": "https://one.example/"}, {"bidder": "two", "url": "https://two.example/"}]}
        """
    private let now = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(100))

    private func state(
        mode: ReportingMode, _ text: String = Self.document, retry: RetrySetting = .safe, allowHosts: [String] = []
    ) throws -> MonitorState {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live.m3u8"))
        configuration.mode = mode
        configuration.retry = retry
        configuration.sending.allowHosts = allowHosts
        configuration.provider = .none
        configuration.auction = try AuctionSetup(try JSONReader.read(text))
        return MonitorState(configuration)
    }

    private func requests(_ effects: [Effect], _ purpose: FetchPurpose) -> [(id: RequestID, request: HTTPRequest)] {
        effects.compactMap { effect -> (id: RequestID, request: HTTPRequest)? in
            guard case .fetch(let id, purpose, let request) = effect else { return nil }
            return (id, request)
        }
    }

    /// Confirms the claims of notices; only notices on disk are sent.
    private func sent(_ effects: [Effect], _ state: inout MonitorState, at now: Moment) -> [Sent] {
        #expect(sends(effects).isEmpty)
        let claims = effects.flatMap { effect -> [ClaimID] in
            if case .writeClaims(let claims) = effect { claims.map { ClaimID($0.number) } } else { [] }
        }
        return claims.isEmpty ? [] : sends(state.apply(.claimsWritten(claims), at: now))
    }

    private func sends(_ effects: [Effect]) -> [Sent] {
        effects.compactMap { effect in
            if case .send(let claim, let request) = effect { (claim, request) } else { nil }
        }
    }

    private typealias Sent = (claim: ClaimID, request: HTTPRequest)

    private func answer(_ price: String, to request: HTTPRequest) throws -> HTTPExchange {
        let id = try JSONReader.read(request.body)["id"]?.stringValue ?? ""
        let host = request.url.host
        let body = """
            {"id": "\(id)", "seatbid": [{"seat": "s", "bid": [{"id": "\(host)", "impid": "1", "price": \(price), "crid": "c",
             "adm": "x", "nurl": "https://\(host)/w?p=${AUCTION_PRICE}", "burl": "https://\(host)/b", "lurl": "https://\(host)/l"}]}]}
            """
        return HTTPExchange(
            hops: [.init(url: request.url.text, status: 200, fields: [])], body: Array(body.utf8),
            timings: .init(total: 30_000))
    }

    /// The first auction with its answers.
    private func held(_ state: inout MonitorState) throws -> [Effect] {
        let asked = requests(state.apply(.started, at: now), .bid)
        _ = state.apply(.journalOpened(JournalOpening(entries: [], notice: nil)), at: now)
        #expect(asked.map(\.request.url.host) == ["one.example", "two.example"])
        #expect(asked.allSatisfy { $0.request.method == .post && $0.request.totalTimeout == .seconds(1) })
        #expect(state.snapshot(at: now).auction?.waitingFor == ["one", "two"])
        _ = state.apply(.fetched(asked[0].id, try answer("1.20", to: asked[0].request)), at: now)
        #expect(
            state.snapshot(at: now).auction?.waitingFor == ["two"]
                && state.snapshot(at: now).auction?.answered == 1)
        return state.apply(.fetched(asked[1].id, try answer("0.90", to: asked[1].request)), at: now)
    }

    @Test func observingSendsNothing() throws {
        var state = try state(mode: .observe)
        #expect(sent(try held(&state), &state, at: now).isEmpty)
        let view = try #require(state.snapshot(at: now).auction)
        #expect(view.result?.winningCandidate?.id == "one.example" && view.result?.cpm?.text == "1.2")
        #expect(view.notices.map(\.state) == [.observed, .observed, .observed])
        #expect(view.notices.map(\.kind) == [.win, .loss, .billing])
        #expect(view.number == 1 && view.answered == 2)
        #expect(Verdict(state.snapshot(at: now)).beacons == SessionHealth.Beacons(), "an observed notice is no beacon")
    }

    @Test func noticesGoOutOnceWhenAskedFor() throws {
        var state = try state(mode: .observe, retry: .standard)
        _ = try held(&state)
        let sent = sent(state.apply(.beside(.auctionCommanded(.fireNotices)), at: now), &state, at: now)
        #expect(
            sent.map(\.request.url.text) == [
                "https://one.example/w?p=1.2", "https://two.example/l", "https://one.example/b",
            ])
        #expect(sent.allSatisfy { $0.request.addressRule == .publicOnly })
        #expect(self.sent(state.apply(.beside(.auctionCommanded(.fireNotices)), at: now), &state, at: now).isEmpty)
        for (claim, request) in sent {
            let exchange = HTTPExchange(hops: [.init(url: request.url.text, status: 503, fields: [])])
            _ = state.apply(.beaconAnswered(claim, exchange), at: now)
        }
        #expect(state.snapshot(at: now).auction?.notices.map(\.state) == [.failed, .failed, .waiting])
        // A notice reports an auction: it is not among the beacons that the viewer's session sent or lost.
        let verdict = Verdict(state.snapshot(at: now))
        #expect(verdict.beacons == SessionHealth.Beacons() && !verdict.problems.contains(.failed(2)))
        let later = now.advanced(by: .seconds(10))
        let again = self.sent(state.apply(.woke, at: later), &state, at: later)
        #expect(again.map(\.request.url.text) == ["https://one.example/b"])
        let exchange = HTTPExchange(hops: [.init(url: "https://one.example/b", status: 204, fields: [])])
        _ = state.apply(.beaconAnswered(again[0].claim, exchange), at: later)
        let billing = state.snapshot(at: later).auction?.notices[2]
        #expect(billing?.state == .done && billing?.tries == 2)
        #expect(Verdict(state.snapshot(at: later)).beacons == SessionHealth.Beacons())
    }

    /// `--allow-host` holds for redirects of notices too, and https never falls to http.
    @Test(arguments: [[], ["one.example"]] as [[String]])
    func noticesCarryTheRedirectRuleToTheEdge(_ hosts: [String]) throws {
        var state = try state(mode: .fire, allowHosts: hosts)
        let sent = sent(try held(&state), &state, at: now)
        let rule = RedirectRule(allowedHosts: hosts.isEmpty ? nil : Set(hosts), allowsDowngrade: false)
        #expect(sent.map(\.request.url.host).contains("two.example") == hosts.isEmpty)
        #expect(sent.count == (hosts.isEmpty ? 3 : 2))
        #expect(sent.allSatisfy { $0.request.redirectRule == rule })
    }

    @Test func firingSendsThemByItself() throws {
        var state = try state(mode: .fire)
        #expect(sent(try held(&state), &state, at: now).count == 3)
    }

    @Test func whatIfChangesTheResultAndSendsNothing() throws {
        var state = try state(mode: .observe)
        _ = try held(&state)
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 1, byCents: 31))), at: now)
        let view = try #require(state.snapshot(at: now).auction)
        #expect(view.isWhatIf && view.result?.winningCandidate?.id == "two.example" && view.result?.cpm?.text == "1.21")
        #expect(sent(state.apply(.beside(.auctionCommanded(.fireNotices)), at: now), &state, at: now).isEmpty)
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 1, byCents: -31))), at: now)
        #expect(state.snapshot(at: now).auction?.isWhatIf == false)
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 2, byCents: 100))), at: now)
        #expect(state.snapshot(at: now).auction?.result?.winningCandidate?.id == "li")
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 99, byCents: 1))), at: now)
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 0, byCents: .max))), at: now)
        _ = state.apply(.beside(.auctionCommanded(.resetPrices)), at: now)
        #expect(state.snapshot(at: now).auction?.result?.winningCandidate?.id == "one.example")
    }

    @Test func theNextAuctionBeginsByItselfWithItsOwnId() throws {
        var state = try state(mode: .observe)
        _ = try held(&state)
        let next = requests(state.apply(.woke, at: now.advanced(by: .seconds(20))), .bid)
        #expect(next.count == 2)
        #expect(try JSONReader.read(next[0].request.body)["id"] == "a-2")
        let underWay = state.snapshot(at: now).auction?.underWay
        #expect(underWay?.number == 2 && underWay?.id == "a-2" && underWay?.waitingFor == ["one", "two"])
        #expect(
            requests(state.apply(.beside(.auctionCommanded(.run)), at: now.advanced(by: .seconds(21))), .bid).isEmpty)
    }

    @Test func theLastOneIsShownUntilTheNextIsDecided() throws {
        var state = try state(mode: .observe)
        #expect(state.snapshot(at: now).auction?.underWay == nil)
        _ = try held(&state)
        let first = try #require(state.snapshot(at: now).auction)
        #expect(first.underWay == nil)
        let later = now.advanced(by: .seconds(20))
        let next = requests(state.apply(.woke, at: later), .bid)
        _ = state.apply(.fetched(next[0].id, try answer("0.70", to: next[0].request)), at: later)
        var shown = try #require(state.snapshot(at: later).auction)
        #expect(shown.underWay?.waitingFor == ["two"] && shown.underWay?.answered == 1)
        #expect(shown.underWay?.startedAt == later)
        shown.underWay = nil
        #expect(shown == first)
        _ = state.apply(.fetched(next[1].id, try answer("0.80", to: next[1].request)), at: later)
        let second = try #require(state.snapshot(at: later).auction)
        #expect(second.number == 2 && second.id == "a-2" && second.startedAt == later && second.underWay == nil)
        #expect(second.result?.winningCandidate?.id == "two.example" && second.result?.id == "a-2")
    }

    @Test func pricesAndNoticesBelongToTheShownAuction() throws {
        var state = try state(mode: .observe)
        _ = try held(&state)
        let later = now.advanced(by: .seconds(20))
        let next = requests(state.apply(.woke, at: later), .bid)
        let sent = sent(state.apply(.beside(.auctionCommanded(.fireNotices)), at: later), &state, at: later)
        #expect(sent.map(\.request.url.text).first == "https://one.example/w?p=1.2")
        _ = state.apply(.beside(.auctionCommanded(.changePrice(candidate: 1, byCents: 31))), at: later)
        let asked = try #require(state.snapshot(at: later).auction)
        #expect(asked.isWhatIf && asked.number == 1 && asked.result?.winningCandidate?.id == "two.example")
        for (id, request) in next { _ = state.apply(.fetched(id, try answer("0.90", to: request)), at: later) }
        let second = try #require(state.snapshot(at: later).auction)
        #expect(!second.isWhatIf && second.number == 2)
        #expect(second.notices.map(\.state) == [.observed, .observed, .observed])
    }

    @Test func silentBiddersAreNonBids() throws {
        var state = try state(mode: .observe)
        let asked = requests(state.apply(.started, at: now), .bid)
        let failures: [HTTPFailure] = [HTTPFailure(.timeout, "no answer"), HTTPFailure(.bodyTooLarge, "too long")]
        for (item, failure) in zip(asked, failures) {
            _ = state.apply(.fetched(item.id, HTTPExchange(failure: failure)), at: now)
        }
        let result = try #require(state.snapshot(at: now).auction?.result)
        #expect(result.nonBids.map(\.reason) == ["timeout", "answerTooLarge"])
        #expect(result.winningCandidate?.id == "li")
    }

    @Test func aRecordingKeepsAuctionAndCommands() throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
        configuration.auction = try AuctionSetup(try JSONReader.read(Self.document))
        let header = RecordingFormat.header(configuration)
        #expect(try RecordingFormat.readHeader(Array(header.utf8)) == configuration)
        let commands: [AuctionCommand] = [
            .run, .fireNotices, .changePrice(candidate: 3, byCents: -2), .resetPrices,
        ]
        for command in commands {
            let input = RecordedInput(input: .beside(.auctionCommanded(command)), at: now)
            #expect(try RecordingFormat.readLine(Array(RecordingFormat.line(input).utf8)).input == input.input)
        }
    }

    @Test func theSnapshotHasASection() throws {
        var state = try state(mode: .observe)
        _ = try held(&state)
        let json = SnapshotJSON().value(of: state.snapshot(at: now))["auction"]
        #expect(json?["result"]?["winner"]?["id"] == "one.example")
        #expect(json?["notices"]?.arrayValue?.count == 3)
        #expect(json?["result"]?["notices"] == nil && json?["result"]?["markupBytes"] == 1)
        #expect(json?["underWay"] == .null)
        _ = state.apply(.beside(.auctionCommanded(.run)), at: now)
        let next = SnapshotJSON().value(of: state.snapshot(at: now))["auction"]
        #expect(next?["number"] == 1 && next?["result"] == json?["result"] && next?["waitingFor"] == [])
        #expect(
            next?["underWay"] == [
                "number": 2, "id": "a-2", "startedAtMs": 1_800_000_000_000, "asked": 2, "answered": 0,
                "waitingFor": ["one", "two"],
            ])
    }

    @Test(arguments: [
        "{\"placement\": {\"id\": \"a\"}, \"everyS\": 0}", "{\"placement\": {\"id\": \"a\"}, \"everyS\": \"1\"}",
    ])
    func intervalsAreWholeSeconds(text: String) throws {
        let json = try JSONReader.read(text)
        #expect(throws: AuctionProblem("everyS", "must be whole seconds, at least 1")) { try AuctionSetup(json) }
    }
}
