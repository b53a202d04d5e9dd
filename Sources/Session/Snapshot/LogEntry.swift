import AdTracking
package import Ports

package struct LogEntry: Sendable, Equatable {
    /// Number of the line in the session, from 0; stable when old lines are dropped.
    package var number: Int
    package var at: Moment
    package var level: LogLevel
    /// Unredacted; may contain text from outside.
    package var message: String
    /// The user's name of the session, in a log of several; nil in a session's own log.
    package var session: String? = nil
    /// What it is about.
    package var source = LogSource.session
    /// The host of a beacon; nil for other lines.
    package var host: String?
    /// The break that it is about; nil for other lines.
    package var adBreak: Break?

    package init(
        number: Int, at: Moment, level: LogLevel, message: String, session: String? = nil,
        source: LogSource = .session, host: String? = nil, adBreak: Break? = nil
    ) {
        (self.number, self.at, self.level) = (number, at, level)
        (self.message, self.session) = (message, session)
        (self.source, self.host, self.adBreak) = (source, host, adBreak)
    }

    /// A break, as findings name it: its number on the screen may change when another source describes it.
    package struct Break: Sendable, Equatable {
        /// Its id in the metadata; empty where that gives none.
        package var name: String
        /// Its start when the line was written, which distinguishes breaks of one id.
        package var start: UnixTime

        package init(name: String, start: UnixTime) {
            (self.name, self.start) = (name, start)
        }

        /// The break of a place.
        package init(_ place: FindingPlace) {
            self.init(name: place.adBreak, start: place.start)
        }
    }
}

extension LogEntry.Break {
    /// A break of the book.
    init(_ adBreak: KnownBreak) {
        self.init(name: adBreak.name.text, start: adBreak.start)
    }
}
