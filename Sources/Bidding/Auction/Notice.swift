/// A URL to request for a bidder.
package struct Notice: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The bid won, which is not billable. The answer may contain the markup when the bid has none.
        case win = "nurl"
        case loss = "lurl"
        /// The ad was displayed, which is billable.
        case billing = "burl"
    }

    package var kind: Kind
    /// Index among the candidates of the result.
    package var candidate: Int
    /// The URL with macros not yet expanded.
    package var template: String
    /// The macro values of this notice.
    package var macros: AuctionMacros

    /// The URL to request.
    package var url: String { macros.fill(template) }
}

/// The retry rule of notices: only billing notices, six times, ten seconds apart, after any result but 200 and 204
/// (BID-20).
package enum NoticeRetry {
    package static let maximumRetries = 6
    package static let interval: Duration = .seconds(10)
}
