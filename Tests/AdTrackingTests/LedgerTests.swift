import AdTracking
import Ports
import Testing

/// Claims, sends, retries and aggregates of the ledger (TRK-13, TRK-14, TRK-15).
@Suite struct LedgerTests {
    static let key = EventKey(
        session: "s", breakName: .given("b"), adName: .given("a"), adStart: .ms(0), type: "start", start: .ms(5_000))
    /// The same event in an ad of another name.
    static let renamed = EventKey(
        session: "s", breakName: .given("b"), adName: .given("renamed"), adStart: .ms(0), type: "start",
        start: .ms(5_000))
    static let event = EventID(1)
    static let url = "https://t.example/1"

    static func ledger(
        _ urls: [String] = [url], mode: ReportingMode = .fire, type: EventType = .start, gate: SendGate = SendGate(),
        retry: RetryPolicy = .safe
    ) -> Ledger {
        var ledger = Ledger(mode: mode, gate: gate, retry: retry, seed: 1)
        ledger.list(event, key: key, type: type, urls: urls)
        return ledger
    }

    static func claim(_ ledger: inout Ledger, at time: Int64 = 5_000, adEndsIn: Int64 = 10_000) -> [ClaimID] {
        _ = ledger.claim(event, late: .zero, adEndsIn: .milliseconds(adEndsIn), at: .ms(time))
        return write(ledger.takeEffects(at: .ms(time)))
    }

    static func write(_ effects: [LedgerEffect]) -> [ClaimID] {
        effects.flatMap { effect -> [ClaimID] in
            guard case .writeClaims(let records) = effect else { return [] }
            return records.map(\.id)
        }
    }

    static func states(_ ledger: Ledger) -> [DeliveryState] { ledger[event]?.urls.map(\.state) ?? [] }

    @Test func nothingIsSentBeforeTheJournalHasIt() throws {
        var ledger = Self.ledger()
        let claim = ledger.claim(Self.event, late: .milliseconds(12), adEndsIn: .seconds(10), at: .ms(5_000))
        #expect(claim.isAny)
        let effects = ledger.takeEffects(at: .ms(5_000))
        let record = ClaimRecord(
            id: ClaimID(1), key: URLKey(event: Self.key, url: Self.url), round: 0, attempt: 1, at: .ms(5_000),
            late: .milliseconds(12))
        #expect(effects == [.writeClaims([record])])
        #expect(Self.states(ledger) == [.claimed])
        #expect(ledger[Self.event]?.urls[0].late == .milliseconds(12))
        let order = BeaconOrder(
            claim: ClaimID(1), event: Self.event, url: try WebURL(Self.url), gate: SendGate())
        #expect(ledger.claimsWritten([ClaimID(1)], at: .ms(5_001)) == [.send([order])])
        #expect(Self.states(ledger) == [.sent])
        // A claim written twice is sent once.
        #expect(ledger.claimsWritten([ClaimID(1)], at: .ms(5_002)) == [])
    }

    /// The URL as written names the beacon; only the request has the escapes that it lacks.
    @Test func escapesMakeNoOtherBeacon() throws {
        let written = "https://t.example/aéb"
        var ledger = Self.ledger([written])
        _ = ledger.claim(Self.event, late: .zero, adEndsIn: .seconds(10), at: .ms(5_000))
        let record = ClaimRecord(
            id: ClaimID(1), key: URLKey(event: Self.key, url: written), round: 0, attempt: 1, at: .ms(5_000),
            late: .zero)
        #expect(ledger.takeEffects(at: .ms(5_000)) == [.writeClaims([record])])
        let requested = try WebURL("https://t.example/a%C3%A9b")
        let order = BeaconOrder(claim: ClaimID(1), event: Self.event, url: requested, gate: SendGate())
        #expect(ledger.claimsWritten([ClaimID(1)], at: .ms(5_001)) == [.send([order])])
        #expect(ledger[Self.event]?.urls[0].filled == requested.text)
    }

    /// What is shown as requested has the escapes that only the request line has; the URL of the request is the one of the document.
    @Test(
        arguments: [
            ("https://t.example/?a|b", "https://t.example/?a%7Cb"),
            ("https://t.example/{x}/%zz", "https://t.example/%7Bx%7D/%25zz"),
            ("https://t.example/?a%7Cb#f", nil), ("https://t.example", nil),
        ] as [(String, String?)])
    func theWireIsShown(_ written: String, _ shown: String?) throws {
        var ledger = Self.ledger([written])
        _ = ledger.claim(Self.event, late: .zero, adEndsIn: .seconds(10), at: .ms(5_000))
        _ = ledger.takeEffects(at: .ms(5_000))
        let order = BeaconOrder(claim: ClaimID(1), event: Self.event, url: try WebURL(written), gate: SendGate())
        #expect(ledger.claimsWritten([ClaimID(1)], at: .ms(5_001)) == [.send([order])])
        #expect(ledger[Self.event]?.urls[0].filled == shown)
    }

    /// A type that a later document gives counts: also for what the former type kept from being sent, and not for what was sent.
    @Test func aTypeThatBecomesKnownCounts() {
        var ledger = Self.ledger(type: .unknown)
        #expect(Self.claim(&ledger) == [])
        #expect(Self.states(ledger) == [.skipped])
        ledger.list(Self.event, key: Self.key, type: .start, urls: [Self.url])
        #expect(Self.states(ledger) == [.planned])
        #expect(Self.claim(&ledger) == [ClaimID(1)])
        for type in [EventType.unknown, .start] {
            ledger.list(Self.event, key: Self.key, type: type, urls: [Self.url])
            #expect(Self.claim(&ledger) == [])
            #expect(Self.states(ledger) == [.claimed])
        }
    }

    @Test func secondClaimFindsNothing() {
        var ledger = Self.ledger()
        #expect(Self.claim(&ledger) == [ClaimID(1)])
        #expect(Self.claim(&ledger) == [])
        let again = ledger.claim(Self.event, late: .zero, adEndsIn: .zero, at: .ms(6_000))
        #expect(!again.isAny)
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var exchange: HTTPExchange
        var state: DeliveryState
        var aggregate: ReportingState
        var outcome: DeliveryState
        var testDescription: String {
            "\(exchange.status.map(String.init) ?? "\(exchange.failure?.kind ?? .cancelled)")"
        }
    }

    @Test(arguments: [
        Answer(exchange: .answer(200), state: .acknowledged, aggregate: .done, outcome: .acknowledged),
        Answer(exchange: .answer(204), state: .acknowledged, aggregate: .done, outcome: .acknowledged),
        Answer(exchange: .answer(302), state: .rejected, aggregate: .failed, outcome: .rejected),
        Answer(exchange: .answer(404), state: .rejected, aggregate: .failed, outcome: .rejected),
        Answer(exchange: .answer(503), state: .rejected, aggregate: .failed, outcome: .rejected),
        Answer(exchange: .answer(429), state: .rejected, aggregate: .failed, outcome: .rejected),
        Answer(exchange: .failure(.timeout), state: .unknown, aggregate: .unknown, outcome: .unknown),
        Answer(exchange: .failure(.reset), state: .unknown, aggregate: .unknown, outcome: .unknown),
        Answer(exchange: .failure(.protocolError), state: .unknown, aggregate: .unknown, outcome: .unknown),
        Answer(exchange: .failure(.connect), state: .waiting, aggregate: .connecting, outcome: .failed),
        Answer(exchange: .failure(.resolve), state: .waiting, aggregate: .connecting, outcome: .failed),
        Answer(exchange: .failure(.connectTimeout), state: .waiting, aggregate: .connecting, outcome: .failed),
        Answer(exchange: .failure(.tls), state: .waiting, aggregate: .connecting, outcome: .failed),
        Answer(exchange: .failure(.proxy), state: .waiting, aggregate: .connecting, outcome: .failed),
        Answer(exchange: .failure(.tooManyRedirects), state: .failed, aggregate: .failed, outcome: .failed),
        Answer(exchange: .failure(.addressNotAllowed), state: .skipped, aggregate: .skipped, outcome: .skipped),
    ])
    func answersEndInStates(_ test: Answer) {
        var ledger = Self.ledger()
        let claims = Self.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        let answer = ledger.answered(claims[0], test.exchange, at: .ms(5_100))
        #expect(Self.states(ledger) == [test.state])
        #expect(ledger[Self.event]?.state == test.aggregate)
        #expect(ledger.stateCounts == [test.aggregate: 1])
        let record = OutcomeRecord(
            id: claims[0], key: URLKey(event: Self.key, url: Self.url), round: 0, attempt: 1, state: test.outcome,
            status: test.exchange.status, at: .ms(5_100))
        #expect(answer.effects == [.writeOutcomes([record])])
        #expect(ledger.inFlight == 0)
        // A repeated answer changes nothing.
        #expect(ledger.answered(claims[0], .answer(500), at: .ms(5_200)) == LedgerAnswer())
        #expect(Self.states(ledger) == [test.state])
    }

    /// It waited for the journal, and then for its turn or its connection.
    @Test func aBeaconIsSentWhenItsRequestIsWritten() throws {
        var ledger = Self.ledger()
        _ = ledger.claim(Self.event, late: .milliseconds(20), adEndsIn: .seconds(10), at: .ms(5_000))
        _ = ledger.takeEffects(at: .ms(5_500))
        _ = ledger.claimsWritten([ClaimID(1)], at: .ms(6_000))
        var exchange = HTTPExchange.answer(200)
        exchange.sentAfter = .seconds(3)
        let answer = ledger.answered(ClaimID(1), exchange, at: .ms(9_100))
        let slot = try #require(ledger[Self.event]?.urls.first)
        #expect(slot.attempts.map(\.at) == [Moment.ms(9_000)])
        #expect(slot.late == .milliseconds(4_020))
        let delay = try #require(answer.change?.delay)
        #expect(delay.claimed == .milliseconds(20) && delay.ofEvent == .milliseconds(20))
        #expect(delay.sent == .milliseconds(4_020))
        #expect(delay.isFirst(beyond: .seconds(1)) && !delay.isFirst(beyond: .seconds(5)))
        guard case .writeOutcomes(let records)? = answer.effects.first else { throw HTTPFailure(.cancelled, "") }
        #expect(records.map(\.late) == [.milliseconds(4_020)])
    }

    /// Of several tries the first that was written is the one that sent the beacon; without the time it is the claim.
    @Test(arguments: [nil, Duration.zero]) func aTryThatWasNotWrittenSentNothing(_ sentAfter: Duration?) throws {
        var ledger = Self.ledger()
        _ = Self.claim(&ledger)
        _ = ledger.claimsWritten([ClaimID(1)], at: .ms(5_000))
        _ = ledger.answered(ClaimID(1), .failure(.connect), at: .ms(5_000))
        _ = ledger.retriesDue(at: .ms(5_600))
        _ = ledger.takeEffects(at: .ms(5_600))
        _ = ledger.claimsWritten([ClaimID(2)], at: .ms(5_600))
        let claimed = try #require(ledger[Self.event]?.urls.first?.late)
        var exchange = HTTPExchange.answer(200)
        exchange.sentAfter = sentAfter
        _ = ledger.answered(ClaimID(2), exchange, at: .ms(5_700))
        let late = try #require(ledger[Self.event]?.urls.first?.late)
        #expect(late == claimed + (sentAfter == nil ? .zero : .milliseconds(600)))
    }

    /// Delays of 0.5, 2 and 8 s, within 20 %, and no further attempt.
    @Test func transportFailuresAreTriedFourTimes() {
        var viewer = AdViewer()
        viewer.respond = { _ in .failure(.connect) }
        viewer.metadata([.test("b", 0, 60_000, [.test("a", 0, 60_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 5_000)
        viewer.wait(60_000)
        #expect(viewer.requests.count == 4)
        #expect(viewer.state(.start) == .failed)
        let attempts = viewer.event(.start).flatMap { viewer.tracker.ledger[$0]?.urls[0].attempts } ?? []
        let waits = zip(attempts, attempts.dropFirst()).map { ($1.at.uptime - $0.at.uptime).inMilliseconds }
        #expect(waits.count == 3)
        for (wait, expected) in zip(waits, [Int64(500), 2_000, 8_000]) {
            #expect((expected * 8 / 10...expected * 12 / 10).contains(wait), "\(wait)")
        }
    }

    /// What may have reached the tracker is sent once, unless a person tests trackers.
    @Test(arguments: [
        (RetrySetting.safe, HTTPExchange.failure(.timeout), 1), (.safe, .failure(.reset), 1), (.safe, .answer(503), 1),
        (.safe, .failure(.connect), 4), (.standard, .failure(.timeout), 4), (.standard, .failure(.reset), 4),
        (.standard, .answer(503), 2), (.standard, .answer(429), 2), (.never, .failure(.connect), 1),
    ])
    func requestsOfOneBeacon(_ test: (setting: RetrySetting, exchange: HTTPExchange, requests: Int)) {
        var viewer = AdViewer(retry: test.setting.policy)
        viewer.respond = { _ in test.exchange }
        viewer.metadata([.test("b", 0, 60_000, [.test("a", 0, 60_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 5_000)
        viewer.wait(60_000)
        #expect(viewer.requests.count == test.requests)
    }

    /// A tracker that limits requests says when the next one is welcome (RFC 6585 section 4).
    @Test func aTryAfter429WaitsAsLongAsTheTrackerAsks() {
        var viewer = AdViewer(retry: .standard)
        viewer.respond = { _ in
            HTTPExchange(
                hops: [.init(url: "https://t.example/", status: 429, fields: [HTTPField("Retry-After", "7")])], body: []
            )
        }
        viewer.metadata([.test("b", 0, 60_000, [.test("a", 0, 60_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 5_000)
        viewer.wait(6_500)
        #expect(viewer.requests.count == 1)
        viewer.wait(2_000)
        #expect(viewer.requests.count == 2)
    }

    @Test func serverErrorsAreTriedTwice() {
        var viewer = AdViewer(retry: .standard)
        viewer.respond = { _ in .answer(503) }
        viewer.metadata([.test("b", 0, 60_000, [.test("a", 0, 60_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 5_000)
        viewer.wait(60_000)
        #expect(viewer.requests.count == 2)
        #expect(viewer.state(.start) == .failed)
    }

    @Test func retriesEndHalfAMinuteAfterTheAd() {
        var ledger = Self.ledger(
            retry: RetryPolicy(
                delays: [.seconds(29), .seconds(29)], jitter: 0, repeatsUnknown: true, retriesAfterServerError: 1,
                afterAdEnd: .seconds(30)))
        let claims = Self.claim(&ledger, at: 5_000, adEndsIn: 5_000)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .failure(.connect), at: .ms(5_000))
        #expect(ledger.nextRetry == .seconds(34))
        #expect(ledger.retriesDue(at: .ms(33_999)).events == [])
        #expect(ledger.retriesDue(at: .ms(34_000)).events == [Self.event])
        let second = Self.write(ledger.takeEffects(at: .ms(34_000)))
        _ = ledger.claimsWritten(second, at: .ms(34_000))
        _ = ledger.answered(second[0], .failure(.connect), at: .ms(34_000))
        // The next attempt would be at 63 s, but the ad ended at 10 s.
        #expect(ledger.nextRetry == nil)
        #expect(Self.states(ledger) == [.failed])
    }

    /// A process that stood still looks at its retries when their time is over. What is known of the last try stays.
    @Test(arguments: [
        (RetrySetting.safe, HTTPFailure.Kind.connect, DeliveryState.failed), (.standard, .timeout, .unknown),
    ])
    func noTryIsMadeAfterItsDeadline(_ retry: RetrySetting, _ kind: HTTPFailure.Kind, _ state: DeliveryState) {
        for isLate in [false, true] {
            var ledger = Self.ledger(retry: retry.policy)
            let claims = Self.claim(&ledger)
            _ = ledger.claimsWritten(claims, at: .ms(5_000))
            _ = ledger.answered(claims[0], .failure(kind), at: .ms(5_000))
            // The ad ends at 15 s, and the last try may start 30 s later.
            let now = Moment.ms(isLate ? 45_001 : 45_000)
            let due = ledger.retriesDue(at: now)
            #expect(due.events == [Self.event] && ledger.nextRetry == nil)
            #expect(Self.write(ledger.takeEffects(at: now)).count == (isLate ? 0 : 1))
            #expect(Self.states(ledger) == [isLate ? state : .claimed])
            #expect(
                due.withdrawals.givenUp.map(\.state) == (isLate ? [state] : [])
                    && due.withdrawals.givenUp.allSatisfy { $0.attempt == 1 })
        }
    }

    /// With a short `--keep` an ad may expire while its beacon is on its way: the journal has its answer, and its owner that no try follows.
    @Test func whatExpiresMeanwhileHasItsEnd() {
        var ledger = Self.ledger()
        let claims = Self.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        ledger.remove([Self.event])
        let record = OutcomeRecord(
            id: claims[0], key: URLKey(event: Self.key, url: Self.url), round: 0, attempt: 1, state: .acknowledged,
            status: 204, at: .ms(5_100))
        #expect(ledger.answered(claims[0], .answer(204), at: .ms(5_100)).effects == [.writeOutcomes([record])])
        var other = Self.ledger()
        let first = Self.claim(&other)
        _ = other.claimsWritten(first, at: .ms(5_000))
        _ = other.answered(first[0], .failure(.connect), at: .ms(5_000))
        other.remove([Self.event])
        #expect(other.retriesDue(at: .ms(6_000)).withdrawals.givenUp.map(\.state) == [.failed])
        #expect(other.takeEffects(at: .ms(6_000)) == [])
    }

    /// A viewer's action has its result then, too.
    @Test func anActionWhoseTryIsGivenUpIsSettled() {
        var ledger = Self.ledger(type: .mute)
        _ = ledger.claimForUser([Self.event], adEndsIn: .seconds(10), at: .ms(5_000))
        let ids = Self.write(ledger.takeEffects(at: .ms(5_000)))
        _ = ledger.claimsWritten(ids, at: .ms(5_000))
        #expect(ledger.answered(ids[0], .failure(.connect), at: .ms(5_000)).settlement == nil)
        #expect(
            ledger.retriesDue(at: .ms(3_600_000)).withdrawals.settlements == [
                UserSettlement(round: 1, wasReported: false)
            ])
        #expect(Self.states(ledger) == [.failed])
    }

    @Test func failureBehindARedirectIsFinal() {
        var ledger = Self.ledger()
        let claims = Self.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        var exchange = HTTPExchange.failure(.timeout)
        exchange.hops = [HTTPExchange.Hop(url: Self.url, status: 302, fields: [])]
        _ = ledger.answered(claims[0], exchange, at: .ms(5_000))
        #expect(Self.states(ledger) == [.failed])
    }

    @Test func observeModeSendsNothingEver() {
        var ledger = Self.ledger(mode: .observe)
        #expect(Self.claim(&ledger) == [])
        #expect(Self.states(ledger) == [.observed])
        ledger.modeChanged(to: .fire)
        #expect(Self.claim(&ledger) == [])
        #expect(ledger.retryAsked(Self.event, url: nil, at: .ms(6_000)).isEmpty)
        #expect(ledger[Self.event]?.state == .observed)
    }

    @Test func disarmingStopsBeaconsNotYetJournaled() {
        let urls = (0..<100).map { "https://t.example/\($0)" }
        var ledger = Self.ledger(urls)
        let written = Self.claim(&ledger)
        #expect(written.count == Limits.beaconsInFlight)
        #expect(ledger.queued == 36)
        ledger.modeChanged(to: .observe)
        #expect(ledger.queued == 0)
        // The claim is on disk but not sent: the outcome must reach the journal.
        let effects = ledger.claimsWritten(written, at: .ms(5_000))
        guard case .writeOutcomes(let outcomes)? = effects.first, effects.count == 1 else {
            Issue.record("\(effects)")
            return
        }
        #expect(outcomes.count == 64)
        #expect(Set(outcomes.map(\.state)) == [.skipped])
        #expect(ledger[Self.event]?.state == .observed)
        #expect(ledger.inFlight == 0)
    }

    @Test func atMostSixtyFourAreInFlight() {
        let urls = (0..<130).map { "https://t.example/\($0)" }
        var ledger = Self.ledger(urls)
        let first = Self.claim(&ledger)
        #expect(first.count == 64)
        _ = ledger.claimsWritten(first, at: .ms(5_000))
        #expect(ledger.takeEffects(at: .ms(5_000)) == [])
        for claim in first { _ = ledger.answered(claim, .answer(204), at: .ms(5_100)) }
        #expect(Self.write(ledger.takeEffects(at: .ms(5_100))).count == 64)
        #expect(ledger.queued == 2)
    }

    @Test func aFullQueueRejectsBeacons() {
        var ledger = Ledger(mode: .fire)
        for number in 0..<Limits.beaconQueue + 5 {
            let event = EventID(number)
            ledger.list(event, key: Self.key, type: .start, urls: ["https://t.example/\(number)"])
            _ = ledger.claim(event, late: .zero, adEndsIn: .zero, at: .ms(5_000))
        }
        #expect(ledger.queued == Limits.beaconQueue)
        #expect(ledger.refusedByQueue == 5)
        #expect(ledger[EventID(Limits.beaconQueue + 4)]?.skipReason == .queueFull)
        #expect(ledger.stateCounts == [.connecting: Limits.beaconQueue, .skipped: 5])
    }

    @Test func sameURLTwiceIsADuplicate() {
        var ledger = Self.ledger([Self.url, Self.url])
        ledger.list(EventID(2), key: Self.key, type: .start, urls: [Self.url])
        #expect(Self.claim(&ledger).count == 1)
        let claimAgain = ledger.claim(EventID(2), late: .zero, adEndsIn: .seconds(10), at: .ms(5_000))
        #expect(!claimAgain.isAny)
        #expect(ledger[Self.event]?.urls[1].reason == .duplicate)
        #expect(ledger[EventID(2)]?.skipReason == .duplicate)
    }

    /// A blocked URL occupies no place: another event with the same start and URL is judged by itself.
    @Test func blockedURLOccupiesNoPlace() {
        var ledger = Self.ledger([Self.url])
        ledger.gate = SendGate(allowedHosts: ["elsewhere.example"])
        #expect(Self.claim(&ledger).isEmpty)
        #expect(ledger[Self.event]?.skipReason == .hostNotAllowed)
        ledger.gate = SendGate()
        ledger.list(EventID(2), key: Self.renamed, type: .start, urls: [Self.url])
        let claim = ledger.claim(EventID(2), late: .zero, adEndsIn: .seconds(10), at: .ms(5_000))
        #expect(claim.isAny)
        #expect(ledger[EventID(2)]?.state == .connecting)
    }

    /// Expired beacons and restored beacons keep their places, also those of events known before the restore.
    @Test(arguments: [true, false]) func expiredBeaconKeepsItsPlace(isForgotten: Bool) {
        var ledger = Self.ledger()
        ledger.list(EventID(2), key: Self.renamed, type: .start, urls: [Self.url])
        if isForgotten {
            #expect(Self.claim(&ledger).count == 1)
            ledger.remove([Self.event])
        } else {
            ledger.remove([Self.event])
            let key = URLKey(event: Self.key, url: Self.url)
            ledger.restored([RestoredBeacon(key: key, round: 0, attempt: 1, outcome: .acknowledged)])
        }
        let claim = ledger.claim(EventID(2), late: .zero, adEndsIn: .seconds(10), at: .ms(6_000))
        #expect(!claim.isAny)
        // What a journal restores is shown with what became of it.
        #expect(ledger[EventID(2)]?.urls.map(\.state) == [isForgotten ? .skipped : .acknowledged])
    }

    /// Of two events that one document lists side by side the nearer one is the restored beacon.
    @Test func restoredBeaconIsTheNearestOfTwo() {
        var ledger = Ledger(mode: .fire, seed: 1)
        let key = URLKey(event: Self.key, url: Self.url)
        ledger.restored([RestoredBeacon(key: key, round: 0, attempt: 1, outcome: .acknowledged)])
        let moved = EventKey(
            session: "s", breakName: .given("b"), adName: .given("c"), adStart: .ms(0), type: "start",
            start: .ms(4_500))
        ledger.register(EventID(2), key: moved, type: .start, urls: [Self.url], at: EventPlacement(start: .ms(4_500)))
        ledger.register(
            Self.event, key: Self.key, type: .start, urls: [Self.url], at: EventPlacement(start: .ms(5_000)))
        ledger.identify()
        #expect(ledger[EventID(2)]?.state == .idle)
        #expect(ledger[Self.event]?.state == .done)
        #expect(Self.claim(&ledger).isEmpty)
    }

    @Test func userActionsAreSentEveryTime() {
        var ledger = Self.ledger(type: .mute)
        for round in 1...3 {
            let claim = ledger.claimForUser([Self.event], adEndsIn: .seconds(10), at: .ms(5_000))
            #expect(claim.round == round && claim.claimed == 1)
            let ids = Self.write(ledger.takeEffects(at: .ms(5_000)))
            _ = ledger.claimsWritten(ids, at: .ms(5_000))
            let answer = ledger.answered(ids[0], .answer(round == 2 ? 404 : 204), at: .ms(5_000))
            #expect(answer.settlement == UserSettlement(round: round, wasReported: round != 2))
        }
        #expect(ledger[Self.event]?.urls[0].attempts.count == 3)
        #expect(ledger[Self.event]?.state == .done)
    }

    /// The answer to an earlier action does not end a later one.
    @Test func overlappingUserActionsEndSeparately() {
        var ledger = Self.ledger(type: .mute)
        var ids: [ClaimID] = []
        for _ in 1...2 {
            _ = ledger.claimForUser([Self.event], adEndsIn: .seconds(10), at: .ms(5_000))
            let new = Self.write(ledger.takeEffects(at: .ms(5_000)))
            _ = ledger.claimsWritten(new, at: .ms(5_000))
            ids += new
        }
        #expect(
            ledger.answered(ids[0], .failure(.connect), at: .ms(5_100)).settlement
                == UserSettlement(round: 1, wasReported: false))
        #expect(Self.states(ledger) == [.sent])
        #expect(
            ledger.answered(ids[1], .answer(204), at: .ms(5_200)).settlement
                == UserSettlement(round: 2, wasReported: true))
        #expect(Self.states(ledger) == [.acknowledged])
        let attempts = ledger[Self.event]?.urls[0].attempts.map { $0.answer?.status }
        #expect(attempts == [nil, 204])
    }

    /// A try that waits belongs to its action, also where the viewer has acted again since.
    @Test func aTryOfAnEarlierActionIsMade() {
        var ledger = Self.ledger(type: .mute)
        func act(at time: Int64) -> [ClaimID] {
            _ = ledger.claimForUser([Self.event], adEndsIn: .seconds(10), at: .ms(time))
            let ids = Self.write(ledger.takeEffects(at: .ms(time)))
            _ = ledger.claimsWritten(ids, at: .ms(time))
            return ids
        }
        let refused = ledger.answered(act(at: 5_000)[0], .failure(.connect), at: .ms(5_000))
        #expect(refused.settlement == nil)
        _ = ledger.answered(act(at: 5_100)[0], .answer(204), at: .ms(5_100))
        #expect(ledger.retriesDue(at: .ms(6_000)).events == [Self.event])
        let ids = Self.write(ledger.takeEffects(at: .ms(6_000)))
        #expect(ids.count == 1)
        _ = ledger.claimsWritten(ids, at: .ms(6_000))
        let settlement = ledger.answered(ids[0], .answer(204), at: .ms(6_000)).settlement
        #expect(settlement == UserSettlement(round: 1, wasReported: true))
        #expect(Self.states(ledger) == [.acknowledged])
    }

    @Test func refreshedURLsKeepWhatWasSent() {
        var ledger = Self.ledger(["https://t.example/1?cb=1", "https://t.example/2"])
        _ = Self.claim(&ledger)
        // The first with another cache buster, a third one new.
        ledger.list(
            Self.event, key: Self.key, type: .start,
            urls: ["https://t.example/1?cb=2", "https://t.example/2", "https://t.example/3"])
        #expect(Self.states(ledger) == [.claimed, .claimed, .planned])
        #expect(ledger[Self.event]?.urls[0].url == "https://t.example/1?cb=1")
        ledger.list(Self.event, key: Self.key, type: .start, urls: ["https://t.example/2"])
        #expect(ledger[Self.event]?.urls.map(\.isListed) == [false, true])
    }

    @Test func replacedURLIsJudgedAgain() {
        var ledger = Self.ledger(["https://t.example/?r=[CACHEBUSTING]"])
        #expect(Self.claim(&ledger) == [])
        #expect(ledger[Self.event]?.skipReason == .macroUnresolved)
        ledger.list(Self.event, key: Self.key, type: .start, urls: ["https://t.example/?r=7"])
        #expect(Self.claim(&ledger).count == 1)
    }

    struct Gate: Sendable, CustomTestStringConvertible {
        var url: String
        var reason: SkipReason?
        var testDescription: String { url }
    }

    /// A resolver may read them as addresses of this machine or network.
    @Test(arguments: ["0x7f.0xa", "0x7f.1", "2130706433", "0177.0.0.1", "0xa.1", "0300.0250.0.1"])
    func otherNotationsOfPrivateAddressesAreRejected(host: String) {
        let gate = SendGate(addressRule: .publicOnly)
        guard case .failure(let refusal) = gate.judge("http://\(host)/b", of: .start) else {
            Issue.record("\(host) is allowed")
            return
        }
        #expect(refusal.reason == .hostNotAllowed)
    }

    @Test(arguments: [
        Gate(url: "https://t.example/b?x=1"),
        Gate(url: "https://sub.t.example/b"),
        Gate(url: "https://8.8.8.8/b", reason: .hostNotAllowed),
        Gate(url: "https://other.example/b", reason: .hostNotAllowed),
        Gate(url: "https://nott.example/b", reason: .hostNotAllowed),
        Gate(url: "http://10.0.0.1/b", reason: .hostNotAllowed),
        Gate(url: "http://localhost/b", reason: .hostNotAllowed),
        Gate(url: "about:blank", reason: .badURL),
        Gate(url: "", reason: .badURL),
        Gate(url: "/relative", reason: .badURL),
        Gate(url: "https://t.example/a b", reason: .badURL), Gate(url: "https://t.exämple/", reason: .badURL),
        Gate(url: "https://t.example/?r=[TIMESTAMP]", reason: .macroUnresolved),
        Gate(url: "https://t.example/?r=%5BTIMESTAMP%5d", reason: .macroUnresolved),
        Gate(url: "https://t.example/?r=${CB}", reason: .macroUnresolved),
        Gate(url: "https://t.example/?r=$%7BCB%7D", reason: .macroUnresolved),
        Gate(url: "https://t.example/?r=[timestamp]", reason: .macroUnresolved),
        Gate(url: "https://t.example/?filter[size]=1&list[]=2&x[0]=3"),
    ])
    func gate(_ test: Gate) {
        let gate = SendGate(allowedHosts: ["T.example"], addressRule: .publicOnly)
        switch gate.judge(test.url, of: .start) {
        case .success(let url): #expect(test.reason == nil && url.text == test.url)
        case .failure(let refusal): #expect(refusal.reason == test.reason)
        }
    }

    @Test func gateOfASessionFollowsItsMedia() throws {
        #expect(SendGate(mediaURL: try WebURL("https://cdn.example/i.m3u8")).addressRule == .publicOnly)
        #expect(SendGate(mediaURL: try WebURL("http://127.0.0.1:8080/i.m3u8")).addressRule == .anywhere)
        #expect(SendGate(mediaURL: try WebURL("http://192.168.1.2/i.m3u8")).addressRule == .anywhere)
        #expect(
            SendGate(mediaURL: try WebURL("https://cdn.example/i.m3u8"), allowsPrivate: true).addressRule == .anywhere)
    }

    /// A host that a person allowed may have any address; what a document names beside it may not.
    @Test(arguments: [
        ("http://10.1.2.3/b", true), ("http://127.0.0.1:81/b", true), ("https://lab.example/b", true),
        ("https://t.lab.example/b", true), ("http://10.1.2.4/b", false), ("https://other.example/b", false),
        ("http://[::1]/b", false),
    ])
    func anAllowedHostMayBePrivate(_ test: (url: String, isSent: Bool)) throws {
        let media = try WebURL("https://cdn.example/i.m3u8")
        let gate = SendGate(mediaURL: media, allowedHosts: ["10.1.2.3", "127.0.0.1", "LAB.example"])
        let refusal: SendGate.Refusal? =
            if case .failure(let refusal) = gate.judge(test.url, of: .start) { refusal } else { nil }
        #expect(refusal?.reason == (test.isSent ? nil : .hostNotAllowed))
        #expect(gate.addressRule.reach(of: "t.lab.example") == .anywhere)
        #expect(gate.addressRule.reach(of: "cdn.example") == .publicOnly)
    }

    /// A loopback address may be a tunnel to a public stream: without `--fire` only collectors on this machine are reached.
    @Test(arguments: [
        ("http://127.0.0.1:9/b", true), ("http://localhost/b", true), ("http://[::1]/b", true),
        ("https://t.example/b", false), ("http://10.0.0.1/b", false), ("http://localhost.example/b", false),
    ])
    func loopbackSessionsReachLoopbackByDefault(_ test: (url: String, isSent: Bool)) throws {
        let media = try WebURL("http://localhost:8080/i.m3u8")
        let gate = SendGate(mediaURL: media, firesByDefault: true)
        let isSent = (try? gate.judge(test.url, of: .start).get()) != nil
        #expect(isSent == test.isSent)
        #expect((try? SendGate(mediaURL: media).judge(test.url, of: .start).get()) != nil)
    }

    @Test(arguments: [
        (NodeName.given("b \"\\\n{}"), NodeName.given("広告")),
        (NodeName.synthesized(start: UnixTime(microseconds: 1_500), index: 2), NodeName.given("")),
    ])
    func identityTextIsReadBack(_ breakName: NodeName, _ adName: NodeName) {
        let key = URLKey(
            event: EventKey(
                session: "s|1", breakName: breakName, adName: adName, adStart: UnixTime(microseconds: -1), type: "x",
                start: UnixTime(microseconds: .max)), url: "https://t.example/\u{202E}")
        #expect(URLKey(text: key.text) == key)
        #expect(!key.text.contains("\n"))
        #expect(URLKey(text: String(key.text.dropLast())) == nil)
        #expect(URLKey(text: "[1,2,3,4,5,6,7]") == nil)
    }
}

extension Ledger {
    /// A document that lists one event more.
    mutating func list(_ event: EventID, key: EventKey, type: EventType, urls: [String]) {
        register(event, key: key, type: type, urls: urls, at: EventPlacement(start: key.start))
        identify()
    }
}
