package import Bidding
package import Ports

/// The auction of a session as it can be shown: the one that was decided last, before that the first.
package struct AuctionView: Sendable, Equatable {
    /// Counts the auctions of the session from 1; 0 before the first.
    package var number: Int
    /// Its id, placement and rules.
    package var id: String
    package var placement: Placement
    package var rules: AuctionRules
    package var startedAt: Moment?
    /// Bidders that were asked.
    package var asked: Int
    /// Names of those that have not answered yet; raw. Empty once it is decided.
    package var waitingFor: [String]
    /// The one whose bidders are being asked: the first, or the one that will take the place of this. Nil while nobody is.
    package var underWay: AuctionUnderWay?
    /// Nil until everybody has answered.
    package var result: AuctionResult?
    package var notices: [NoticeView]
    /// Hundredths added to the offers, by candidate: the result is then what would be, not what was.
    package var changes: [Int: Int]
    /// The keys of Prebid Servers, as sent, with what exact arithmetic gives where it differs.
    package var keys: [AuctionKeyView]
    /// Creatives that can be kept near, the winner's first.
    package var warm: [WarmView]
    package var nextAt: Moment?

    package var answered: Int { asked - waitingFor.count }
    package var isWhatIf: Bool { !changes.isEmpty }
}

/// An auction that is not decided yet.
package struct AuctionUnderWay: Sendable, Equatable {
    /// Counts the auctions of the session from 1.
    package var number: Int
    package var id: String
    package var startedAt: Moment?
    /// Bidders that were asked.
    package var asked: Int
    /// Names of those that have not answered yet; raw.
    package var waitingFor: [String]

    package var answered: Int { asked - waitingFor.count }
}

/// A creative that can be kept near, and whether it is.
package struct WarmView: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Nobody keeps it: the session has no cache.
        case known
        /// On its way.
        case busy
        case kept, failed
    }

    package var id: String
    /// The seat; raw.
    package var bidder: String
    package var state = State.known
    /// Nil until it was fetched where the bid came without it.
    package var contentType: String?
    package var bytes: Int?
    /// Where the same is in the remote cache.
    package var fallbackURL: String?
    /// How long it takes to have it from near.
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
    /// The exact bucket where it is another.
    package var exact: String?
}

/// A notice and what became of it.
package struct NoticeView: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Known, and not sent: observing.
        case observed
        case sending, done, failed, waiting
        /// An earlier run claimed it and did not live to see the answer; it is not sent again.
        case unknown
        /// It may not be sent; the problem says why.
        case skipped
    }

    package var kind: Notice.Kind
    package var url: String
    /// Who gets it; raw.
    package var who: String
    package var state: State
    package var tries: Int
    package var status: Int?
    package var problem: String?
    /// What became of it is known from an earlier run of the session.
    package var isEarlier = false

    package init(kind: Notice.Kind, url: String, who: String, state: State, tries: Int) {
        self.kind = kind
        self.url = url
        self.who = who
        self.state = state
        self.tries = tries
    }
}
