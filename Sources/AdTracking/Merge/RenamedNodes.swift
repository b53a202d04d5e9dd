import Ports

/// A server that changes its ids with each answer adds a tombstone of every ad with each poll. A tombstone under which nothing
/// was sent, and whose beacons the newest document lists under other names, is of no use to a reader. It is removed at once, not
/// after the retention.
extension BreakBook {
    /// Removes vanished ads whose events were all renamed, and vanished breaks that lose their last ad by that. What a page does not list
    /// is not vanished, but what it lists under another name is.
    /// - Parameter isRenamed: whether the document lists an absent event under another name.
    /// - Returns: the events of the removed ads.
    mutating func removeRenamed(_ report: MergeReport, _ isRenamed: (EventID) -> Bool) -> [EventID] {
        let touched = Set(report.ads.map(\.breakID))
        var removed: [EventID] = []
        var emptied: Set<BreakID> = []
        func isAbsent(_ presence: Presence) -> Bool {
            presence == .vanished || report.isPage && presence == .outsideRange
        }
        for index in breaks.indices where touched.contains(breaks[index].id) {
            let isGone = isAbsent(breaks[index].presence)
            guard isGone || breaks[index].ads.contains(where: { isAbsent($0.presence) }) else { continue }
            breaks[index].ads.removeAll { ad in
                guard isGone || isAbsent(ad.presence), ad.eventCount > 0,
                    ad.eventIDs.allSatisfy(isRenamed)
                else { return false }
                removed += ad.eventIDs
                nodeCount -= ad.nodeCount
                return true
            }
            if isGone, breaks[index].ads.isEmpty { emptied.insert(breaks[index].id) }
        }
        guard !removed.isEmpty else { return [] }
        breaks.removeAll { emptied.contains($0.id) }
        nodeCount -= emptied.count
        findPlaces()
        return removed
    }
}

extension Ledger {
    /// Whether the newest document does not list an event, but all its beacons under other names, and nothing was claimed
    /// under this one.
    func isRenamed(_ event: EventID) -> Bool {
        guard let entry = entries[event], !entry.placement.isPresent else { return false }
        return entry.delivery.urls.allSatisfy { slot in
            guard slot.insertion != Insertion.none else { return slot.reason == .duplicate }
            return (slot.state == .planned || slot.reason == .duplicate) && isPresent(slot.insertion)
        }
    }
}
