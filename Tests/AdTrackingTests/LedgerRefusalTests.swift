import AdTracking
import Ports
import Testing

/// Claims that a journal with several owners does not grant, and what such a journal restores.
@Suite struct LedgerRefusalTests {
    private static func refuse(
        _ ledger: inout Ledger, _ claims: [ClaimID], _ refusal: ClaimRefusal
    ) -> [LedgerEffect] {
        ledger.claimsRefused(claims.map { RefusedClaim(id: $0, refusal: refusal) }, at: .ms(5_001)).effects
    }

    private static let states: [(ClaimRefusal, DeliveryState, SkipReason?)] = [
        (.taken, .skipped, .duplicate), (.tooOld, .skipped, .expired), (.notOwner, .observed, .notOwner),
        (.storeAway, .observed, .storeAway), (.observing, .observed, nil),
    ]

    @Test(arguments: states)
    func aRefusedClaimIsNotSentAndHasAReason(refusal: ClaimRefusal, state: DeliveryState, reason: SkipReason?) {
        var ledger = LedgerTests.ledger()
        ledger.keepsUnsent = true
        let claims = LedgerTests.claim(&ledger)
        #expect(Self.refuse(&ledger, claims, refusal) == [])
        #expect(LedgerTests.states(ledger) == [state])
        #expect(ledger[LedgerTests.event]?.urls[0].reason == reason)
        #expect(ledger.inFlight == 0)
        // Neither a late confirmation nor another evaluation sends it.
        #expect(ledger.claimsWritten(claims, at: .ms(5_002)) == [])
        #expect(LedgerTests.claim(&ledger) == [])
        #expect(ledger.takeUnsent().map(\.reason) == (refusal == .taken ? [] : [reason]))
    }

    /// The edge did not let the request leave: the journal must not keep it as unknown.
    @Test func aGrantThatIsNotUsedIsSkipped() {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        _ = ledger.claimsWritten(claims, at: .ms(5_000))
        let effects = Self.refuse(&ledger, claims, .storeAway)
        guard case .writeOutcomes(let outcomes)? = effects.first else {
            Issue.record("no outcome")
            return
        }
        #expect(outcomes.map(\.state) == [.skipped])
        #expect(LedgerTests.states(ledger) == [.observed])
        #expect(ledger[LedgerTests.event]?.urls[0].attemptCount == 0)
        #expect(
            ledger.answered(claims[0], HTTPExchange(failure: HTTPFailure(.reset, "late")), at: .ms(5_003)).change == nil
        )
    }

    /// An owner counts what is refused as what is withdrawn. What is taken is counted where its other claim is.
    @Test(arguments: states)
    func aRefusedClaimIsToldToItsOwner(refusal: ClaimRefusal, state: DeliveryState, reason: SkipReason?) {
        var ledger = LedgerTests.ledger()
        let claims = LedgerTests.claim(&ledger)
        let result = ledger.claimsRefused([RefusedClaim(id: claims[0], refusal: refusal)], at: .ms(5_001)).withdrawals
        #expect(result.unsent.map(\.state) == (refusal == .taken ? [] : [state]))
        #expect(result.givenUp.isEmpty && result.settlements.isEmpty)
    }

    private static let retries: [(ClaimRefusal, RetrySetting, HTTPFailure.Kind, DeliveryState)] = [
        (.storeAway, .safe, .connect, .failed), (.storeAway, .standard, .timeout, .unknown),
        (.notOwner, .safe, .connect, .failed), (.taken, .safe, .connect, .unknown),
    ]

    /// Its beacon keeps what is known of the try before, and its owner learns that no other one is made.
    @Test(arguments: retries)
    func aRefusedRetryIsGivenUp(
        refusal: ClaimRefusal, retry: RetrySetting, failure: HTTPFailure.Kind, state: DeliveryState
    ) {
        for isGranted in [false, true] {
            var ledger = LedgerTests.ledger(retry: retry.policy)
            let first = LedgerTests.claim(&ledger)
            _ = ledger.claimsWritten(first, at: .ms(5_000))
            _ = ledger.answered(first[0], .failure(failure), at: .ms(5_000))
            _ = ledger.retriesDue(at: .ms(6_000))
            let again = LedgerTests.write(ledger.takeEffects(at: .ms(6_000)))
            #expect(again.map { ledger.isRetry($0) } == [true] && !ledger.isRetry(first[0]))
            if isGranted { _ = ledger.claimsWritten(again, at: .ms(6_000)) }
            let refused = again.map { RefusedClaim(id: $0, refusal: refusal) }
            let result = ledger.claimsRefused(refused, at: .ms(6_001)).withdrawals
            #expect(result.unsent.isEmpty && result.givenUp.map(\.state) == [state])
            #expect(result.givenUp.map(\.attempt) == [1] && result.givenUp.map(\.refusal) == [refusal])
            #expect(LedgerTests.states(ledger) == [state])
            #expect(ledger[LedgerTests.event]?.urls[0].attemptCount == 1)
        }
    }

    /// Who waits for the result of an action has it then.
    @Test func anActionThatIsRefusedIsSettled() {
        var ledger = LedgerTests.ledger(type: .mute)
        _ = ledger.claimForUser([LedgerTests.event], adEndsIn: .seconds(10), at: .ms(5_000))
        let refused = LedgerTests.write(ledger.takeEffects(at: .ms(5_000))).map {
            RefusedClaim(id: $0, refusal: .storeAway)
        }
        #expect(
            ledger.claimsRefused(refused, at: .ms(5_001)).withdrawals.settlements == [
                UserSettlement(round: 1, wasReported: false)
            ])
    }

    @Test func unknownClaimsAreIgnored() {
        var ledger = LedgerTests.ledger()
        #expect(Self.refuse(&ledger, [ClaimID(9)], .taken) == [])
        #expect(LedgerTests.states(ledger) == [.planned])
    }

    private static func failed(attempt: Int, goesOn: Bool = true) -> RestoredBeacon {
        var beacon = RestoredBeacon(
            key: URLKey(event: LedgerTests.key, url: LedgerTests.url), round: 0, attempt: attempt, outcome: .failed)
        beacon.goesOn = goesOn
        return beacon
    }

    /// Claims the event, to which the document gives another name, after what another process left.
    private static func claimAfter(
        _ beacon: RestoredBeacon, retry: RetryPolicy = .safe, adEndsIn: Int64 = 10_000
    ) -> (Ledger, [LedgerEffect]) {
        var ledger = Ledger(mode: .fire, retry: retry, seed: 1)
        ledger.restored([beacon])
        ledger.list(LedgerTests.event, key: LedgerTests.renamed, type: .start, urls: [LedgerTests.url])
        _ = ledger.claim(LedgerTests.event, late: .zero, adEndsIn: .milliseconds(adEndsIn), at: .ms(6_000))
        let effects = ledger.takeEffects(at: .ms(6_000))
        return (ledger, effects)
    }

    /// As the next attempt of that very claim, whatever the ad is called now.
    @Test func failedIsTriedAgain() {
        let (_, effects) = Self.claimAfter(Self.failed(attempt: 1))
        guard case .writeClaims(let records)? = effects.first else {
            Issue.record("no claim")
            return
        }
        #expect(records.map(\.attempt) == [2])
        #expect(records.map(\.key) == [URLKey(event: LedgerTests.key, url: LedgerTests.url)])
    }

    @Test func failedIsNotTriedAgainWithoutEnd() {
        let over = Self.claimAfter(Self.failed(attempt: 4))
        #expect(over.1 == [] && LedgerTests.states(over.0) == [.failed])
        #expect(Self.claimAfter(Self.failed(attempt: 1), retry: .never).1 == [])
        #expect(Self.claimAfter(Self.failed(attempt: 1), adEndsIn: -30_000).1 == [])
        // A new run leaves it to a person.
        #expect(Self.claimAfter(Self.failed(attempt: 1, goesOn: false)).1 == [])
    }

    @Test func nothingIsSentUpToTheFloor() {
        for (floor, isSent) in [(4_999, true), (5_000, false), (60_000, false)] as [(Int64, Bool)] {
            var tracker = AdTracker(AdTracker.Settings(sessionID: "s", mode: .fire))
            tracker.restored([], reached: DateStretches([.ms(0)...(.ms(floor))]))
            var ledger = tracker.ledger
            ledger.list(LedgerTests.event, key: LedgerTests.key, type: .start, urls: [LedgerTests.url])
            #expect(LedgerTests.claim(&ledger).isEmpty != isSent)
            if !isSent { #expect(ledger[LedgerTests.event]?.urls[0].reason == .expired) }
        }
    }
}
