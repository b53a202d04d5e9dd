package import Bidding
package import Ports

/// The auction shown: the one decided last, or the first before that.
package struct AuctionView: Sendable, Equatable {
    /// Number of the auction in the session, from 1; 0 before the first.
    package var number: Int
    /// Id, placement and rules of the auction.
    package var id: String
    package var placement: Placement
    package var rules: AuctionRules
    package var startedAt: Moment?
    /// Number of bidders requested.
    package var asked: Int
    /// Names of the bidders whose answers are pending, unredacted; empty once decided.
    package var waitingFor: [String]
    /// The auction whose bidders are being requested: the first, or the one that will replace this one. Nil when there
    /// is none.
    package var underWay: AuctionUnderWay?
    /// Nil until all bidders have answered.
    package var result: AuctionResult?
    package var notices: [NoticeView]
    /// Hundredths added to the offers, by candidate; with changes the result is hypothetical.
    package var changes: [Int: Int]
    /// The keys of Prebid Server as sent, with the exact value where it differs.
    package var keys: [AuctionKeyView]
    /// Creatives that can be cached, the winner's first.
    package var warm: [WarmView]

    package var answered: Int { asked - waitingFor.count }
    package var isWhatIf: Bool { !changes.isEmpty }
}

/// An auction that is not decided yet.
package struct AuctionUnderWay: Sendable, Equatable {
    /// Number of the auction in the session, from 1.
    package var number: Int
    package var id: String
    package var startedAt: Moment?
    /// Number of bidders requested.
    package var asked: Int
    /// Names of the bidders whose answers are pending, unredacted.
    package var waitingFor: [String]

    package var answered: Int { asked - waitingFor.count }
}

/// A creative that can be cached, and its state.
package struct WarmView: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Not cached: the session has no cache.
        case known
        /// Being put into the cache.
        case busy
        case kept, failed
    }

    package var id: String
    /// The seat, unredacted.
    package var bidder: String
    package var state = State.known
    /// Content type; nil until the creative is fetched if the bid has no markup.
    package var contentType: String?
    package var bytes: Int?
    /// Address of the same creative in the remote cache.
    package var fallbackURL: String?
    /// Time to read it from the cache.
    package var took: Duration?
    package var problem: String?

    init(_ candidate: WarmCandidate) {
        id = candidate.id
        bidder = candidate.bidder
        contentType = candidate.entry?.contentType
        bytes = candidate.entry?.body.utf8.count
        fallbackURL = candidate.remote
    }
}

/// One targeting key of an ad call.
package struct AuctionKeyView: Sendable, Equatable {
    package var name: String
    package var value: String
    /// The exact bucket, if it differs.
    package var exact: String?
}

/// A notice and its delivery.
package struct NoticeView: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Known and not sent, because the session only observes.
        case observed
        case sending, done, failed, waiting
        /// An earlier run claimed it and ended before the answer; it is not sent again.
        case unknown
        /// It may not be sent; `problem` has the reason.
        case skipped
    }

    package var kind: Notice.Kind
    package var url: String
    /// The recipient, unredacted.
    package var who: String
    package var state: State
    package var tries: Int
    package var status: Int?
    package var problem: String?
    /// Whether its delivery is known from an earlier run of the session.
    package var isEarlier = false

    package init(kind: Notice.Kind, url: String, who: String, state: State, tries: Int) {
        self.kind = kind
        self.url = url
        self.who = who
        self.state = state
        self.tries = tries
    }
}
