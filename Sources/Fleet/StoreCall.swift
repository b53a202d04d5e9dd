/// A call of an agent to the store: one transaction each.
package enum StoreCall: Hashable, Sendable {
    /// Begins an incarnation. `place` is the state folder that its process has locked.
    case start(name: String, place: String)
    case beat(agent: Int, load: AgentLoad = AgentLoad())
    case take(agent: Int, count: Int)
    /// What was claimed of viewers that the agent owns (FLT-5), of each at most ``largestPart``: the first ones that come after a key.
    case claims(agent: Int, viewers: [Int], after: ClaimKey? = nil)
    case owned(agent: Int)
    case claim(agent: Int, requests: [ClaimRequest])
    case outcomes([StoredClaim])
    case give(agent: Int, viewers: [ViewerEpoch])
    /// Where playheads are; written only by the owner in its epoch. The later of two calls has the higher number: one that is executed late
    /// replaces nothing.
    case playheads(agent: Int, heads: [ViewerEpoch: PlayheadReading], number: Int)
    /// What the sessions of viewers are, for their successors; written and numbered likewise.
    case sessions(agent: Int, states: [ViewerEpoch: [UInt8]], number: Int)
    /// How viewers are, for people.
    case health(agent: Int, rows: [ViewerHealth])
    /// The picture of a viewer, as `adtop-snapshot/1`.
    case picture(agent: Int, viewer: Int, text: String)
    /// What was due and not sent, for reports.
    case unsent(agent: Int, beacons: [UnsentRow])
    /// What happened to sessions, for people.
    case notes(agent: Int, rows: [NoteRow])
    /// Changes of the list since that value of its counter, and what they mean for the viewers of the agent.
    case channels(agent: Int, since: Int)
    /// Makes and drops partitions (FLT-10).
    case keepUp
    /// Ends the incarnation in order: its viewers are free at once.
    case end(agent: Int)
}

extension StoreCall {
    /// Claims of a viewer in one answer; where there are as many, more may follow. A busy channel has 1,000 in three hours. The connection takes
    /// 64 MiB, which is this number with URLs of 32 KiB.
    package static let largestPart = 2_000

    /// Whether it goes over the connection for claims.
    package var isClaim: Bool {
        if case .claim = self { true } else { false }
    }

    var isBeat: Bool {
        if case .beat = self { true } else { false }
    }

    /// Whether an answer is of the kind that this call has. Every call may be refused.
    func mayHave(_ answer: StoreAnswer) -> Bool {
        switch (self, answer) {
        case (_, .refused), (.start, .started), (.beat, .beat), (.take, .taken), (.claims, .claims), (.owned, .owned),
            (.channels, .channels):
            true
        case (.claim(_, let requests), .claimed(let results)): results.count == requests.count
        case (.start, _), (.beat, _), (.take, _), (.claims, _), (.owned, _), (.channels, _), (.claim, _): false
        case (_, let answer): answer == .done
        }
    }
}

/// A viewer in one of its epochs.
package struct ViewerEpoch: Hashable, Sendable {
    package var viewer: Int
    package var epoch: Int

    package init(viewer: Int, epoch: Int) {
        self.viewer = viewer
        self.epoch = epoch
    }
}

/// The store's answer to a call.
package enum StoreAnswer: Hashable, Sendable {
    case started(agent: Int, terms: FleetTerms = FleetTerms())
    case beat(Beat)
    case taken([TakenViewer])
    case claims([StoredClaim])
    case owned([ViewerEpoch])
    /// Channels that changed and are in the list, and viewers of the agent that the list does not want any more.
    case channels([FollowedChannel], unwanted: [ViewerEpoch])
    /// In the order of the requests.
    case claimed([ClaimResult])
    case done
    case refused(StoreRefusal)

    /// What a beat answers.
    package struct Beat: Hashable, Sendable {
        /// Viewers to take; to give if negative.
        package var want: Int
        /// How many viewers the store thinks the agent has.
        package var holding: Int
        package var isDraining: Bool
        /// Whether the fleet sends; otherwise no claim is granted.
        package var isFiring = true
        /// Raised by every change of the list.
        package var change = 0
        /// Viewers that a person is looking at.
        package var watched: [Int] = []

        package init(want: Int, holding: Int, isDraining: Bool) {
            self.want = want
            self.holding = holding
            self.isDraining = isDraining
        }
    }

    /// A viewer that was taken.
    package struct TakenViewer: Hashable, Sendable {
        package var id: ViewerEpoch
        /// Nothing due earlier is claimed in this epoch; nil where no playhead was saved (FLT-3).
        package var dueFrom: Duration?
        /// Where a viewer is now whose playhead was saved: media date since 1970.
        package var playhead: Duration?
        /// How long the viewer has played since that was saved; nil where none was saved, or the viewer did not play.
        package var playedSince: Duration?
        /// Nil in models without channels.
        package var channel: FollowedChannel?
        /// Counts the viewers of a channel in a region, from 1.
        package var number = 1
        /// Where agents may follow it; empty for anywhere.
        package var region = ""
        /// What the last owner saved of the session; empty for nothing.
        package var session: [UInt8] = []
        /// The id of the key that would open it; nil where it is open or there is none.
        package var sealedWith: String?

        package init(id: ViewerEpoch, dueFrom: Duration?, playhead: Duration?) {
            self.id = id
            self.dueFrom = dueFrom
            self.playhead = playhead
        }
    }
}

extension StoreAnswer.TakenViewer {
    /// How long a viewer may have been without an agent and is still one who watched: what was due meanwhile is sent late.
    package static let longestGap = Duration.seconds(60)

    /// The media date from which on a successor claims, as if the viewer had watched since (FLT-15); where the viewer is now if that was too
    /// long ago. Nil where no playhead was saved.
    ///
    /// An agent that gives a viewer says where it left it. One that was killed does not: but all that was due up to the playhead that it
    /// saved last had been decided, and what it claimed later is known from the store.
    /// - Parameters:
    ///   - leftAt: nil after a kill.
    ///   - isContinued: whether the session continues. The viewer has not watched what a new session lists of that time.
    package func watchedFrom(leftAt: Duration?, isContinued: Bool) -> Duration? {
        guard let playhead else { return nil }
        let saved = isContinued ? playedSince.map { playhead - $0 } : nil
        let left = min(leftAt ?? saved ?? playhead, playhead)
        return playhead - left <= Self.longestGap ? left : playhead
    }
}

/// Refusals that mean something to an agent, each with the SQLSTATE of the store.
package enum StoreRefusal: String, Hashable, Sendable {
    case fenced = "TF001"
    /// The store does not admit the protocol of this agent.
    case protocolUnknown = "TF003"
    /// The server cannot promise that a commit is durable.
    case notDurable = "TF004"
    case observing = "TF005"
    case nameInUse = "TF006"
    /// Another server than that of the fleet: a promoted or restored one.
    case otherServer = "TF007"

    /// Whether the agent has to stop.
    package var isFinal: Bool { self == .protocolUnknown || self == .nameInUse || self == .otherServer }
}
