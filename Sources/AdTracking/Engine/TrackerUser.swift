package import Ports

extension AdTracker {
    /// The result of a viewer's action.
    package struct UserOutcome: Hashable, Sendable {
        package var outcome: Outcome
        package var result: Result
        /// The ad on air; nil when there is none.
        package var adID: AdID?

        package enum Result: Hashable, Sendable {
            /// Beacons are being sent; ``Outcome/settlements`` later has `round`.
            case claimed(round: Int)
            /// The session only observes.
            case observed
            case noPlayhead, noAdOnAir
            /// The ad has no event for the action.
            case noEvent
            case refused(SkipReason)
        }
    }

    /// Reports an action of the viewer; `playhead` is the position on `track`, nil when there is none (TRK-10).
    ///
    /// Every action sends all matching events of the ad on air, each URL once per action.
    package mutating func userActed(
        _ action: UserAction, playhead: UnixTime?, on track: AdTrack = .primary, at now: Moment
    )
        -> UserOutcome
    {
        guard let playhead else { return UserOutcome(outcome: Outcome(), result: .noPlayhead) }
        guard let (adBreak, ad) = adOnAir(at: playhead, on: track) else {
            return UserOutcome(outcome: Outcome(), result: .noAdOnAir)
        }
        var user = UserOutcome(outcome: Outcome(), result: .noEvent, adID: ad.id)
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

    /// The events of an ad that `action` triggers at `playhead`. Windows from metadata are ignored: some servers give
    /// them no length (lint L34).
    package func events(for action: UserAction, of ad: KnownAd, at playhead: UnixTime) -> [EventID] {
        let type = EventType(action)
        return ad.events.filter { known in
            known.event.type == type && known.presence != .vanished && !known.event.isReportedByService
                && (!known.event.isWindowed || (known.event.start <= playhead && playhead < known.event.end))
        }.map(\.id)
    }
}
