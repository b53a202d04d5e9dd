package import AdFormats
package import Bidding
package import Ports

/// The auction configuration of a session: its document and the plan read from it (docs/auction.md).
package struct AuctionSetup: Sendable, Hashable {
    /// The document as given, for recordings.
    package let document: JSONValue
    package let plan: AuctionPlan
    /// Interval from the start of one auction to the next; nil when auctions start only at a person's request.
    package let interval: Duration?
    /// Plugins in processes of their own that bid in the auction.
    package var plugins: [SubprocessPlugin] = []

    /// Shortest `everyS`, in seconds.
    private static let shortestInterval = 1

    /// Reads a document; `everyS` repeats the auction.
    package init(_ document: JSONValue) throws(AuctionProblem) {
        self.document = document
        plan = try AuctionPlan(document)
        guard let written = document["everyS"], written != .null else {
            interval = nil
            return
        }
        guard let seconds = written.smallInteger, seconds >= Self.shortestInterval else {
            throw AuctionProblem("everyS", "must be whole seconds, at least \(Self.shortestInterval)")
        }
        interval = .seconds(seconds)
    }
}

/// A person's command to the auction.
package enum AuctionCommand: Sendable, Hashable {
    /// Holds the auction again.
    case run
    /// Sends each unsent notice of the auction decided last.
    case fireNotices
    /// Puts its creatives into the cache again.
    case warm
    /// Shows the outcome if that candidate offered this many hundredths more or less, in addition to earlier changes.
    case changePrice(candidate: Int, byCents: Int)
    /// Restores the prices that were offered.
    case resetPrices
}
