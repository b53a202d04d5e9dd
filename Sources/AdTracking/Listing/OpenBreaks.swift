import HLS
import Ports

/// Breaks that may still grow, so that what they report at their end waits (PRV-25): the answer that lists one may be the only one
/// (PRV-9).
struct OpenBreaks: Hashable, Sendable {
    /// Most breaks that are remembered; the oldest are forgotten.
    private static let limit = 100

    private var breaks: [ListedBreak] = []
    /// What the newest answer lists, and what became due since.
    private var listed: [AdBreak] = []
    /// Where the playlist ended when ends were last looked for.
    private var lookedUntil: UnixTime?

    var isEmpty: Bool { breaks.isEmpty }

    /// Takes the breaks of an answer.
    /// - Returns: them, and what earlier ones that do not grow any more report at their ends, by start.
    mutating func take(_ placed: [ListedBreak], on stream: StreamFacts) -> [AdBreak] {
        let edge = ListedEdge(stream)
        let match = OpenBreakMatch(placed, in: breaks)
        let known = match.replaced.union(match.partners.compactMap(\.self))
        var waiting = breaks.indices.filter { !known.contains($0) }.map { breaks[$0] }
        listed = []
        for (new, partner) in zip(placed, match.partners) {
            guard let adBreak = AdBreak(new, listedUntil: edge) else { continue }
            listed.append(adBreak)
            if new.hasEnd {
                if Self.end(of: new, listedUntil: edge) == nil { waiting.append(new) }
            } else if let partner {
                waiting.append(Self.merged(breaks[partner], new))
            }
        }
        breaks = Array(waiting.suffix(Self.limit))
        close(until: edge, on: stream)
        return listed
    }

    /// The newest answer once more, with what breaks report at their ends which the playlist has passed since: the next one may come when that
    /// was played. Nil where there is nothing new.
    mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        guard !breaks.isEmpty, stream.timeline.playlist != nil else { return nil }
        let date = stream.timeline.window?.endDate
        guard stream.timeline.hasEnded || date != nil && date != lookedUntil else { return nil }
        let (count, edge) = (breaks.count, ListedEdge(stream))
        close(until: edge, on: stream)
        guard breaks.count < count else { return nil }
        var document = DecodedMetadata(breaks: listed)
        (document.keepsUnlisted, document.settledUntil) = (true, edge?.settled)
        return .media(document)
    }

    /// Lists the ends of the breaks that do not grow any more, and forgets these. Only what is due at their ends: their ads may be listed
    /// under other names by now, and two of one URL in one document are two showings.
    private mutating func close(until edge: ListedEdge?, on stream: StreamFacts) {
        lookedUntil = stream.timeline.window?.endDate
        var open: [ListedBreak] = []
        for adBreak in breaks {
            guard let end = Self.end(of: adBreak, listedUntil: edge) else {
                open.append(adBreak)
                continue
            }
            listed.add(end)
        }
        breaks = open
        listed = listed.sortedStably { $0.start < $1.start }
    }

    /// An open break with what a newer answer lists of it (PRV-9).
    private static func merged(_ open: ListedBreak, _ new: ListedBreak) -> ListedBreak {
        // Which one it is is known, whatever the ids.
        var (known, listed) = (open, new)
        (known.id, known.name, listed.id, listed.name) = ("-", nil, "-", nil)
        var merge = ListingMerge(into: [known])
        merge.add([listed])
        var merged = merge.sorted.first ?? known
        (merged.id, merged.name) = (new.id, new.name)
        return merged
    }

    /// The break with nothing but what it reports at its end, and the ad that this belongs to; nil while it may grow.
    private static func end(of listed: ListedBreak, listedUntil edge: ListedEdge?) -> AdBreak? {
        var listed = listed
        for index in listed.ads.indices { listed.ads[index].events.removeAll { $0.type.waitsForEnd } }
        guard var end = AdBreak(listed, listedUntil: edge) else { return nil }
        for index in end.ads.indices { end.ads[index].events.removeAll { !$0.type.waitsForEnd } }
        end.ads.removeAll(where: \.events.isEmpty)
        return end.ads.isEmpty ? nil : end
    }
}

extension [AdBreak] {
    /// Adds the end of a break, to the same break if it is there.
    fileprivate mutating func add(_ end: AdBreak) {
        guard let index = firstIndex(where: { $0.name == end.name && $0.start == end.start }) else {
            return append(end)
        }
        for ad in end.ads {
            if let known = self[index].ads.firstIndex(where: { $0.name == ad.name && $0.start == ad.start }) {
                self[index].ads[known].events += ad.events
            } else {
                self[index].ads.append(ad)
            }
        }
        self[index].ads = self[index].ads.sortedStably { $0.start < $1.start }
    }
}

extension EventType {
    /// Whether it is at the start of a break.
    var opensBreak: Bool { self == .breakStart || self == .podStart }

    /// Whether it is at the end of a break, and so waits until that is known.
    package var waitsForEnd: Bool { self == .breakEnd || self == .podEnd }
}
