import AdTracking
import Bidding
import Ports

/// What makes two notices the same one: auction, bidder, kind and URL. As a journal has it a notice is the beacon of an "ad"
/// without dates in a "break" that is named after the auction.
struct NoticeIdentity: Hashable {
    /// Id of the request that the bid answered.
    let auction: String
    /// The candidate's name.
    let who: String
    let kind: Notice.Kind
    /// As it is requested.
    let url: String

    /// Begins the names of "breaks" that are auctions.
    private static let prefix = "auction/"
    private static let session = "auction"
    private static let noDate = UnixTime(microseconds: 0)

    /// The notice of an auction's candidate.
    init(_ notice: Notice, of candidate: Candidate, in auction: String) {
        self.auction = candidate.requestID ?? auction
        who = candidate.name
        kind = notice.kind
        url = notice.url
    }

    /// Nil for a beacon that is no notice.
    init?(_ key: URLKey) {
        guard case .given(let name) = key.event.breakName, name.hasPrefix(Self.prefix),
            case .given(let who) = key.event.adName, let kind = Notice.Kind(rawValue: key.event.type),
            key.event.adStart == Self.noDate
        else { return nil }
        auction = String(name.dropFirst(Self.prefix.count))
        self.who = who
        self.kind = kind
        url = key.url
    }

    var key: URLKey {
        URLKey(
            event: EventKey(
                session: Self.session, breakName: .given(Self.prefix + auction), adName: .given(who),
                adStart: Self.noDate, type: kind.rawValue, start: Self.noDate),
            url: url)
    }
}
