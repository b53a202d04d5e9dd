package import AdFormats
package import Bidding
package import Ports

/// The auction of a session: its document and what it says (docs/auction.md).
package struct AuctionSetup: Sendable, Hashable {
    /// As it was given: what a recording keeps.
    package let document: JSONValue
    package let plan: AuctionPlan
    /// How long after the start of one auction the next begins by itself; nil where only a person asks for it.
    package let interval: Duration?
    /// Plugins in processes of their own that bid in it.
    package var plugins: [SubprocessPlugin] = []

    /// Shortest `everyS`.
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
            throw AuctionProblem("everyS", "whole seconds from \(Self.shortestInterval) on are expected")
        }
        interval = .seconds(seconds)
    }
}

/// What a person asks of the auction.
package enum AuctionCommand: Sendable, Hashable {
    /// Hold it again.
    case run
    /// Send the notices of the one decided last, each that was not sent yet.
    case fireNotices
    /// Put its creatives into the cache again.
    case warm
    /// What would be if that candidate offered so many hundredths more, or less; on top of what was asked before.
    case changePrice(candidate: Int, byCents: Int)
    /// Back to what was offered.
    case resetPrices
}
