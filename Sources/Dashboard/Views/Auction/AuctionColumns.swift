import Bidding
import Screen
import Session

/// How wide the columns of an auction's candidates are: as wide as what they contain, so that the reason has the rest.
struct AuctionColumns: Equatable {
    /// Where the reason would have fewer, the price as offered is left out: candidates compete by CPM.
    private static let leastReason = 24
    /// The most columns of a name where the row is narrow; in wide rows it may have a third.
    private static let shortName = 12
    /// The most columns of an amount, which comes from outside as all names do.
    private static let amount = 14
    private static let price = 2

    /// The longest text of source, name, price, CPM and state.
    private var longest = [0, 0, 0, 0, 0]

    /// No candidates.
    init() {}

    /// The columns of an auction that has been decided.
    init(_ view: AuctionView) {
        guard let result = view.result else { return }
        count(AuctionRowLine.headings(view))
        for (index, candidate) in result.candidates.enumerated() {
            count(AuctionRowLine.texts(candidate, isChanged: view.changes[index] != nil))
        }
        for nonBid in result.nonBids { count(AuctionRowLine.texts(nonBid)) }
    }

    private mutating func count(_ texts: [String]) {
        for index in longest.indices {
            longest[index] = max(longest[index], SafeText(outside: texts[index]).columns)
        }
    }

    /// The columns of a row, each with the blank after it and the reason last; 0 for one that is left out.
    func widths(in width: Int) -> [Int] {
        let limits = [Self.amount, max(Self.shortName, width / 3), Self.amount, Self.amount, Self.amount]
        var widths = zip(longest, limits).map { min($0, $1) + 1 }
        if width - widths.reduce(0, +) < Self.leastReason { widths[Self.price] = 0 }
        return widths + [max(8, width)]
    }
}
