import AdTracking
import Ports

/// State of the journal.
///
/// The policy (ADR 0011): nothing is sent without a journal entry. A lost journal is rebuilt from this session's
/// memory, and sending continues. If the journal cannot be opened, sending stops, the failure is reported, and opening
/// is retried. With `MonitorConfiguration.sendsWithoutJournal` sending continues without a journal, except where it is
/// unknown what was sent: another process has the session, or the earlier entries cannot be read.
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
    /// Whether the pending opening follows one that ended in a loss.
    var wasLostInOpening = false
    /// Uptime of the first of the openings that found the file locked; nil while none has.
    var lockedSince: Duration?
    /// How long an opening waits for a program that has locked the file: a backup, or a person's transaction.
    static let lockPatience: Duration = .seconds(60)
    private static let lockPause: Duration = .seconds(1)
    /// Whether another process has the session. Notes are then passed on, for the event stream.
    var isHeldElsewhere = false
    /// Whether the failure was reported since the journal was last open.
    var isFailureReported = false
    /// Whether beacons of this session may have been sent that it does not know of.
    var isSentUnknown = false

    /// Whether an opening that found the file locked is to be repeated: until then all that is due waits.
    mutating func waitsForLock(_ kind: JournalProblem.Kind, at now: Moment) -> Bool {
        guard kind == .busy, state == .opening, now.uptime - (lockedSince ?? now.uptime) < Self.lockPatience else {
            return false
        }
        lockedSince = lockedSince ?? now.uptime
        retryAt = now.uptime + Self.lockPause
        return true
    }

    /// Notes a failure with its kind. What another process sent stays unknown until the journal is open, and so do
    /// entries that this run never read.
    mutating func failed(_ kind: JournalProblem.Kind) {
        state = .failed
        isReopening = false
        isHeldElsewhere = kind == .inUse
        switch kind {
        case .inUse: isSentUnknown = true
        case .damaged, .lost: isSentUnknown = isSentUnknown || !wasOpen
        case .cannotOpen, .cannotWrite, .busy: break
        }
    }
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
        journal.wasLostInOpening = false
        journal.isSentUnknown = false
        journal.lockedSince = nil
        journal.retryAt = nil
        guard !journal.isOutdated else { return }
        effects.append(.openJournal(session, holding: holdings))
    }

    /// Whether beacons may be sent as far as the journal is concerned.
    var journalAllowsSending: Bool {
        journal.state != .failed || (configuration.sendsWithoutJournal && !journal.isSentUnknown)
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
        guard let due = journal.retryAt, due <= now.uptime else { return }
        if journal.state == .opening, journal.lockedSince != nil, let session = journal.session {
            journal.retryAt = nil
            return effects.append(.openJournal(session, holding: holdings))
        }
        guard journal.state == .failed else { return }
        reopenJournal()
    }

    /// Opens the journal again with everything this session has sent.
    private mutating func reopenJournal() {
        guard let session = journal.session else { return }
        journal.state = .opening
        journal.isReopening = true
        journal.wasLostInOpening = false
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
        journal.wasLostInOpening = false
        journal.isFailureReported = false
        journal.isSentUnknown = false
        journal.lockedSince = nil
        journal.backOff.succeeded()
        let known = opening.entries.compactMap(\.restored)
        tracker?.restored(known, completeFrom: opening.completeFrom)
        auction.notices.restored(known)
        if let notice = opening.notice { note(.warning, notice, at: now) }
        if !known.isEmpty, !wasOpen {
            let open = known.count { $0.outcome == nil }
            note(
                .info,
                "journal: \(Wording.count(known.count, "beacon")) from earlier runs, \(open) with unknown outcome",
                at: now)
        }
        if !known.isEmpty, !wasOpen { noteEarlierViewer(known.count, at: now) }
        if opening.damagedFile != nil, !wasOpen { observeAfterDamage(opening, at: now) }
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

    /// A stream without a session identifier is the same viewer at each start: what that one reported is not reported
    /// again, which must not look like a stream that sends nothing.
    private mutating func noteEarlierViewer(_ count: Int, at now: Moment) {
        guard let addresses = session.addresses, addresses.sessionID == nil else { return }
        let message =
            "\(Wording.count(count, "beacon")) of this stream were sent in an earlier run and are not sent again; "
            + "to begin as a new viewer, name another file with --journal, or use --no-journal"
        noteFindings([Self.journalFinding(.sentBefore, .warning, message)], from: .delivery, at: now)
    }

    /// Starts metadata and interstitials; between two sessions there is nothing to start.
    private mutating func startBeacons(at now: Moment) {
        guard session.addresses != nil else { return }
        metadata.started(at: now)
        placeInterstitials(at: now)
        placeSignaledBreaks(at: now)
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

    /// The entries of earlier runs are lost, so it is unknown what they sent: the session observes until a person arms
    /// it, whatever `sendsWithoutJournal` requests.
    private mutating func observeAfterDamage(_ opening: JournalOpening, at now: Moment) {
        guard let file = opening.damagedFile else { return }
        let message =
            "beacons sent before the journal was damaged are unknown, nothing is sent; arm to send all that "
            + "become due, or delete \(file) to accept the loss for every session"
        noteFindings([Self.journalFinding(.journalDamaged, .error, message)], from: .delivery, at: now)
        journal.firesAgain = false
        noteError(.beacon, "journal: \(message)", at: now)
        if mode == .fire { observe(at: now) }
    }

    /// The file is missing or damaged. An open session still knows what it sent; one that is being opened tries once
    /// more at once.
    mutating func journalLost(_ message: String, at now: Moment) {
        if journal.state == .opening { return journalLostInOpening(message, at: now) }
        guard journal.state == .open else { return }
        guard !isStopped else { return journalFailed(message, kind: .lost, at: now) }
        noteFindings([Self.journalFinding(.journalLost, .warning, message)], from: .delivery, at: now)
        noteError(.beacon, "\(message): rebuilding it from memory", at: now)
        reopenJournal()
    }

    private mutating func journalLostInOpening(_ message: String, at now: Moment) {
        guard !isStopped, !journal.wasLostInOpening, let session = journal.session else {
            return journalFailed(message, kind: .lost, at: now)
        }
        guard !openedTooLate() else { return }
        journal.wasLostInOpening = true
        noteFindings([Self.journalFinding(.journalLost, .warning, message)], from: .delivery, at: now)
        noteError(.beacon, "\(message): opening it again", at: now)
        effects.append(.openJournal(session, holding: holdings))
    }

    /// Without a journal nothing is sent: at-most-once delivery cannot be guaranteed.
    mutating func journalFailed(_ message: String, kind: JournalProblem.Kind, at now: Moment) {
        if journal.state == .opening, !isStopped, openedTooLate() { return }
        let isFirstWait = journal.lockedSince == nil
        if !isStopped, journal.waitsForLock(kind, at: now) {
            if isFirstWait { note(.warning, "\(message): waiting for it", at: now) }
            return
        }
        journal.lockedSince = nil
        let wasWaiting = journal.state == .opening && !journal.isReopening
        journal.failed(kind)
        journal.retryAt = isStopped ? nil : journal.backOff.failed(at: now)
        // A person may have armed while it was being opened again.
        let mustDisarm = mode == .fire && !journalAllowsSending
        if !journal.isFailureReported || mustDisarm { reportFailure(message, at: now) }
        // The tracker settles claims that return in observe mode: they were not sent.
        claimsWritten(beacons.unwritten.sorted(), at: now)
        fireNoticesThatWaited(at: now)
        if wasWaiting { startBeacons(at: now) }
    }

    private mutating func reportFailure(_ message: String, at now: Moment) {
        journal.isFailureReported = true
        noteFindings([Self.journalFinding(.journalFailed, .error, message)], from: .delivery, at: now)
        guard mode == .fire else { return note(.warning, message, at: now) }
        if journalAllowsSending {
            let risk = "sending continues without it; beacons sent now may be sent again after a restart"
            return noteError(.beacon, "\(message): \(risk)", at: now)
        }
        journal.firesAgain = true
        observe(at: now)
        noteError(.beacon, "\(message): nothing is sent from now on", at: now)
    }

    private mutating func observe(at now: Moment) {
        mode = .observe
        auction.notices.disarm()
        if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
        formatsModeChanged(at: now)
        abandonReports()
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
