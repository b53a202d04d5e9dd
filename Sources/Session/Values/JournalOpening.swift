package import AdTracking
package import Ports

/// The identity of a session across runs; the journal file is named after it.
package struct SessionKey: Sendable, Hashable {
    /// The session's own address, with its session identifier.
    package var text: String
    /// What journals of earlier versions call the same session, if that differs.
    package var earlierText: String?

    package init(_ text: String, earlier: String? = nil) {
        self.text = text
        earlierText = earlier == text ? nil : earlier
    }

    /// However the address of a session is spelled, it is that session.
    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Why a journal cannot be used, with the place, in one line.
package struct JournalProblem: Error, Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Another process has this session open.
        case inUse
        /// It could not be opened, and holds nothing.
        case cannotOpen
        /// There is a file that may hold entries of this session, and they cannot be read.
        case unread
        /// Another program has locked the file for a while.
        case busy
        case cannotWrite
        /// Written entries are lost or unreadable: damaged, deleted or replaced.
        case lost
        /// The file is damaged and cannot be moved aside.
        case damaged
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// The result of opening a journal.
package struct JournalOpening: Sendable, Hashable {
    package var entries: [JournalEntry]
    /// What was repaired or moved aside, for the log.
    package var notice: String?
    /// The damaged journal that was moved aside and may hold entries of this session; nil if none does.
    package var damagedFile: String?
    /// The entries are complete for beacons due from this media date on; nil if they are complete.
    package var completeFrom: UnixTime?
    /// Nothing due at these media dates is sent: an earlier session of the same viewer reached them (FLT-13).
    package var reached = DateStretches()
    /// Whether another process followed this viewer before: the viewer continues, and a try that failed may be followed by the next one (FLT-5).
    package var isTakenOver = false

    package init(
        entries: [JournalEntry] = [], notice: String? = nil, damagedFile: String? = nil, completeFrom: UnixTime? = nil
    ) {
        self.entries = entries
        self.notice = notice
        self.damagedFile = damagedFile
        self.completeFrom = completeFrom
    }
}
