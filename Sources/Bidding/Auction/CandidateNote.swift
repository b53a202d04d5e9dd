package import Ports

/// One fact about a candidate: a reason shown for its state. A value, so that an auction with many candidates formats
/// only the texts that are displayed.
package enum CandidateNote: Sendable, Hashable {
    case converted(ExactDecimal, String, to: ExactDecimal, String)
    case floorMet(ExactDecimal, String)
    case belowFloor(ExactDecimal, String)
    case deal(String)
    case checksPassed
    case found(String)
    case clearing(ExactDecimal, String)
    case highest
    case only
    case tie(with: String, rule: TieRule)
    case beatenBy(String, ExactDecimal)
    case preferredDeal(String)
    case agreedDeal(String)
    case exclusiveServes(String)
    case forwarded
    case betterForwarded(String)
    case through(String, ExactDecimal)
    case clauseFails(String)
    case sizeDoesNotFit
    case notRunning
    case houseFill
    /// The winner has no markup that can be shown; the clause has the reason.
    case unusableMarkup(String)

    /// The rule that decided a tie.
    package enum TieRule: String, Sendable, Hashable {
        case bidder = "the bidder is preferred"
        case lineItem = "a line item is preferred to RTB"
        case earlier = "the earlier answer is preferred"
        case order = "the first in order is preferred"
    }

    /// The note as a clause for display; names from outside are not sanitised.
    package var text: String {
        switch self {
        case .converted(let amount, let currency, let result, let target): "\(amount) \(currency) = \(result) \(target)"
        case .floorMet(let floor, let currency): "floor \(floor) \(currency) ok"
        case .belowFloor(let floor, let currency): "floor \(floor) \(currency)"
        case .deal(let id): "deal \(id)"
        case .checksPassed: "checks passed"
        case .found(let what): what
        case .clearing(let price, let currency): "clears at \(price) \(currency)"
        case .highest: "highest"
        case .only: "no other candidate"
        case .tie(let other, let rule): "tie with \(other), \(rule.rawValue)"
        case .beatenBy(let other, let cpm): "\(other) pays \(cpm)"
        case .preferredDeal(let other): "deal of \(other) is preferred"
        case .agreedDeal(let other): "deal of \(other) pays the agreed price"
        case .exclusiveServes(let other): "\(other) is exclusive"
        case .forwarded: "forwarded in the ad call"
        case .betterForwarded(let other): "\(other) was forwarded instead"
        case .through(let item, let cpm): "through \(item) at \(cpm)"
        case .clauseFails(let clause): "targeting \(clause) does not match"
        case .sizeDoesNotFit: "no size fits"
        case .notRunning: "not running"
        case .houseFill: "no other candidate left"
        case .unusableMarkup(let why): "win notice: \(why)"
        }
    }
}
