package import Ports

/// One change that a document made to the known breaks.
package struct MergeChange: Hashable, Sendable {
    package enum Node: Hashable, Sendable {
        case adBreak
        case ad(AdID)
        case event(AdID, EventID)
    }

    package enum Kind: Hashable, Sendable {
        case added
        case moved(from: UnixTime, to: UnixTime)
        /// The document lists the same second, and the playlists have another date for it than was expected.
        case placed(from: UnixTime, to: UnixTime)
        case durationChanged(from: Duration, to: Duration)
        case vanished
        case returned
        /// Removed after retention (TRK-18).
        case expired
        case urlAdded(String)
        /// One URL was replaced by another: the same beacon with a new cache buster.
        case urlReplaced(from: String, to: String)
        case urlRemoved(String)
        /// Only fields that affect no decision changed.
        case detailsChanged

        /// Another start: the document moved the node, or only the playlists did.
        static func start(from: UnixTime, to: UnixTime, byPlaylist: Bool) -> Kind {
            byPlaylist ? .placed(from: from, to: to) : .moved(from: from, to: to)
        }
    }

    package var breakID: BreakID
    package var node: Node
    package var kind: Kind
    /// Label of the node in messages, e.g. `start of ad 4711 of break 4711`; unredacted text from outside.
    package var subject: String

    package init(breakID: BreakID, node: Node, kind: Kind, subject: String) {
        self.breakID = breakID
        self.node = node
        self.kind = kind
        self.subject = subject
    }
}
