import AdTracking
import Ports
import Testing

/// What differs between the owners of a ledger: the numbers of their claims, who may request a beacon, which answers are repeated, and
/// whether a URL comes with its macros filled.
@Suite struct LedgerOwnerTests {
    private static let event = LedgerTests.event

    @Test(arguments: ClaimID.Owner.allCases) func aClaimNamesItsOwner(_ owner: ClaimID.Owner) {
        var ledger = Ledger(mode: .fire, seed: 1, owner: owner)
        ledger.list(
            Self.event, key: LedgerTests.key, type: .start, urls: ["https://t.example/1", "https://t.example/2"])
        let claims = LedgerTests.claim(&ledger)
        #expect(claims.map(\.owner) == [owner, owner])
        #expect(claims.map(\.number) == [owner.firstNumber, owner.firstNumber + 1])
    }

    /// A person's request is sent although the session observes, and it is completed; nothing else is sent.
    @Test func whatAPersonRequestsIsSentInAnyMode() {
        var ledger = LedgerTests.ledger(mode: .observe)
        let other = EventID(2)
        ledger.list(other, key: LedgerTests.renamed, type: .start, urls: ["https://t.example/other"])
        _ = ledger.claim(other, late: nil, adEndsIn: .zero, at: .ms(5_000))
        _ = ledger.claim(Self.event, late: nil, adEndsIn: .seconds(60), isAsked: true, at: .ms(5_000))
        ledger.modeChanged(to: .observe)
        let claims = LedgerTests.write(ledger.takeEffects(at: .ms(5_000)))
        #expect(claims.count == 1)
        #expect(Self.sent(ledger.claimsWritten(claims, at: .ms(5_000))) == [LedgerTests.url])
        _ = ledger.answered(claims[0], .failure(.connect), at: .ms(5_100))
        ledger.modeChanged(to: .observe)
        #expect(LedgerTests.states(ledger) == [.waiting])
        #expect(ledger.retriesDue(at: .ms(9_000)).events == [Self.event])
        let again = LedgerTests.write(ledger.takeEffects(at: .ms(9_000)))
        #expect(Self.sent(ledger.claimsWritten(again, at: .ms(9_000))) == [LedgerTests.url])
        #expect(ledger[other]?.state == .observed)
    }

    /// A claim that may not leave any more is no beacon: the journal learns it, and a person may request it later.
    @Test func whatMayNotLeaveIsOnlyObserved() {
        var ledger = Ledger(mode: .observe, seed: 1, owner: .notice)
        ledger.register(Self.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url], at: nil)
        _ = ledger.claim(Self.event, late: nil, adEndsIn: .zero, isAsked: true, at: .ms(5_000))
        let claims = LedgerTests.write(ledger.takeEffects(at: .ms(5_000)))
        let effects = ledger.claimsWritten(claims, mayLeave: false, at: .ms(5_000))
        guard case .writeOutcomes(let outcomes)? = effects.first, effects.count == 1 else {
            Issue.record("\(effects)")
            return
        }
        #expect(outcomes.map(\.state) == [.skipped] && ledger.inFlight == 0 && ledger.held().isEmpty)
        #expect(LedgerTests.states(ledger) == [.observed])
        ledger.reconsider(Self.event)
        #expect(LedgerTests.states(ledger) == [.planned])
        _ = ledger.claim(Self.event, late: nil, adEndsIn: .zero, isAsked: true, at: .ms(6_000))
        #expect(LedgerTests.write(ledger.takeEffects(at: .ms(6_000))).count == 1)
    }

    /// Each claim that is withdrawn is told to its owner: as unsent, or as failed where an earlier try was made.
    @Test func withdrawnClaimsAreNamed() {
        var ledger = LedgerTests.ledger()
        _ = ledger.claim(Self.event, late: nil, adEndsIn: .seconds(60), at: .ms(5_000))
        let first = ledger.modeChanged(to: .observe)
        #expect(first.unsent.map(\.key.url) == [LedgerTests.url] && first.givenUp.isEmpty)
        #expect(first.unsent.map(\.state) == [.observed])
        #expect(ledger.modeChanged(to: .observe) == Ledger.Withdrawals())
        var other = LedgerTests.ledger()
        let claims = LedgerTests.claim(&other)
        _ = other.claimsWritten(claims, at: .ms(5_000))
        _ = other.answered(claims[0], .failure(.connect), at: .ms(5_000))
        let second = other.modeChanged(to: .observe)
        #expect(second.unsent.isEmpty && second.givenUp.map(\.state) == [.failed])
        #expect(second.givenUp.map(\.attempt) == [1])
    }

    enum Withdrawal: CaseIterable { case queued, written }

    /// A retry is withdrawn before its request is sent. The first attempt was sent: a journal that is rebuilt must have it.
    @Test(arguments: Withdrawal.allCases) func aRetryThatIsWithdrawnWasSent(_ withdrawal: Withdrawal) {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .failure(.connect), at: .ms(5_000))
        #expect(ledger.retriesDue(at: .ms(6_000)).events == [Self.event])
        #expect(ledger.held().map(\.attempt) == [1] && ledger.held().map(\.outcome) == [.failed])
        if withdrawal == .written {
            let again = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
            ledger.modeChanged(to: .observe)
            #expect(Self.sent(ledger.claimsWritten(again, at: .ms(6_000))) == [])
        } else {
            ledger.modeChanged(to: .observe)
        }
        #expect(LedgerTests.states(ledger) == [.failed])
        #expect(ledger.held().map(\.key.url) == [LedgerTests.url])
    }

    /// A process that starts behind it looks at the last claim of a beacon alone: "skipped" would mean to it that nothing was ever sent.
    @Test(arguments: [false, true]) func theJournalKeepsWhatATryBeforeLeft(isRefused: Bool) {
        var ledger = LedgerTests.ledger(retry: .standard)
        let claims = LedgerTests.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .failure(.timeout), at: .ms(5_000))
        _ = ledger.retriesDue(at: .ms(6_000))
        let again = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
        if isRefused { _ = ledger.claimsWritten(again, at: .ms(6_000)) } else { ledger.modeChanged(to: .observe) }
        let refused = again.map { RefusedClaim(id: $0, refusal: .storeAway) }
        let outcomes = Self.outcomes(
            isRefused
                ? ledger.claimsRefused(refused, at: .ms(6_001)).effects : ledger.claimsWritten(again, at: .ms(6_001)))
        #expect(outcomes.map(\.state) == [.unknown] && outcomes.map(\.attempt) == [2])
        #expect(LedgerTests.states(ledger) == [.unknown])
    }

    /// A person asks for what an earlier process may have sent, and it does not leave.
    @Test func anAskedTryThatDoesNotLeaveChangesNothing() {
        let key = URLKey(event: LedgerTests.key, url: LedgerTests.url)
        var ledger = Ledger(mode: .fire, seed: 1)
        ledger.restored([RestoredBeacon(key: key, round: 0, attempt: 1, outcome: nil)])
        ledger.list(Self.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url])
        #expect(ledger.retryAsked(Self.event, url: nil, at: .ms(6_000)).count == 1)
        #expect(ledger.held().map(\.outcome) == [nil])
        let ids = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
        ledger.modeChanged(to: .observe)
        let outcomes = Self.outcomes(ledger.claimsWritten(ids, at: .ms(6_001)))
        #expect(outcomes.map(\.state) == [.unknown] && outcomes.map(\.attempt) == [2])
        #expect(LedgerTests.states(ledger) == [.unknown])
    }

    /// The host of a second try leads to a forbidden address: the first one failed all the same.
    @Test func aSecondTryThatDoesNotLeaveHasFailed() {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .failure(.connect), at: .ms(5_000))
        _ = ledger.retriesDue(at: .ms(6_000))
        let again = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
        _ = ledger.claimsWritten(again, at: .ms(6_000))
        let answer = ledger.answered(again[0], .failure(.addressNotAllowed), at: .ms(6_000))
        #expect(Self.outcomes(answer.effects).map(\.state) == [.failed])
        #expect(LedgerTests.states(ledger) == [.failed])
    }

    /// A person asks twice for what may have arrived: one try leads to a forbidden address, and the next one is withdrawn.
    @Test func aTryThatDidNotLeaveHidesNoneBefore() {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .failure(.timeout), at: .ms(5_000))
        _ = ledger.retryAsked(Self.event, url: nil, at: .ms(6_000))
        let second = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
        _ = ledger.claimsWritten(second, at: .ms(6_000))
        let answer = ledger.answered(second[0], .failure(.addressNotAllowed), at: .ms(6_000))
        #expect(Self.outcomes(answer.effects).map(\.state) == [.unknown])
        #expect(ledger.retryAsked(Self.event, url: nil, at: .ms(7_000)).count == 1)
        let third = LedgerTests.write(ledger.takeEffects(at: .ms(7_000)))
        ledger.modeChanged(to: .observe)
        let outcomes = Self.outcomes(ledger.claimsWritten(third, at: .ms(7_001)))
        #expect(outcomes.map(\.state) == [.unknown] && outcomes.map(\.attempt) == [3])
        #expect(LedgerTests.states(ledger) == [.unknown])
    }

    /// An earlier process sent it, and the first try of this one did not leave: the next is the first that counts.
    @Test func aTryBehindOneThatDidNotLeaveIsNoRetry() {
        let key = URLKey(event: LedgerTests.key, url: LedgerTests.url)
        var ledger = Ledger(mode: .fire, seed: 1)
        ledger.restored([RestoredBeacon(key: key, round: 0, attempt: 1, outcome: nil)])
        ledger.list(Self.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url])
        for attempt in 2...3 {
            _ = ledger.retryAsked(Self.event, url: nil, at: .ms(6_000))
            let effects = ledger.takeEffects(at: .ms(6_000))
            #expect(ledger.unwritten(at: .ms(6_000)).map(\.attempt) == [attempt])
            let ids = LedgerTests.write(effects)
            #expect(ids.map { ledger.isRetry($0) } == [false])
            _ = ledger.claimsWritten(ids, at: .ms(6_000))
            for id in ids { _ = ledger.answered(id, .failure(.addressNotAllowed), at: .ms(6_000)) }
        }
        #expect(LedgerTests.states(ledger) == [.unknown])
    }

    @Test func reconsideringForgetsNothingThatWasSent() {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        ledger.reconsider(Self.event)
        #expect(LedgerTests.states(ledger) == [.claimed])
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .answer(404), at: .ms(5_000))
        ledger.reconsider(Self.event)
        #expect(LedgerTests.states(ledger) == [.rejected])
        #expect(LedgerTests.claim(&ledger, at: 6_000) == [])
    }

    /// What an earlier process did with the only beacon of an event, and what that means for it here.
    struct Restored: Sendable {
        var outcome: DeliveryState?
        var state: DeliveryState
        var isHeld = true
    }

    @Test(arguments: [
        Restored(outcome: nil, state: .unknown), Restored(outcome: .acknowledged, state: .acknowledged),
        Restored(outcome: .rejected, state: .rejected), Restored(outcome: .failed, state: .failed),
        Restored(outcome: .skipped, state: .planned, isHeld: false),
    ])
    func whatAnEarlierProcessSentIsNotSentAgain(_ row: Restored) {
        var ledger = Ledger(mode: .fire, seed: 1, owner: .notice)
        ledger.register(Self.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url], at: nil)
        let key = URLKey(event: LedgerTests.key, url: LedgerTests.url)
        ledger.restored(RestoredBeacon(key: key, round: 0, attempt: 3, outcome: row.outcome), of: Self.event)
        #expect(LedgerTests.states(ledger) == [row.state])
        #expect(ledger.held().map(\.attempt) == (row.isHeld ? [3] : []))
        #expect(LedgerTests.claim(&ledger).isEmpty == row.isHeld)
    }

    @Test func aJournalThatOpensLateChangesNoClaim() {
        var ledger = LedgerTests.ledger()
        #expect(LedgerTests.claim(&ledger).count == 1)
        let key = URLKey(event: LedgerTests.key, url: LedgerTests.url)
        ledger.restored(RestoredBeacon(key: key, round: 0, attempt: 1, outcome: nil), of: Self.event)
        #expect(LedgerTests.states(ledger) == [.claimed])
    }

    /// The policy of one event goes before that of the ledger.
    @Test(arguments: [200, 201, 204, 302, 404, 429, 500]) func anyAnswerBut200And204IsRepeated(_ status: Int) {
        var policy = RetryPolicy(
            delays: [.seconds(10)], jitter: 0, repeatsUnknown: true, retriesAfterServerError: 0,
            afterAdEnd: .seconds(60))
        policy.repeatsAnyAnswer = true
        var ledger = Ledger(mode: .fire, retry: .never, seed: 1)
        ledger.register(Self.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url], retry: policy, at: nil)
        let claims = LedgerTests.claim(&ledger, adEndsIn: 0)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        _ = ledger.answered(claims[0], .answer(status), at: .ms(5_000))
        #expect(ledger.nextRetry == (status == 200 || status == 204 ? nil : .seconds(15)))
        // One repetition and no more.
        _ = ledger.retriesDue(at: .ms(15_000))
        let again = LedgerTests.write(ledger.takeEffects(at: .ms(15_000)))
        _ = ledger.claimsWritten(again, at: .ms(15_000))
        for claim in again { _ = ledger.answered(claim, .answer(status), at: .ms(15_000)) }
        #expect(ledger.nextRetry == nil)
    }

    @Test(arguments: [false, true]) func urlsThatAreFilledKeepWhatLooksLikeAMacro(areFilled: Bool) {
        var gate = SendGate()
        gate.urlsAreFilled = areFilled
        let url = "https://t.example/?price=${AUCTION_PRICE}&x=[OTHER]"
        var ledger = LedgerTests.ledger([url], gate: gate)
        let claims = LedgerTests.claim(&ledger)
        #expect(claims.isEmpty != areFilled)
        #expect(ledger[Self.event]?.skipReason == (areFilled ? nil : .macroUnresolved))
        #expect(Self.sent(ledger.claimsWritten(claims, at: .ms(5_000))).count == (areFilled ? 1 : 0))
    }

    private static func outcomes(_ effects: [LedgerEffect]) -> [OutcomeRecord] {
        effects.flatMap { effect -> [OutcomeRecord] in
            guard case .writeOutcomes(let records) = effect else { return [] }
            return records
        }
    }

    private static func sent(_ effects: [LedgerEffect]) -> [String] {
        effects.flatMap { effect -> [String] in
            guard case .send(let orders) = effect else { return [] }
            return orders.map(\.url.text)
        }
    }
}
