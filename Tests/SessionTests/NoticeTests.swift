import AdTracking
import Bidding
import Ports
import Session
import TestSupport
import Testing

/// Notices of auctions are sent at most once, also across restarts and lost journals.
@Suite struct NoticeTests {
    private static let base = FakeOrigin.base + "/n/"

    /// A recorded auction: the same bids, and so the same notices, in every run.
    private static func document(interval: String = "") -> String {
        func answer(_ id: String, _ price: String) -> String {
            """
            {"id": "a", "seatbid": [{"seat": "\(id)", "bid": [{"id": "1", "impid": "1", "price": \(price), "crid": "c",
             "adm": "x", "nurl": "\(base)\(id)-win?i=${AUCTION_ID}", "burl": "\(base)\(id)-bill",
             "lurl": "\(base)\(id)-loss?l=${AUCTION_LOSS}"}]}]}
            """
        }
        return """
            {"auctionId": "a", \(interval) "placement": {"id": "top", "sizes": [[320, 50]]},
             "rtb": [{"bidder": "one", "response": \(answer("one", "1.20"))},
              {"bidder": "two", "response": \(answer("two", "0.90"))}]}
            """
    }

    private static let urls = ["one-win?i=a", "two-loss?l=102", "one-bill"].map { base + $0 }

    /// - Parameter status: status of answers to notices, by the last part of the path.
    private func session(
        _ text: String = Self.document(), mode: ReportingMode = .fire, answering status: [String: Int] = [:],
        body: String = ""
    ) throws -> MonitorHarness {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in
            guard request.url.path.hasPrefix("/n/") else { return nil }
            let code = status[String(request.url.path.dropFirst(3))] ?? 200
            return FakeOrigin.Reply(
                exchange: HTTPExchange(
                    hops: [.init(url: request.url.text, status: code, fields: [])], body: Array(body.utf8)))
        }
        let auction = try AuctionSetup(try JSONReader.read(text))
        return try MonitorHarness(origin) {
            $0.mode = mode
            $0.retry = .standard
            $0.auction = auction
        }
    }

    private func states(_ session: inout MonitorHarness) -> [NoticeView.State] {
        session.snapshot().auction?.notices.map(\.state) ?? []
    }

    /// Markup has the same macros, however it comes.
    @Test func theAnswerOfTheWinNoticeIsTheMarkup() throws {
        let text = Self.document().replacing("\"adm\": \"x\", ", with: "")
        var session = try session(text, body: "<b>${AUCTION_PRICE} ${AUCTION_SEAT_ID}</b>")
        session.start()
        session.run(for: .seconds(2))
        #expect(session.snapshot().auction?.result?.markup == "<b>1.2 one</b>")
    }

    /// An ad without markup is not shown, so nothing is billed for it (BID-20).
    @Test(
        arguments: [
            ("<b/>", 200, NoticeView.State.done, nil), ("<b/>", 204, .skipped, "no markup: status 204"),
            (" ", 200, .skipped, "no markup: the answer is empty"),
            ("<VAST/>", 200, .skipped, "another format: VAST markup"),
            (String(repeating: "x", count: 65_536), 200, .skipped, "no markup: cut at 65536 bytes"),
            ("<img src='http://ad.example/1'>", 200, .skipped, "markup not secure: no https"),
        ] as [(String, Int, NoticeView.State, String?)])
    func billingWaitsForTheMarkup(
        _ body: String, _ status: Int, _ state: NoticeView.State, _ problem: String?
    ) throws {
        let text = Self.document().replacing("\"adm\": \"x\", ", with: "")
            .replacing("\"id\": \"top\",", with: "\"id\": \"top\", \"secure\": 1,")
        var session = try session(text, answering: ["one-win": status], body: body)
        session.losesAnswers = true
        session.start()
        session.run(for: .seconds(2))
        #expect(session.urls == Self.urls.dropLast())
        session = try self.session(text, answering: ["one-win": status], body: body)
        session.start()
        session.run(for: .seconds(2))
        #expect(session.urls == (state == .done ? Self.urls : Self.urls.dropLast()))
        let auction = try #require(session.snapshot().auction)
        #expect(auction.notices.map(\.state) == [.done, .done, state] && auction.notices.last?.problem == problem)
        #expect(auction.result?.markup == (problem == nil ? body : nil))
        #expect(auction.result?.failure == (problem == nil ? nil : .internalError))
        #expect(
            session.log.contains { $0.contains("the ad of one 1 cannot be shown: \(problem ?? "")") }
                == (problem != nil))
    }

    /// The answer that has the markup was lost with the process.
    @Test func withoutTheAnswerOfAnEarlierRunNothingIsBilled() throws {
        let text = Self.document().replacing("\"adm\": \"x\", ", with: "")
        var first = try session(text, body: "<b/>")
        first.losesAnswers = true
        first.start()
        first.run(for: .seconds(2))
        var second = try session(text, body: "<b/>")
        second.journal = first.journal
        second.start()
        second.run(for: .seconds(2))
        #expect(second.urls.isEmpty)
        let bill = try #require(second.snapshot().auction?.notices.last)
        #expect(bill.kind == .billing && bill.problem == "no markup: the win notice was sent earlier")
    }

    @Test func eachNoticeIsOnDiskBeforeItIsSent() throws {
        var session = try session()
        session.start()
        session.run(for: .seconds(2))
        #expect(session.urls.filter { $0.hasPrefix(Self.base) } == Self.urls)
        #expect(states(&session) == [.done, .done, .done])
        let kept = session.journal.filter { $0.beacon.breakName == "=auction/a" }
        #expect(kept.map(\.beacon.url) == Self.urls && kept.map(\.beacon.type) == ["nurl", "lurl", "burl"])
        #expect(kept.map(\.beacon.adName) == ["=one 1", "=two 1", "=one 1"])
        #expect(kept.allSatisfy { $0.outcome == "acknowledged" })
    }

    @Test func whatAnEarlierRunSentIsNotSentAgain() throws {
        var first = try session()
        first.losesAnswers = true
        first.start()
        first.run(for: .seconds(2))
        #expect(first.urls == Self.urls)
        var entries = first.journal
        // The first notice was answered before the process ended.
        entries[0].outcome = "acknowledged"
        var second = try session()
        second.journal = entries
        second.start()
        second.run(for: .seconds(60))
        #expect(second.urls.isEmpty)
        let notices = try #require(second.snapshot().auction?.notices)
        #expect(notices.map(\.state) == [.done, .unknown, .unknown] && notices.allSatisfy(\.isEarlier))
        // Not even at a person's request.
        second.submit(.beside(.auctionCommanded(.fireNotices)))
        second.run(for: .seconds(2))
        #expect(second.urls.isEmpty)
    }

    @Test func aRecordedAuctionHeldAgainIsTheSame() throws {
        var session = try session()
        session.start()
        session.run(for: .seconds(2))
        session.submit(.beside(.auctionCommanded(.run)))
        session.run(for: .seconds(2))
        #expect(session.urls == Self.urls)
        let auction = try #require(session.snapshot().auction)
        #expect(auction.number == 2 && auction.id == "a" && auction.result?.winningCandidate?.name == "one 1")
        #expect(auction.notices.map(\.state) == [.done, .done, .done])
    }

    @Test func billingNoticesAreRetriedWithNewClaimsAcrossAuctions() throws {
        var session = try session(Self.document(interval: "\"everyS\": 15,"), answering: ["one-bill": 500])
        session.start()
        session.run(for: .seconds(120))
        // Once, and six times ten seconds apart.
        #expect(session.urls.count { $0 == Self.urls[2] } == 7)
        #expect(session.urls.count { $0 != Self.urls[2] } == 2)
        #expect(states(&session) == [.done, .done, .failed])
        let entry = try #require(session.journal.first { $0.beacon.type == "burl" })
        #expect(entry.attempt == 7 && entry.outcome == "rejected")
    }

    @Test func aLostJournalKnowsThemAgain() throws {
        var session = try session(answering: ["one-bill": 500])
        session.start()
        session.run(for: .seconds(2))
        session.losesJournal = true
        session.run(for: .seconds(20))
        let known = Set(session.journal.map(\.beacon.url))
        #expect(known.isSuperset(of: Self.urls), "\(known)")
        #expect(session.urls.count { $0 == Self.urls[0] } == 1)
    }

    @Test func withoutAJournalNothingIsSent() throws {
        var session = try session()
        session.journalFails = "journal: disk full"
        session.start()
        session.run(for: .seconds(5))
        session.submit(.beside(.auctionCommanded(.fireNotices)))
        session.run(for: .seconds(5))
        #expect(session.urls.isEmpty && states(&session) == [.observed, .observed, .observed])
        #expect(session.log.contains("warning: notices are not sent: no journal is open"))
        session.journalFails = nil
        session.run(for: .seconds(60))
        session.submit(.beside(.auctionCommanded(.fireNotices)))
        session.run(for: .seconds(5))
        #expect(Set(session.urls) == Set(Self.urls))
    }

    @Test func aReplaySendsTheSame() throws {
        var session = try session()
        session.start()
        session.run(for: .seconds(5))
        var state = MonitorState(session.state.configuration)
        var sent: [String] = []
        for item in session.inputs {
            for effect in state.apply(item.input, at: item.at) {
                if case .send(_, let request) = effect { sent.append(request.url.text) }
            }
        }
        #expect(sent == Self.urls)
        #expect(state.snapshot(at: session.now).auction == session.snapshot().auction)
    }
}
