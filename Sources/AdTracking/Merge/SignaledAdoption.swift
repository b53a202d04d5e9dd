import Algorithms
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
        let known = adoptions(from: document)
        guard !known.isEmpty else { return }
        let targets = matches(document)
        let adoptions = moving(known, into: targets)
        guard !adoptions.isEmpty else { return }
        var ads = takeOut(adoptions.map(\.place))
        for (number, group) in adoptions.chunked(on: \.number) {
            let target = targets[number].flatMap { index(of: $0) }
            guard let former = group.first.flatMap({ index(of: $0.place.breakID) }) else { continue }
            let home = target ?? home(for: document.breaks[number], insteadOf: former, &report)
            for adoption in group {
                guard var ad = ads.removeValue(forKey: adoption.place.adID) else { continue }
                ad.become(adoption.ad)
                breaks[home].ads.append(ad)
                report.adopted.insert(ad.id)
                report.ads.append(MergeReport.AdPlace(breakID: breaks[home].id, adID: ad.id))
                report.note(.added, .ad(ad.id), of: breaks[home].id, ad.subject)
            }
            breaks[home].ads = breaks[home].ads.sortedStably { $0.start < $1.start }
        }
        let before = breaks.count
        breaks.removeAll { $0.source == .signaling && $0.ads.isEmpty }
        nodeCount -= before - breaks.count
        breaks = breaks.sortedStably { $0.start < $1.start }
        findPlaces()
        newest = nil
    }

    /// Takes what date ranges list for ads that the newest document no longer lists.
    mutating func describe(_ unlisted: [SignaledComposition.UnlistedAd]) -> MergeReport {
        var report = MergeReport()
        for entry in unlisted {
            guard let index = index(of: entry.place.breakID),
                let number = breaks[index].ads.firstIndex(where: { $0.id == entry.place.adID })
            else { continue }
            let adBreak = breaks[index]
            var known = adBreak.ads[number]
            // The document lists it after all, as another ad.
            guard adBreak.presence != .present || known.presence != .present else { continue }
            if let new = entry.ad {
                describe(&known, as: new, in: adBreak, &report)
            } else {
                known.presence = .vanished
                report.note(.vanished, .ad(known.id), of: adBreak.id, known.subject)
                report.ads.append(entry.place)
            }
            breaks[index].ads[number] = known
        }
        return report
    }

    private func adoptions(from document: DecodedMetadata) -> [Adoption] {
        var alone: [SignaledName: MergeReport.AdPlace] = [:]
        for adBreak in breaks where adBreak.presence != .vanished && adBreak.track == .primary {
            for ad in adBreak.presentAds {
                let name: String
                if adBreak.source == .signaling {
                    name = adBreak.name.given ?? ""
                } else {
                    guard let signaled = ad.details.signaled, signaled.isAlone else { continue }
                    name = signaled.breakName
                }
                alone[SignaledName(adBreak: name, ad: ad.details.name, start: ad.start)] =
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

    /// Without the ads that stay where they are, and those that their break has already, known from another one.
    /// - Parameter targets: for each break of the document the known one that it describes; nil for a new one.
    private func moving(_ adoptions: [Adoption], into targets: [BreakID?]) -> [Adoption] {
        var listed: [BreakID: ListedStarts] = [:]
        return adoptions.filter { adoption in
            guard let target = targets[adoption.number], let known = self[target] else { return true }
            if target == adoption.place.breakID, adoption.ad.signaled?.isAlone == true { return false }
            let starts = listed[target] ?? ListedStarts(known)
            listed[target] = starts
            return !starts.has(adoption.ad)
        }
    }

    private mutating func takeOut(_ places: [MergeReport.AdPlace]) -> [AdID: KnownAd] {
        var ads: [AdID: KnownAd] = [:]
        for (id, places) in Dictionary(grouping: places, by: \.breakID) {
            guard let index = index(of: id) else { continue }
            let leaving = Set(places.map(\.adID))
            for ad in breaks[index].ads where leaving.contains(ad.id) { ads[ad.id] = ad }
            breaks[index].ads.removeAll { leaving.contains($0.id) }
        }
        return ads
    }

    /// The index of the known break of a new one in a document: that of the date ranges, unless it is that of another one already.
    private mutating func home(for new: AdBreak, insteadOf index: Int, _ report: inout MergeReport) -> Int {
        let name = new.name.map(NodeName.given) ?? .synthesized(start: new.start, index: 0)
        if breaks[index].source == .signaling {
            breaks[index].source = new.source
            breaks[index].name = name
            (breaks[index].start, breaks[index].duration) = (new.start, new.duration)
            report.note(.added, .adBreak, of: breaks[index].id, breaks[index].subject)
            return index
        }
        let adBreak = KnownBreak(
            id: nextBreakID(), name: name, start: new.start, duration: new.duration, source: new.source,
            track: new.track, presence: .present, extras: new.extras, listedStart: new.listedStart, ads: [])
        breaks.append(adBreak)
        nodeCount += 1
        report.note(.added, .adBreak, of: adBreak.id, adBreak.subject)
        return breaks.count - 1
    }
}

/// When the ads of a known break start that the metadata lists, by name.
private struct ListedStarts {
    private let starts: [String?: [UnixTime]]

    init(_ adBreak: KnownBreak) {
        let listed = adBreak.ads.filter { $0.details.signaled?.isAlone != true }
        starts = Dictionary(grouping: listed, by: \.name.given).mapValues { $0.map(\.start).sorted() }
    }

    func has(_ ad: Ad) -> Bool {
        guard let starts = starts[ad.name] else { return false }
        let tolerance: Duration = ad.name == nil ? .zero : NodeMatch.moveTolerance
        let next = starts.partitioningIndex { $0 >= ad.start - tolerance }
        return next < starts.count && starts[next] <= ad.start + tolerance
    }
}

extension KnownAd {
    /// Takes the name and place of an ad in a document, so that it is found there, and for its events the names of those with the same
    /// beacons.
    fileprivate mutating func become(_ new: Ad) {
        name = new.name.map(NodeName.given) ?? .synthesized(start: new.start, index: 0)
        firstStart = new.start
        (ad.name, ad.start, ad.duration) = (new.name, new.start, new.duration)
        events = events.map { known in
            var known = known
            let event = known.event
            let same = new.events.first {
                $0.type == event.type && $0.type != .unknown && !Set($0.urls).isDisjoint(with: event.urls)
            }
            if let same { known.event.rawName = same.rawName }
            return known
        }
    }
}
