import AdTracking
import Ports

/// What is known of the journal.
struct JournalPart {
    enum State {
        case closed, opening, open, failed
    }

    var state = State.closed

    /// It said what it knows, or that it cannot.
    var isSettled: Bool { state == .open || state == .failed }
}

extension MonitorState {
    /// Metadata waits for the answer, so that nothing is claimed before it is known what was sent in an earlier run.
    mutating func openJournal(_ session: SessionKey) {
        journal.state = .opening
        effects.append(.openJournal(session))
    }

    mutating func journalOpened(_ opening: JournalOpening, at now: Moment) {
        guard journal.state == .opening else { return }
        journal.state = .open
        let known = opening.entries.compactMap(\.restored)
        tracker?.restored(known)
        if let notice = opening.notice { note(.warning, notice, at: now) }
        if !known.isEmpty {
            let open = known.count { $0.outcome == nil }
            note(
                .info, "journal: \(Wording.count(known.count, "beacon")) from earlier, \(open) of unknown outcome",
                at: now)
        }
        metadata.started(at: now)
        placeInterstitials(at: now)
    }

    /// Without a journal nothing is sent: at most once cannot be promised.
    mutating func journalFailed(_ message: String, at now: Moment) {
        let wasOpening = journal.state == .opening
        journal.state = .failed
        if mode == .fire {
            mode = .observe
            if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
            abandonReports()
            noteError(.beacon, "\(message): nothing is sent from now on", at: now)
        } else {
            note(.warning, message, at: now)
        }
        // The tracker settles claims that come back while observing: they were not sent.
        claimsWritten(beacons.unwritten.sorted(), at: now)
        guard wasOpening else { return }
        metadata.started(at: now)
        placeInterstitials(at: now)
    }
}
