import AdTracking
import Ports

/// State of the journal.
///
/// The policy (ADR 0011): nothing is sent without a journal entry. A lost journal is rebuilt from this session's
/// memory, and sending continues. If the journal cannot be opened, sending stops, the failure is reported, and opening
/// is retried. With `SendingRules.sendsWithoutJournal` sending continues without a journal, except where it is
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
    /// Beacons that the journal has in a session before this one. They are written to this one too, and counted there only.
    var carried: Set<JournalBeacon> = []
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
    /// Time between two openings while another process has the session: what is due after that one ended waits as long.
    static let takeoverPause: Duration = .seconds(1)
    /// Whether another process has the session. Notes are then passed on, for the event stream.
    var isHeldElsewhere = false
    /// Whether it has failed since it was last open, also while it is being opened again.
    var hasFailed = false
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

    /// When it is opened again after a failure of that kind.
    mutating func plannedOpening(after kind: JournalProblem.Kind, at now: Moment) -> Duration {
        guard kind == .inUse else { return backOff.failed(at: now) }
        // The file is well, so that the next failure of it is the first one.
        backOff.succeeded()
        return now.uptime + Self.takeoverPause
    }

    /// The opening for a session begins.
    mutating func opens(_ session: SessionKey) {
        // Between two tries of a file that is locked no answer is on its way.
        isOutdated = state == .opening && retryAt == nil
        self.session = session
        (state, retryAt) = (.opening, nil)
        (isReopening, wasOpen, wasLostInOpening, isSentUnknown) = (false, false, false, false)
        lockedSince = nil
    }

    /// An opening begins while the session continues.
    mutating func reopens() {
        (state, retryAt) = (.opening, nil)
        (isReopening, wasLostInOpening) = (true, false)
    }

    /// It has reported its entries.
    mutating func opened() {
        state = .open
        wasOpen = true
        (isReopening, wasLostInOpening, hasFailed, isSentUnknown) = (false, false, false, false)
        lockedSince = nil
        backOff.succeeded()
    }

    /// Notes a failure with its kind. What another process sent stays unknown until the journal is open, and so do
    /// entries that this run never read.
    mutating func failed(_ kind: JournalProblem.Kind) {
        state = .failed
        hasFailed = true
        isReopening = false
        isHeldElsewhere = kind == .inUse
        switch kind {
        case .inUse: isSentUnknown = true
        case .damaged, .lost, .busy, .unread: isSentUnknown = isSentUnknown || !wasOpen
        case .cannotOpen, .cannotWrite: break
        }
    }
}
