import HLS
import Ports

extension DAIMediaIDs.Placed {
    /// What is wrong with these breaks, and with ids that have no meaning.
    /// A break that the viewer has not left, or of which segments are still to be read, may still get its ads.
    func findings(of breaks: Set<String>, loose: Set<String>, on stream: StreamFacts) -> [Finding] {
        let ended = answer.breaks.filter { adBreak in
            guard let date = stream.playhead, let start = adBreak.date, let length = adBreak.length else {
                return false
            }
            let end = start + length.asSeconds
            return end < date && stream.reading.isRead(to: end)
        }
        let endedIDs = Set(ended.compactMap(\.id))
        func isOf(_ finding: Finding, _ breaks: Set<String>) -> Bool {
            breaks.contains { finding.path == $0 || finding.path?.hasPrefix("\($0)/") == true }
        }
        let found = answer.findings.filter { finding in
            guard finding.rule == ProviderRule.joinedMidAd.rawValue else { return isOf(finding, breaks) }
            // Segments may be answered out of order: the start may still come. Where the stream was joined, nothing is missing.
            return isOf(finding, endedIDs) && finding.path != joined
        }
        return found + fewer.filter { isOf($0, endedIDs) }
            + self.loose.filter { loose.contains($0.id) }.map(\.finding)
    }

    /// Gives ids that have no meaning to the break that they are in, or to one of their own.
    mutating func placeLoose() {
        for entry in loose where entry.isSettled {
            guard let url = entry.url else { continue }
            answer.breaks.add(verifying: url, of: entry.id, at: entry.at)
        }
    }
}

extension [ListedBreak] {
    /// What is due at a time gets its address from an id in the media, and is the same event before.
    fileprivate mutating func awaitMedia() {
        for adBreak in indices {
            for ad in self[adBreak].ads.indices {
                for event in self[adBreak].ads[ad].events.indices
                where self[adBreak].ads[ad].events[event].type.eventClass == .time {
                    self[adBreak].ads[ad].events[event].isVerification = true
                }
            }
        }
    }

    /// Adds the verification of an id that is no event of an ad to the break that it is in, or to one of its own.
    fileprivate mutating func add(verifying url: String, of id: String, at moment: MediaMoment) {
        let index = firstIndex { adBreak in
            let start = moment.isDated ? adBreak.date.map { MediaMoment($0).seconds } : adBreak.start
            guard let start, let length = adBreak.length else { return false }
            let distance = moment.seconds.minus(start)
            return !distance.isNegative && distance <= length
        }
        if let index {
            let start = moment.isDated ? self[index].date.map { MediaMoment($0).seconds } : self[index].start
            let offset = moment.seconds.minus(start ?? self[index].start)
            self[index].events.append(ListedEvent(verifying: url, at: offset))
        } else {
            var own = ListedBreak(id: id, start: moment.seconds, told: .zero, date: moment.date)
            own.events = [ListedEvent(verifying: url, at: .zero)]
            append(own)
        }
    }
}

extension DAIMediaIDs {
    /// Largest distance between an id and the event of a programme that it verifies, in seconds.
    private static let near = ExactDecimal(1).quarters(2)

    /// The id that an address of this session verifies.
    func id(in url: String) -> String? {
        guard let prefix = verification?.text, url.hasPrefix(prefix) else { return nil }
        return String(url.dropFirst(prefix.count))
    }

    /// A recorded programme, in which each id verifies the event nearest to it, at most 0.5 s away, else no ad's (PRV-46).
    func verifying(_ programme: ListedAnswer, on stream: StreamFacts) -> ListedAnswer {
        var answer = programme
        answer.breaks = ListedPlacement(timeline: stream.knownTimeline).placed(programme.breaks)
        if verification != nil { answer.breaks.awaitMedia() }
        for entry in seen {
            guard let url = url(of: entry.id) else { continue }
            if let place = Self.event(near: entry.at, in: answer.breaks) {
                answer.breaks[place.adBreak].ads[place.ad].events[place.event].urls = [url]
                answer.breaks[place.adBreak].ads[place.ad].events[place.event].verifiesMedia()
            } else {
                answer.breaks.add(verifying: url, of: entry.id, at: entry.at)
            }
        }
        return answer
    }

    private struct Place {
        var adBreak: Int
        var ad: Int
        var event: Int
    }

    /// The nearest event that has no id yet.
    private static func event(near moment: MediaMoment, in breaks: [ListedBreak]) -> Place? {
        var nearest: (place: Place, distance: ExactDecimal)?
        for (index, adBreak) in breaks.enumerated() {
            for (number, ad) in adBreak.ads.enumerated() {
                let start = moment.isDated ? ad.date.map { MediaMoment($0).seconds } : ad.start
                guard let start else { continue }
                for (position, event) in ad.events.enumerated() where event.urls.isEmpty {
                    guard let offset = event.offset(inLength: ad.length) else { continue }
                    let distance = start.plus(offset).distance(to: moment.seconds)
                    guard distance <= near, nearest.map({ distance < $0.distance }) ?? true else { continue }
                    nearest = (Place(adBreak: index, ad: number, event: position), distance)
                }
            }
        }
        return nearest?.place
    }
}
