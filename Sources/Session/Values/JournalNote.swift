package import Ports

/// A history note for people and reports. Nothing depends on notes, so they may be dropped under load.
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
        /// A person's action, in the words of the log.
        case action(String)
        case log(LogLevel, String)
    }

    /// Facts about the session; written again when one of them changes.
    package struct Session: Sendable, Hashable {
        package var name: String
        package var mediaURL: String
        package var manifestURL: String?
        package var metadataURL: String?
        package var provider: String
        package var mode: String
        /// A word of `RetrySetting`.
        package var retry: String?
        /// How reporting is divided, in the word of the provider (`ProviderStatus.mode`); nil for a plain stream, and while the provider
        /// is not known.
        package var serviceMode: String?
    }

    /// An answered metadata request, or a playlist request whose answer differs from the previous one.
    package struct Poll: Sendable, Hashable {
        package enum Feed: String, Sendable {
            case metadata, playlist
        }

        package var feed: Feed
        package var status: Int?
        package var bytes: Int
        package var took: Duration
        /// The changes, such as `+1 break, +2 ads`; nil when there were none.
        package var changes: String?
        /// Why the answer was unusable; nil when it was usable.
        package var problem: String?
    }

    /// The current state of a break.
    package struct Break: Sendable, Hashable {
        /// The name as in `JournalBeacon.breakName`.
        package var name: String
        package var start: UnixTime
        package var duration: Duration
        package var source: String
        package var hasVanished: Bool
    }

    /// The current state of an ad, with the events that metadata plans for it.
    package struct Ad: Sendable, Hashable {
        /// The names as in `JournalBeacon`.
        package var breakName: String
        package var name: String
        /// Start when the ad first appeared, part of the identity.
        package var firstStart: UnixTime
        package var start: UnixTime
        package var duration: Duration
        package var hasVanished: Bool
        package var events: [Event]
    }

    /// An event of an ad.
    package struct Event: Sendable, Hashable {
        package var type: String
        /// Start when the event first appeared, part of the identity.
        package var start: UnixTime
        package var urlCount: Int
    }

    /// A beacon that was due and not sent.
    package struct Unsent: Sendable, Hashable {
        package var beacon: JournalBeacon
        /// Either `observed` or `skipped`.
        package var state: String
        /// The raw value of a `SkipReason`.
        package var reason: String?
        package var late: Duration?
    }
}
