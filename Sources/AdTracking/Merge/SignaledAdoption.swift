import Ports

/// Metadata that arrives after the date ranges describe ads that are known: they stay the same, and so do their events and what was sent
/// of them (TRK-29).
extension BreakBook {
    /// An ad of the document that is known from date ranges alone.
    private struct Adoption {
        /// Its break in the document.
        var number: Int
        var ad: Ad
        var place: MergeReport.AdPlace
    }

    /// What date ranges call an ad.
    private struct SignaledName: Hashable {
        var adBreak: String
        var ad: String?
        var start: UnixTime
    }

    /// Known ads that only date ranges described become those of the metadata that lists them, or their break, now.
    /// - Parameter document: metadata with what the date ranges add.
    mutating func adopt(from document: DecodedMetadata, _ report: inout MergeReport) {
        let adoptions = adoptions(from: document)
        guard !adoptions.isEmpty else { return }
        var targets = matches(document)
        for adoption in adoptions {
            let target = targets[adoption.number]
            if target == adoption.place.breakID, adoption.ad.signaled?.isAlone == true { continue }
            targets[adoption.number] = adopt(adoption, into: target, like: document.breaks[adoption.number], &report)
        }
        let before = breaks.count
        breaks.removeAll { $0.source == .signaling && $0.ads.isEmpty }
        nodeCount -= before - breaks.count
        breaks = breaks.sortedStably { $0.start < $1.start }
        findPlaces()
        newest = nil
    }

    private func adoptions(from document: DecodedMetadata) -> [Adoption] {
        var alone: [SignaledName: MergeReport.AdPlace] = [:]
        for adBreak in breaks where adBreak.presence != .vanished && adBreak.track == .primary {
            for ad in adBreak.presentAds {
                let name: String
                if adBreak.source == .signaling {
                    name = adBreak.name.given ?? ""
                } else {
                    guard let signaled = ad.ad.signaled, signaled.isAlone else { continue }
                    name = signaled.breakName
                }
                alone[SignaledName(adBreak: name, ad: ad.ad.name, start: ad.start)] =
                    MergeReport.AdPlace(breakID: adBreak.id, adID: ad.id)
            }
        }
        guard !alone.isEmpty else { return [] }
        var adoptions: [Adoption] = []
        for (number, adBreak) in document.breaks.enumerated() {
            for ad in adBreak.ads {
                guard let signaled = ad.signaled else { continue }
                let name = SignaledName(adBreak: signaled.breakName, ad: signaled.name, start: signaled.start)
                guard let place = alone.removeValue(forKey: name) else { continue }
                adoptions.append(Adoption(number: number, ad: ad, place: place))
            }
        }
        return adoptions
    }

    /// - Parameters:
    ///   - target: the known break that the document describes; nil for a new one.
    ///   - new: that break in the document.
    /// - Returns: the known break that it describes now.
    private mutating func adopt(
        _ adoption: Adoption, into target: BreakID?, like new: AdBreak, _ report: inout MergeReport
    ) -> BreakID? {
        guard let from = index(of: adoption.place.breakID),
            let place = breaks[from].ads.firstIndex(where: { $0.id == adoption.place.adID })
        else { return target }
        if let target, self[target]?.lists(adoption.ad, besides: adoption.place.adID) == true { return target }
        let home = target ?? home(for: new, insteadOf: from, &report)
        guard let to = index(of: home) else { return target }
        var known = breaks[from].ads.remove(at: place)
        known.become(adoption.ad)
        breaks[to].ads.append(known)
        breaks[to].ads = breaks[to].ads.sortedStably { $0.start < $1.start }
        report.adopted.insert(known.id)
        report.ads.append(MergeReport.AdPlace(breakID: home, adID: known.id))
        report.note(.added, .ad(known.id), of: home, known.subject)
        return home
    }

    /// The known break of a new one in a document: that of the date ranges, unless it is that of another one already.
    private mutating func home(for new: AdBreak, insteadOf index: Int, _ report: inout MergeReport) -> BreakID {
        let name = new.name.map(NodeName.given) ?? .synthesized(start: new.start, index: 0)
        if breaks[index].source == .signaling {
            breaks[index].source = new.source
            breaks[index].name = name
            (breaks[index].start, breaks[index].duration) = (new.start, new.duration)
            report.note(.added, .adBreak, of: breaks[index].id, breaks[index].subject)
            return breaks[index].id
        }
        let adBreak = KnownBreak(
            id: nextBreakID(), name: name, start: new.start, duration: new.duration, source: new.source,
            track: new.track, presence: .present, extras: new.extras, listedStart: new.listedStart, ads: [])
        breaks.append(adBreak)
        nodeCount += 1
        findPlaces()
        report.note(.added, .adBreak, of: adBreak.id, adBreak.subject)
        return adBreak.id
    }
}

extension KnownBreak {
    /// Whether it has an ad of a document already, known from another one.
    fileprivate func lists(_ new: Ad, besides id: AdID) -> Bool {
        ads.contains { ad in
            guard ad.id != id, ad.ad.signaled?.isAlone != true else { return false }
            return ad.name.given == new.name
                && (ad.start - new.start).magnitude <= (new.name == nil ? .zero : NodeMatch.moveTolerance)
        }
    }
}

extension KnownAd {
    /// Takes the name and place of an ad in a document, so that it is found there, and for its events the names of those with the same
    /// beacons.
    fileprivate mutating func become(_ new: Ad) {
        name = new.name.map(NodeName.given) ?? .synthesized(start: new.start, index: 0)
        firstStart = new.start
        (ad.name, ad.start, ad.duration) = (new.name, new.start, new.duration)
        for index in events.indices {
            let event = events[index].event
            let same = new.events.first {
                $0.type == event.type && $0.type != .unknown && !Set($0.urls).isDisjoint(with: event.urls)
            }
            if let same { events[index].event.rawName = same.rawName }
        }
    }
}
