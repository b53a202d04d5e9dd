package import Ports

/// What one document changed in what is known.
package struct MergeChange: Hashable, Sendable {
    package enum Node: Hashable, Sendable {
        case adBreak
        case ad(AdID)
        case event(AdID, EventID)
    }

    package enum Kind: Hashable, Sendable {
        case added
        case moved(from: UnixTime, to: UnixTime)
        case durationChanged(from: Duration, to: Duration)
        case vanished
        case returned
        /// Dropped after retention (TRK-18).
        case expired
        case urlAdded(String)
        /// Another URL in the place of one: the same beacon with another cache buster.
        case urlReplaced(from: String, to: String)
        case urlRemoved(String)
        /// Only fields changed that nothing is decided by.
        case detailsChanged
    }

    package var breakID: BreakID
    package var node: Node
    package var kind: Kind
    /// How the node is called in messages, e.g. `start of ad 4711 of break 4711`. Raw text from outside.
    package var subject: String

    package init(breakID: BreakID, node: Node, kind: Kind, subject: String) {
        self.breakID = breakID
        self.node = node
        self.kind = kind
        self.subject = subject
    }
}
