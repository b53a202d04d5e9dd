package import Ports

/// One thing that a journal keeps for people and reports; nothing depends on it, so it may be dropped when too much
/// comes at once.
package struct JournalNote: Sendable, Hashable {
    package var at: UnixTime
    package var content: Content

    package init(at: UnixTime, _ content: Content) {
        self.at = at
        self.content = content
    }

    package enum Content: Sendable, Hashable {
        case session(Session)
        case poll(Poll)
        case adBreak(Break)
        case ad(Ad)
        case unsent(Unsent)
        case finding(Finding, source: FindingSource)
        /// What a person did, as the log words it.
        case action(String)
        case log(LogLevel, String)
    }

    /// What the session is; again when something of it changed.
    package struct Session: Sendable, Hashable {
        package var name: String
        package var mediaURL: String
        package var manifestURL: String?
        package var metadataURL: String?
        package var provider: String
        package var mode: String
    }

    /// A request for metadata that was answered, or one for the playlist whose answer differs from the one before.
    package struct Poll: Sendable, Hashable {
        package enum Feed: String, Sendable {
            case metadata, playlist
        }

        package var feed: Feed
        package var status: Int?
        package var bytes: Int
        package var took: Duration
        /// What it changed, `+1 break, +2 ads`; nil when nothing.
        package var changes: String?
        /// Why it was of no use; nil when it was.
        package var problem: String?
    }

    /// A break as it is now.
    package struct Break: Sendable, Hashable {
        /// As `JournalBeacon.breakName`.
        package var name: String
        package var start: UnixTime
        package var duration: Duration
        package var source: String
        package var hasVanished: Bool
    }

    /// An ad as it is now, with the events that metadata plans for it.
    package struct Ad: Sendable, Hashable {
        /// As `JournalBeacon`.
        package var breakName: String
        package var name: String
        /// At first sight: part of the identity.
        package var firstStart: UnixTime
        package var start: UnixTime
        package var duration: Duration
        package var hasVanished: Bool
        package var events: [Event]
    }

    /// An event of an ad.
    package struct Event: Sendable, Hashable {
        package var type: String
        /// At first sight: part of the identity.
        package var start: UnixTime
        package var urlCount: Int
    }

    /// A beacon that was due and is not sent.
    package struct Unsent: Sendable, Hashable {
        package var beacon: JournalBeacon
        /// `observed` or `skipped`.
        package var state: String
        /// Word of `SkipReason`.
        package var reason: String?
        package var late: Duration?
    }
}
