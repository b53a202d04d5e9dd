/// A node of the tree by the ids that stay the same over polls: the selection survives whatever moves around it.
package struct NodePath: Hashable, Sendable {
    /// Id of the break.
    package var breakID: String
    /// Id of the ad in the break; nil for the break itself.
    package var adID: String?
    /// Id of the event in the ad; nil for the ad itself.
    package var eventID: String?

    /// A break, one of its ads, or one of the ad's events.
    package init(breakID: String, adID: String? = nil, eventID: String? = nil) {
        self.breakID = breakID
        self.adID = adID
        self.eventID = adID == nil ? nil : eventID
    }

    /// 0 for a break, 1 for an ad, 2 for an event.
    package var depth: Int { adID == nil ? 0 : eventID == nil ? 1 : 2 }

    /// The node above, nil for a break.
    package var parent: NodePath? {
        switch depth {
        case 0: nil
        case 1: NodePath(breakID: breakID)
        default: NodePath(breakID: breakID, adID: adID)
        }
    }
}
