/// The identity of a row of the auction view.
package enum AuctionItem: Hashable, Sendable {
    /// The names and the times of the eight steps.
    case stepNames, stepTimes
    /// The names of the columns.
    case columns
    /// A candidate by its index in the result.
    case candidate(Int)
    /// A bidder without a bid by its index in the result.
    case nonBid(Int)
    case forwarded
    case callbacks
    /// A notice by its index.
    case notice(Int)
    case pod
    /// A creative that the cache can hold, by its index.
    case warm(Int)
    /// A warning by its index in the result.
    case warning(Int)
    /// A targeting key by its index.
    case key(Int)
}
