package import Ports

extension AdTracker {
    /// What a user action led to.
    package struct UserOutcome: Hashable, Sendable {
        package var outcome: Outcome
        package var result: Result
        /// The break and ad on air, if any.
        package var breakID: BreakID?
        package var adID: AdID?

        package enum Result: Hashable, Sendable {
            /// Beacons are on their way; ``Outcome/settlements`` will have `round`.
            case claimed(round: Int)
            /// The session only observes.
            case observed
            case noPlayhead, noAdOnAir
            /// The ad has no such event.
            case noEvent
            case refused(SkipReason)
        }
    }

    /// The viewer did something; `playhead` is the place on `track`, nil when there is none (TRK-10).
    ///
    /// All matching events of the ad on air are reported, each URL once, every time.
    package mutating func userActed(
        _ action: UserAction, playhead: UnixTime?, on track: AdTrack = .primary, at now: Moment
    )
        -> UserOutcome
    {
        guard let playhead else { return UserOutcome(outcome: Outcome(), result: .noPlayhead) }
        guard let (adBreak, ad) = adOnAir(at: playhead, on: track) else {
            return UserOutcome(outcome: Outcome(), result: .noAdOnAir)
        }
        var user = UserOutcome(outcome: Outcome(), result: .noEvent, breakID: adBreak.id, adID: ad.id)
        let events = self.events(for: action, of: ad, at: playhead)
        guard !events.isEmpty else { return user }
        let occasion = BeaconMacros.Occasion(at: now, adPlayhead: playhead - ad.start)
        let claim = ledger.claimForUser(events, adEndsIn: ad.end - playhead, occasion: occasion, at: now)
        user.outcome.touched = [adBreak.id]
        user.outcome.effects = ledger.takeEffects(at: now)
        switch (claim.round, claim.claimed, claim.refusal) {
        case (let round?, 1..., _): user.result = .claimed(round: round)
        case (_?, _, _): user.result = .observed
        case (nil, _, let reason?): user.result = .refused(reason)
        case (nil, _, nil): user.result = .noEvent
        }
        return user
    }

    /// The events of an ad that `action` triggers at `playhead`. Windows of metadata do not count: some servers give
    /// them no length (lint L34).
    package func events(for action: UserAction, of ad: KnownAd, at playhead: UnixTime) -> [EventID] {
        let type = EventType(action)
        return ad.events.filter { known in
            known.event.type == type && known.presence != .vanished
                && (!known.event.isWindowed || (known.event.start <= playhead && playhead < known.event.end))
        }.map(\.id)
    }
}
