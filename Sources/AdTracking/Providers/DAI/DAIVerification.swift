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
            guard let path = finding.path else { return false }
            // Ids may have slashes themselves.
            return breaks.contains(path)
                || path.indices.contains { path[$0] == "/" && breaks.contains(String(path[..<$0])) }
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
        let settled = loose.filter { $0.isSettled && $0.url != nil }
        guard !settled.isEmpty else { return }
        var placement = LoosePlacement(of: settled.map(\.at), in: answer.breaks)
        for (index, entry) in settled.enumerated() {
            guard let url = entry.url else { continue }
            placement.add(verifying: url, of: entry.id, numbered: index, to: &answer.breaks)
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
        guard verification != nil else { return answer }
        answer.breaks.awaitMedia()
        var events = EventPlaces(answer.breaks, near: Self.near)
        var loose: [(id: String, url: String, at: MediaMoment)] = []
        for entry in seen {
            guard let url = url(of: entry.id) else { continue }
            let place = events.takeNearest(to: entry.at)
            guard !isVerified(entry.id) else { continue }
            if let place {
                answer.breaks[place.adBreak].ads[place.ad].events[place.event].urls = [url]
                answer.breaks[place.adBreak].ads[place.ad].events[place.event].verifiesMedia()
            } else {
                loose.append((entry.id, url, entry.at))
            }
        }
        var placement = LoosePlacement(of: loose.map(\.at), in: answer.breaks)
        for (index, entry) in loose.enumerated() {
            placement.add(verifying: entry.url, of: entry.id, numbered: index, to: &answer.breaks)
        }
        return answer
    }
}

/// What another process needs to continue the session (FLT-15). What was verified in the session itself is known from its claims.
extension DAIMediaIDs {
    /// Most bytes of ids that are handed on: older ones are of media that the viewer has left behind.
    private static let memoryBytes = 16_384

    /// The ids that former sessions of the viewer verified, the newest if they are too many; nil without any.
    var memory: JSONValue? {
        var left = Self.memoryBytes
        let newest = verified.keys.reversed().prefix { id in
            left -= id.utf8.count
            return left >= 0
        }
        return newest.isEmpty ? nil : ["verified": .array(newest.reversed().map { .string($0) })]
    }

    /// Takes what another process remembered of the session.
    mutating func recall(_ memory: JSONValue) {
        let ids = (memory["verified"]?.arrayValue ?? []).compactMap(\.stringValue)
        for id in ids.prefix(Self.limit) where id.utf8.count <= Self.longestID { verified.note(true, for: id) }
    }
}
