/// A call of an agent to the store: one transaction each.
package enum StoreCall: Hashable, Sendable {
    /// Begins an incarnation. `place` is the state folder that its process has locked.
    case start(name: String, place: String)
    case beat(agent: Int)
    case take(agent: Int, count: Int)
    /// What was claimed of viewers that the agent owns (FLT-5).
    case claims(agent: Int, viewers: [Int])
    case owned(agent: Int)
    case claim(agent: Int, requests: [ClaimRequest])
    case outcomes([StoredClaim])
    case give(agent: Int, viewers: [ViewerEpoch])
    /// Where playheads are, in media time; written only by the owner in its epoch.
    case playheads(agent: Int, heads: [ViewerEpoch: Duration])
    /// Ends the incarnation in order: its viewers are free at once.
    case end(agent: Int)
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
    case started(agent: Int)
    case beat(Beat)
    case taken([TakenViewer])
    case claims([StoredClaim])
    case owned([ViewerEpoch])
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
        package var playhead: Duration?

        package init(id: ViewerEpoch, dueFrom: Duration?, playhead: Duration?) {
            self.id = id
            self.dueFrom = dueFrom
            self.playhead = playhead
        }
    }
}

/// Refusals that mean something to an agent, each with the SQLSTATE of the store.
package enum StoreRefusal: String, Hashable, Sendable {
    case fenced = "TF001"
    case observing = "TF005"
    case nameInUse = "TF006"
}
