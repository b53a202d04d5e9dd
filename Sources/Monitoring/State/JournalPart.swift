import AdTracking
import Ports

/// What is known of the journal.
///
/// The policy (ADR 0011): nothing is sent that a journal does not hold. One that was lost is written anew from what this
/// session remembers, and sending goes on. One that cannot be had stops sending, says so, and is tried again; with
/// `MonitorConfiguration.sendsWithoutJournal` sending goes on without it.
struct JournalPart {
    enum State {
        case closed, opening, open, failed
    }

    var state = State.closed
    var session: SessionKey?
    /// Uptime of the next try to open it after it failed.
    var retryAt: Duration?
    var backOff: BackOff
    /// It was open in this run: what was sent so far must get into the next one.
    var wasOpen = false
    /// Sending stopped only because the journal failed.
    var firesAgain = false

    init(seed: UInt64) {
        backOff = BackOff(seed: seed)
    }

    /// It said what it knows, or that it cannot.
    var isSettled: Bool { state == .open || state == .failed || isReopening }
    /// It is being opened after it was lost or failed, while the session goes on.
    var isReopening = false
    /// The answer awaited is about a session that was left meanwhile.
    var isOutdated = false
}

extension MonitorState {
    /// Metadata waits for the answer, so that nothing is claimed before it is known what was sent in an earlier run.
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

    /// Everything that was sent. Of a session that begins that is nothing, but of what stands beside the stream.
    private var holdings: [JournalHolding] {
        let held = (tracker?.ledger.held() ?? []) + formats.ledger.held()
        return held.map(JournalHolding.init) + auction.notices.held
    }

    /// True when the answer was about a session that was left: now this one's journal is asked for.
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

    /// What the journal does not know any more is written again.
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
                .info, "journal: \(Wording.count(known.count, "beacon")) from earlier, \(open) of unknown outcome",
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

    /// Between two sessions there is nothing to start.
    private mutating func startBeacons(at now: Moment) {
        guard session.addresses != nil else { return }
        metadata.started(at: now)
        placeInterstitials(at: now)
    }

    /// The journal is back: sending begins again where only the journal stopped it.
    private mutating func goOnWithJournal(at now: Moment) {
        let isArmedAgain = journal.firesAgain && mode == .observe
        journal.firesAgain = false
        note(.warning, "journal: open again\(isArmedAgain ? ", beacons are sent again" : "")", at: now)
        guard isArmedAgain else { return }
        mode = .fire
        if let outcome = tracker?.modeChanged(to: .fire) { take(outcome, at: now) }
        formatsModeChanged(at: now)
    }

    /// The file is gone or damaged; this session still knows what it sent.
    mutating func journalLost(_ message: String, at now: Moment) {
        guard journal.state == .open else { return }
        guard !isStopped else { return journalFailed(message, at: now) }
        noteFindings([Self.journalFinding("journal-lost", .warning, message)], from: .delivery, at: now)
        noteError(.beacon, "\(message): writing it anew", at: now)
        reopenJournal()
    }

    /// Without a journal nothing is sent: at most once cannot be promised.
    mutating func journalFailed(_ message: String, at now: Moment) {
        if journal.state == .opening, !isStopped, openedTooLate() { return }
        let wasWaiting = journal.state == .opening && !journal.isReopening
        let isNew = journal.state != .opening || wasWaiting
        journal.state = .failed
        journal.isReopening = false
        journal.retryAt = isStopped ? nil : journal.backOff.failed(at: now)
        if isNew { tellOfFailure(message, at: now) }
        // The tracker settles claims that come back while observing: they were not sent.
        claimsWritten(beacons.unwritten.sorted(), at: now)
        fireNoticesThatWaited(at: now)
        if wasWaiting { startBeacons(at: now) }
    }

    private mutating func tellOfFailure(_ message: String, at now: Moment) {
        noteFindings([Self.journalFinding("journal-failed", .error, message)], from: .delivery, at: now)
        guard mode == .fire else { return note(.warning, message, at: now) }
        if configuration.sendsWithoutJournal {
            let risk = "sending goes on without it: what is sent now may be sent again after a restart"
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

    /// Notes for people were dropped: there were more than the journal can take.
    mutating func journalFellBehind(_ dropped: Int, at now: Moment) {
        let message = "the journal is too slow for the session's history: \(dropped) notes are not kept"
        noteFindings([Self.journalFinding("journal-behind", .warning, message)], from: .delivery, at: now)
    }

    private static func journalFinding(_ rule: String, _ severity: Severity, _ message: String) -> Finding {
        Finding(rule: rule, severity: severity, message: message, section: "TRK-13")
    }
}
