/// What a row of the auction view is known by.
package enum AuctionItem: Hashable, Sendable {
    /// The eight steps: their names, their times.
    case stepNames, stepTimes
    /// What the columns are.
    case columns
    /// Index of the result's candidates.
    case candidate(Int)
    /// Index of those who did not bid.
    case nonBid(Int)
    case forwarded
    case callbacks
    /// Index of the notices.
    case notice(Int)
    case pod
    /// Index of the creatives that can be kept near.
    case warm(Int)
    /// Index of the warnings.
    case warning(Int)
    /// Index of the targeting keys.
    case key(Int)
}
