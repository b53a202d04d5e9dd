/// A node of the tree by the ids that stay the same over polls: the selection survives whatever moves around it.
package struct NodePath: Hashable, Sendable {
    /// Id of the break.
    package var breakID: String
    /// Id of the ad in the break; nil for the break itself.
    package var adID: String?
    /// Id of the event in the ad; nil for the ad itself.
    package var eventID: String?
    /// Whether it is the row that folds the events of an ad which playback does not send.
    package var isViewerActions = false

    /// The row that folds the breaks before the join. Ids of breaks are never empty.
    package static let earlier = NodePath(breakID: "")

    /// A break, one of its ads, or one of the ad's events.
    package init(breakID: String, adID: String? = nil, eventID: String? = nil) {
        self.breakID = breakID
        self.adID = adID
        self.eventID = adID == nil ? nil : eventID
    }

    /// 0 for a break, 1 for an ad, 2 for an event.
    package var depth: Int { adID == nil ? 0 : eventID == nil && !isViewerActions ? 1 : 2 }

    /// The row that folds what only the viewer triggers in an ad.
    package static func viewerActions(ofAd ad: String, in breakID: String) -> NodePath {
        var path = NodePath(breakID: breakID, adID: ad)
        path.isViewerActions = true
        return path
    }

    /// The node above, nil for a break.
    package var parent: NodePath? {
        switch depth {
        case 0: nil
        case 1: NodePath(breakID: breakID)
        default: NodePath(breakID: breakID, adID: adID)
        }
    }
}
