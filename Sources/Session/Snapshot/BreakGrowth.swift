package import Ports

/// How a break came to be what it is: what each document changed in it.
package struct BreakGrowth: Sendable, Equatable {
    /// In order; the first is the one that brought the break.
    package var steps: [GrowthStep] = []
    /// Number of steps after the first that are not kept.
    package var omitted = 0

    package init() {}
}

/// What one document changed in a break.
package struct GrowthStep: Sendable, Equatable {
    /// Number of the answer among the metadata answers of the session; nil where no poll brought it: the answer that opened
    /// the session or that a ping got, and what the media shows.
    package var poll: Int?
    /// Number of the ping whose answer brought it, from 1 in its session; nil for any other.
    package var ping: Int?
    package var at: Moment
    /// Ads that are new, by name; unredacted text from outside. At most ``namesKept``.
    package var newAds: [String] = []
    package var newAdCount = 0
    /// New events of ads that were known.
    package var newEventCount = 0
    /// Ads and events that are not listed any more, and those that are listed again.
    package var vanishedCount = 0
    package var returnedCount = 0
    /// URLs of events that were added, replaced or removed.
    package var changedURLCount = 0
    /// How far the start of the break moved.
    package var moved: Duration?
    /// Length of the break before, and after.
    package var length: Lengths?
    /// How far the viewer was beyond the start of what is new, at most; nil when nothing is late.
    package var late: Duration?

    package struct Lengths: Sendable, Equatable {
        /// Nil for the document that brought the break.
        package var from: Duration?
        package var to: Duration

        package init(from: Duration?, to: Duration) {
            (self.from, self.to) = (from, to)
        }
    }

    /// Most names kept of one document.
    package static let namesKept = 8

    package init(poll: Int?, ping: Int? = nil, at: Moment) {
        (self.poll, self.ping, self.at) = (poll, ping, at)
    }

    /// Whether it changed nothing that is reported.
    package var isEmpty: Bool { self == GrowthStep(poll: poll, ping: ping, at: at) }
}
