import AdTracking
import Bidding
import Ports

/// The identity of a notice: auction, bidder, kind and URL. A journal stores a notice as the beacon of an "ad" without
/// dates in a "break" named after the auction.
struct NoticeIdentity: Hashable {
    /// Id of the request that the bid answered.
    let auction: String
    /// The candidate's name.
    let who: String
    let kind: Notice.Kind
    /// The URL as requested.
    let url: String

    /// Prefix of the names of "breaks" that are auctions.
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

    /// Nil for a beacon that is not a notice.
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
