/// Room for new nodes once the book has reached its limit.
extension BreakBook {
    /// Removes what the newest document does not list, if the document would not fit otherwise: without this, breaks
    /// dated in the far future would fill the book for ever. What was sent of them is remembered by the ledger.
    ///
    /// Breaks go first, those furthest in the future before all others, then parts of listed breaks.
    /// - Parameter listed: known breaks that the document lists.
    mutating func makeRoom(for document: DecodedMetadata, listed: Set<BreakID>, _ report: inout MergeReport) {
        let new = document.breaks.reduce(0) { $0 + $1.nodeCount }
        guard nodeCount + new > Self.nodeLimit else { return }
        let renewed = breaks.lazy.filter { listed.contains($0.id) }.reduce(0) { $0 + $1.presentNodeCount }
        var excess = nodeCount + new - renewed - Self.nodeLimit
        var leaving: Set<BreakID> = []
        for adBreak in breaks.reversed() where adBreak.source == .metadata && !listed.contains(adBreak.id) {
            guard excess > 0 else { break }
            excess -= adBreak.nodeCount
            leaving.insert(adBreak.id)
        }
        remove(leaving, &report)
        guard excess > 0 else { return }
        for index in breaks.indices where listed.contains(breaks[index].id) {
            var adBreak = breaks[index]
            removeAbsentParts(of: &adBreak, &report)
            breaks[index] = adBreak
        }
    }

    private mutating func remove(_ leaving: Set<BreakID>, _ report: inout MergeReport) {
        guard !leaving.isEmpty else { return }
        for adBreak in breaks where leaving.contains(adBreak.id) {
            report.note(.expired, .adBreak, of: adBreak.id, adBreak.subject)
            report.removedEvents += adBreak.ads.flatMap(\.eventIDs)
            nodeCount -= adBreak.nodeCount
        }
        breaks.removeAll { leaving.contains($0.id) }
        findPlaces()
    }

    /// Removes the ads and events that the last document did not list.
    private mutating func removeAbsentParts(of adBreak: inout KnownBreak, _ report: inout MergeReport) {
        guard adBreak.nodeCount > adBreak.presentNodeCount else { return }
        nodeCount -= adBreak.nodeCount - adBreak.presentNodeCount
        for ad in adBreak.ads where ad.presence != .present {
            report.note(.expired, .ad(ad.id), of: adBreak.id, ad.subject)
            report.removedEvents += ad.eventIDs
        }
        adBreak.ads.removeAll { $0.presence != .present }
        for index in adBreak.ads.indices {
            report.removedEvents += adBreak.ads[index].events.filter { $0.presence != .present }.map(\.id)
            adBreak.ads[index].events.removeAll { $0.presence != .present }
        }
    }
}

extension KnownBreak {
    /// Number of nodes: the break, its ads and their events.
    fileprivate var nodeCount: Int { ads.reduce(1) { $0 + $1.nodeCount } }

    /// Number of nodes that the last document listed, the break included.
    fileprivate var presentNodeCount: Int {
        ads.reduce(1) { count, ad in
            ad.presence == .present ? count + 1 + ad.events.count { $0.presence == .present } : count
        }
    }
}
