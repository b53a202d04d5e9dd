import AdTracking
import Ports

extension MonitorState {
    /// Opens the journal. Metadata waits for the answer, so that nothing is claimed before the beacons of earlier runs
    /// are known.
    mutating func openJournal(_ session: SessionKey) {
        if desk.journal.session != session, desk.journal.wasOpen {
            desk.journal.carried = Set(holdings.map(\.entry.beacon))
        }
        desk.journal.opens(session)
        guard !desk.journal.isOutdated else { return }
        desk.effects.append(.openJournal(session, holding: holdings))
    }

    /// Everything that was sent. At the start of a session these are only pings, the beacons of ad spaces and notices.
    private var holdings: [JournalHolding] {
        let held =
            (tracker?.ledger.held() ?? []).map(JournalHolding.init) + pings.book.held.map(JournalHolding.init)
            + beside.holdings
        guard !desk.journal.carried.isEmpty else { return held }
        return held.map { holding in
            var holding = holding
            holding.isCopy = desk.journal.carried.contains(holding.entry.beacon)
            return holding
        }
    }

    /// True when the answer belonged to a replaced session; the journal of the current session is then opened.
    private mutating func openedTooLate() -> Bool {
        guard desk.journal.isOutdated, let session = desk.journal.session else { return false }
        desk.journal.state = .closed
        openJournal(session)
        return true
    }

    mutating func openJournalIfDue(at now: Moment) {
        guard let due = desk.journal.retryAt, due <= now.uptime else { return }
        if desk.journal.state == .opening, desk.journal.lockedSince != nil, let session = desk.journal.session {
            desk.journal.retryAt = nil
            return desk.effects.append(.openJournal(session, holding: holdings))
        }
        guard desk.journal.state == .failed else { return }
        reopenJournal()
    }

    /// Opens the journal again with everything this session has sent.
    private mutating func reopenJournal() {
        guard let session = desk.journal.session else { return }
        desk.journal.reopens()
        desk.effects.append(.openJournal(session, holding: holdings))
    }

    mutating func journalOpened(_ opening: JournalOpening, at now: Moment) {
        guard desk.journal.state == .opening, !openedTooLate() else { return }
        let isFirst = !desk.journal.isReopening
        let wasOpen = desk.journal.wasOpen
        desk.journal.opened()
        let known = opening.restored
        tracker?.restored(known, completeFrom: opening.completeFrom, reached: opening.reached)
        pings.book.restored(known)
        beside.restored(known)
        if isFirst { metadata.continues(known, pinged: pings.book.earlierURLs(of: session.addresses?.sessionID ?? "")) }
        if let notice = opening.notice { desk.note(.warning, notice, at: now) }
        if !known.isEmpty, !wasOpen {
            let open = known.count { $0.outcome == nil }
            desk.note(
                .info,
                "journal: \(known.count.counted("beacon")) from earlier runs, \(open) with unknown outcome",
                at: now)
        }
        if !known.isEmpty, !wasOpen, !opening.isTakenOver { noteEarlierViewer(known.count, at: now) }
        if opening.damagedFile != nil, !wasOpen { observeAfterDamage(opening, at: now) }
        keepSession(at: now)
        let waiting =
            (tracker?.ledger.unwritten(at: now) ?? []) + pings.book.unwritten(at: now) + beside.unwritten(at: now)
        if !waiting.isEmpty { desk.passClaims(waiting) }
        beside.journalSettled(&desk, at: now)
        if !isFirst || desk.journal.firesAgain { goOnWithJournal(at: now) }
        if isFirst { startBeacons(at: now) }
    }

    /// Passes the notes of one input to the journal.
    mutating func writeHistory(at now: Moment) {
        guard configuration.writesHistory else { return }
        for beacon in tracker?.takeUnsent() ?? [] { desk.keep(beacon, at: now) }
        // While the journal could not be opened yet, the notes go to the event stream, and wait at the file for its opening.
        let isAwaited = desk.journal.isHeldElsewhere || !desk.journal.wasOpen
        guard desk.journal.state == .open || desk.journal.state == .failed && isAwaited else { return }
        keepSession(at: now)
        desk.writeHistory()
    }

    /// Records the session if it differs from the last record.
    private mutating func keepSession(at now: Moment) {
        guard configuration.writesHistory, let addresses = session.addresses else { return }
        let session = JournalNote.Session(
            name: name, mediaURL: configuration.mediaURL.text, manifestURL: addresses.manifestURL.text,
            metadataURL: metadata.isNone ? nil : addresses.metadataURL?.text, provider: provider,
            mode: desk.mode.rawValue, retry: configuration.retry?.rawValue, serviceMode: serviceMode)
        desk.keep(session, at: now)
    }

    /// A stream without a session identifier is the same viewer at each start: what that one reported is not reported
    /// again, which must not look like a stream that sends nothing.
    private mutating func noteEarlierViewer(_ count: Int, at now: Moment) {
        guard let addresses = session.addresses, addresses.sessionID == nil else { return }
        let (were, are) = count == 1 ? ("was", "is") : ("were", "are")
        let message =
            "\(count.counted("beacon")) of this stream \(were) sent in an earlier run and \(are) not sent again; "
            + "to begin as a new viewer, name another file with --journal, or use --no-journal"
        desk.noteFindings([Self.journalFinding(.sentBefore, .warning, message)], from: .delivery, at: now)
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
        let isArmedAgain = desk.journal.firesAgain && desk.mode == .observe
        desk.journal.firesAgain = false
        desk.note(.warning, "journal: reopened\(isArmedAgain ? ", sending resumed" : "")", at: now)
        guard isArmedAgain else { return }
        desk.mode = .fire
        if let outcome = tracker?.modeChanged(to: .fire) { take(outcome, at: now) }
        pings.modeChanged(to: .fire, &metadata)
        beside.modeChanged(&desk, at: now)
    }

    /// The entries of earlier runs are lost, so it is unknown what they sent: the session observes until a person arms
    /// it, whatever `sendsWithoutJournal` requests.
    private mutating func observeAfterDamage(_ opening: JournalOpening, at now: Moment) {
        guard let file = opening.damagedFile else { return }
        let message =
            "beacons sent before the journal was damaged are unknown, nothing is sent; arm to send all that "
            + "become due, or delete \(file) to accept the loss for every session"
        desk.noteFindings([Self.journalFinding(.journalDamaged, .error, message)], from: .delivery, at: now)
        desk.journal.firesAgain = false
        desk.noteError(.beacon, "journal: \(message)", at: now)
        if desk.mode == .fire { observe(at: now) }
    }

    /// The file is missing or damaged. An open session still knows what it sent; one that is being opened tries once
    /// more at once.
    mutating func journalLost(_ message: String, at now: Moment) {
        // What the sessions before had in it is lost with it.
        desk.journal.carried = []
        if desk.journal.state == .opening { return journalLostInOpening(message, at: now) }
        guard desk.journal.state == .open else { return }
        guard !desk.isStopped else { return journalFailed(message, kind: .lost, at: now) }
        desk.noteFindings([Self.journalFinding(.journalLost, .warning, message)], from: .delivery, at: now)
        desk.noteError(.beacon, "\(message): rebuilding it from memory", at: now)
        reopenJournal()
    }

    private mutating func journalLostInOpening(_ message: String, at now: Moment) {
        guard !desk.isStopped, !desk.journal.wasLostInOpening, let session = desk.journal.session else {
            return journalFailed(message, kind: .lost, at: now)
        }
        guard !openedTooLate() else { return }
        desk.journal.wasLostInOpening = true
        desk.noteFindings([Self.journalFinding(.journalLost, .warning, message)], from: .delivery, at: now)
        desk.noteError(.beacon, "\(message): opening it again", at: now)
        desk.effects.append(.openJournal(session, holding: holdings))
    }

    /// Without a journal nothing is sent: at-most-once delivery cannot be guaranteed.
    mutating func journalFailed(_ message: String, kind: JournalProblem.Kind, at now: Moment) {
        if desk.journal.state == .opening, !desk.isStopped, openedTooLate() { return }
        let isFirstWait = desk.journal.lockedSince == nil
        if !desk.isStopped, desk.journal.waitsForLock(kind, at: now) {
            if isFirstWait { desk.note(.warning, "\(message): waiting for it", at: now) }
            return
        }
        desk.journal.lockedSince = nil
        let wasWaiting = desk.journal.state == .opening && !desk.journal.isReopening
        let isRepeated = desk.journal.hasFailed
        // Two writes that were under way fail together: between them nothing was tried.
        let isPlanned = desk.journal.state == .failed && desk.journal.retryAt != nil
        desk.journal.failed(kind)
        if desk.isStopped {
            desk.journal.retryAt = nil
        } else if !isPlanned {
            desk.journal.retryAt = desk.journal.plannedOpening(after: kind, at: now)
        }
        // Sending may have continued without it, and now another process has the session.
        let mustDisarm = desk.mode == .fire && !desk.journalAllowsSending
        if !isRepeated || mustDisarm { reportFailure(message, at: now) }
        // The tracker settles claims that return in observe mode: they were not sent.
        claimsWritten(desk.beacons.unwritten.sorted(), at: now)
        beside.fireNoticesThatWaited(&desk, at: now)
        if wasWaiting { startBeacons(at: now) }
    }

    private mutating func reportFailure(_ message: String, at now: Moment) {
        // Two programs on one stream are no fault of the journal.
        let finding =
            desk.journal.isHeldElsewhere
            ? Self.journalFinding(.sessionInUse, .warning, message)
            : Self.journalFinding(.journalFailed, .error, message)
        desk.noteFindings([finding], from: .delivery, at: now)
        guard desk.mode == .fire else { return desk.note(.warning, message, at: now) }
        if desk.journalAllowsSending {
            let risk = "sending continues without it; beacons sent now may be sent again after a restart"
            return desk.noteError(.beacon, "\(message): \(risk)", at: now)
        }
        desk.journal.firesAgain = true
        observe(at: now)
        desk.noteError(.beacon, "\(message): nothing is sent from now on", at: now)
    }

    private mutating func observe(at now: Moment) {
        desk.mode = .observe
        if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
        pings.modeChanged(to: .observe, &metadata)
        beside.modeChanged(&desk, at: now)
        abandonReports()
    }

    /// Notes were dropped because the journal could not keep up.
    mutating func journalFellBehind(_ dropped: Int, at now: Moment) {
        let message = "the journal is too slow for the session's history: \(dropped.counted("note")) dropped"
        desk.noteFindings([Self.journalFinding(.journalBehind, .warning, message)], from: .delivery, at: now)
    }

    private static func journalFinding(_ rule: SessionRule, _ severity: Severity, _ message: String) -> Finding {
        Finding(rule: rule, severity: severity, message: message, section: "TRK-13")
    }
}
