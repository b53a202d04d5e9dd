import Ports
import Session

/// The faults of one viewer's journal: lost while it is open or being opened, damaged, or in use elsewhere.
struct JournalTrouble: Sendable {
    /// A person accepts a damage when everything that was sent before is out of reach.
    private static let damageLasts: Duration = .seconds(300)

    /// Time of the next fault, relative to the start; nil for none.
    var next: Duration?
    /// When the present problem ends.
    private(set) var end: Duration?
    private(set) var count = 0
    private var damagedAt: Duration?
    private let isKilled: Bool
    private var random: SplitMix64

    /// - Parameter isKilled: whether processes are killed. A journal that is deleted just before is no fault that a new process
    ///   can know of.
    init(isKilled: Bool, seed: UInt64) {
        self.isKilled = isKilled
        random = SplitMix64(seed: seed &+ 0x6A6F_7572)
    }

    /// The time of the next change.
    var due: Duration? {
        guard let next else { return end }
        return end.map { min($0, next) } ?? next
    }

    /// A problem ends, or another begins.
    mutating func trouble(_ viewer: inout VirtualViewer, at time: Duration) {
        if let end, end <= time {
            self.end = nil
            viewer.journalProblem = nil
        }
        guard let next, next <= time else { return }
        self.next = nil
        count += 1
        switch random.next() % 4 {
        case 0: lose(&viewer, openings: 0)
        case 1: lose(&viewer, openings: 1 + Int(random.next() % 2))
        case 2: fail(&viewer, .inUse, at: time)
        default: fail(&viewer, .cannotWrite, at: time)
        }
    }

    /// A new process opens the journal at `time`.
    mutating func restarts(_ viewer: inout VirtualViewer, at time: Duration) {
        viewer.losesJournal = false
        if let damagedAt, time - damagedAt > Self.damageLasts {
            self.damagedAt = nil
            viewer.damagedFile = nil
        }
        guard next != nil || count > 0 else { return }
        switch random.next() % 6 {
        case 0:
            viewer.lostOpenings = 1 + Int(random.next() % 2)
            viewer.keepsLostEntries = true
            count += 1
        case 1: fail(&viewer, random.next() % 2 == 0 ? .inUse : .damaged, at: time)
        case 2:
            viewer.journal = viewer.journal.emptied
            viewer.damagedFile = "journal.sqlite.damaged-1"
            damagedAt = time
            count += 1
        default: break
        }
    }

    private func lose(_ viewer: inout VirtualViewer, openings: Int) {
        viewer.losesJournal = true
        viewer.lostOpenings = openings
        viewer.keepsLostEntries = isKilled
    }

    private mutating func fail(_ viewer: inout VirtualViewer, _ kind: JournalProblem.Kind, at time: Duration) {
        viewer.journalProblem = "journal: simulated problem"
        viewer.journalProblemKind = kind
        end = time + .milliseconds(500 + Int64(random.next() % 30_000))
        count += 1
    }
}
