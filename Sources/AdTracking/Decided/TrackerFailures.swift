package import Ports

extension AdTracker {
    /// An ad cannot be shown: its error URLs are requested once with the code, however often the ad fails (VAST-13).
    /// - Parameter code: VAST error code, or that of VMAP.
    package mutating func failed(_ ad: AdID, code: Int, at now: Moment) -> Outcome {
        var outcome = Outcome()
        guard let (breakID, known) = place(of: ad) else { return outcome }
        let occasion = BeaconMacros.Occasion(at: now, errorCode: code)
        for event in known.events where event.event.type == .error && event.presence != .vanished {
            guard ledger.hasPlanned(event.id), !event.event.isReportedByService else { continue }
            outcome.touched.insert(breakID)
            let result = ledger.claim(event.id, late: .zero, adEndsIn: .zero, occasion: occasion, at: now)
            outcome.unsent += result.unsent
            if result.isAny {
                outcome.claimed.append(
                    Claimed(breakID: breakID, adID: ad, event: event.id, late: .zero, isLatePath: false))
            }
        }
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    private func place(of ad: AdID) -> (BreakID, KnownAd)? {
        for adBreak in book.breaks {
            if let known = adBreak.ads.first(where: { $0.id == ad }) { return (adBreak.id, known) }
        }
        return nil
    }
}
