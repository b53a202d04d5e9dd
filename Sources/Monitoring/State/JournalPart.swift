import AdTracking
import Ports

/// State of the journal.
///
/// The policy (ADR 0011): nothing is sent without a journal entry. A lost journal is rebuilt from this session's
/// memory, and sending continues. If the journal cannot be opened, sending stops, the failure is reported, and opening
/// is retried. With `MonitorConfiguration.sendsWithoutJournal` sending continues without a journal.
struct JournalPart {
    enum State {
        case closed, opening, open, failed
    }

    var state = State.closed
    var session: SessionKey?
    /// Uptime of the next attempt to open it after a failure.
    var retryAt: Duration?
    var backOff: BackOff
    /// Whether it was open in this run: beacons sent so far must be written to the next one.
    var wasOpen = false
    /// Whether sending stopped only because the journal failed.
    var firesAgain = false

    init(seed: UInt64) {
        backOff = BackOff(seed: seed)
    }

    /// Whether it has reported its entries, or failed to open.
    var isSettled: Bool { state == .open || state == .failed || isReopening }
    /// Whether it is being opened again after a loss or failure, while the session continues.
    var isReopening = false
    /// Whether the pending answer belongs to a session that was replaced.
    var isOutdated = false
}

extension MonitorState {
    /// Opens the journal. Metadata waits for the answer, so that nothing is claimed before the beacons of earlier runs
    /// are known.
    mutating func openJournal(_ session: SessionKey) {
        journal.isOutdated = journal.state == .opening
        journal.state = .opening
        journal.session = session
        journal.isReopening = false
        journal.wasOpen = false
        journal.retryAt = nil
        guard !journal.isOutdated else { return }
        effects.append(.openJournal(session, holding: holdings))
    }

    /// Everything that was sent. At the start of a session these are only the beacons of ad spaces and notices.
    private var holdings: [JournalHolding] {
        let held = (tracker?.ledger.held() ?? []) + formats.ledger.held()
        return held.map(JournalHolding.init) + auction.notices.held
    }

    /// True when the answer belonged to a replaced session; the journal of the current session is then opened.
    private mutating func openedTooLate() -> Bool {
        guard journal.isOutdated, let session = journal.session else { return false }
        journal.state = .closed
        openJournal(session)
        return true
    }

    mutating func openJournalIfDue(at now: Moment) {
        guard let due = journal.retryAt, due <= now.uptime, journal.state == .failed else { return }
        reopenJournal()
    }

    /// Opens the journal again with everything this session has sent.
    private mutating func reopenJournal() {
        guard let session = journal.session else { return }
        journal.state = .opening
        journal.isReopening = true
        journal.retryAt = nil
        effects.append(.openJournal(session, holding: holdings))
    }

    mutating func journalOpened(_ opening: JournalOpening, at now: Moment) {
        guard journal.state == .opening, !openedTooLate() else { return }
        let isFirst = !journal.isReopening
        let wasOpen = journal.wasOpen
        journal.state = .open
        journal.isReopening = false
        journal.wasOpen = true
        journal.backOff.succeeded()
        let known = opening.entries.compactMap(\.restored)
        tracker?.restored(known)
        auction.notices.restored(known)
        if let notice = opening.notice { note(.warning, notice, at: now) }
        if !known.isEmpty, !wasOpen {
            let open = known.count { $0.outcome == nil }
            note(
                .info,
                "journal: \(Wording.count(known.count, "beacon")) from earlier runs, \(open) with unknown outcome",
                at: now)
        }
        keepSession(at: now)
        let waiting =
            (tracker?.ledger.unwritten(at: now) ?? []) + formats.ledger.unwritten(at: now)
            + auction.notices.unwritten(at: now)
        if !waiting.isEmpty { effects.append(.writeClaims(waiting.map(JournalClaim.init))) }
        tellWhatWaited(at: now)
        fireNoticesThatWaited(at: now)
        if !isFirst || journal.firesAgain { goOnWithJournal(at: now) }
        if isFirst { startBeacons(at: now) }
    }

    /// Starts metadata and interstitials; between two sessions there is nothing to start.
    private mutating func startBeacons(at now: Moment) {
        guard session.addresses != nil else { return }
        metadata.started(at: now)
        placeInterstitials(at: now)
    }

    /// The journal is open again: sending resumes if only the journal had stopped it.
    private mutating func goOnWithJournal(at now: Moment) {
        let isArmedAgain = journal.firesAgain && mode == .observe
        journal.firesAgain = false
        note(.warning, "journal: reopened\(isArmedAgain ? ", sending resumed" : "")", at: now)
        guard isArmedAgain else { return }
        mode = .fire
        if let outcome = tracker?.modeChanged(to: .fire) { take(outcome, at: now) }
        formatsModeChanged(at: now)
    }

    /// The file is missing or damaged; this session still knows what it sent.
    mutating func journalLost(_ message: String, at now: Moment) {
        guard journal.state == .open else { return }
        guard !isStopped else { return journalFailed(message, at: now) }
        noteFindings([Self.journalFinding(.journalLost, .warning, message)], from: .delivery, at: now)
        noteError(.beacon, "\(message): rebuilding it from memory", at: now)
        reopenJournal()
    }

    /// Without a journal nothing is sent: at-most-once delivery cannot be guaranteed.
    mutating func journalFailed(_ message: String, at now: Moment) {
        if journal.state == .opening, !isStopped, openedTooLate() { return }
        let wasWaiting = journal.state == .opening && !journal.isReopening
        let isNew = journal.state != .opening || wasWaiting
        journal.state = .failed
        journal.isReopening = false
        journal.retryAt = isStopped ? nil : journal.backOff.failed(at: now)
        if isNew { tellOfFailure(message, at: now) }
        // The tracker settles claims that return in observe mode: they were not sent.
        claimsWritten(beacons.unwritten.sorted(), at: now)
        fireNoticesThatWaited(at: now)
        if wasWaiting { startBeacons(at: now) }
    }

    private mutating func tellOfFailure(_ message: String, at now: Moment) {
        noteFindings([Self.journalFinding(.journalFailed, .error, message)], from: .delivery, at: now)
        guard mode == .fire else { return note(.warning, message, at: now) }
        if configuration.sendsWithoutJournal {
            let risk = "sending continues without it; beacons sent now may be sent again after a restart"
            return noteError(.beacon, "\(message): \(risk)", at: now)
        }
        mode = .observe
        auction.notices.disarm()
        journal.firesAgain = true
        if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
        formatsModeChanged(at: now)
        abandonReports()
        noteError(.beacon, "\(message): nothing is sent from now on", at: now)
    }

    /// Notes were dropped because the journal could not keep up.
    mutating func journalFellBehind(_ dropped: Int, at now: Moment) {
        let message = "the journal is too slow for the session's history: \(dropped) notes dropped"
        noteFindings([Self.journalFinding(.journalBehind, .warning, message)], from: .delivery, at: now)
    }

    private static func journalFinding(_ rule: SessionRule, _ severity: Severity, _ message: String) -> Finding {
        Finding(rule: rule, severity: severity, message: message, section: "TRK-13")
    }
}
