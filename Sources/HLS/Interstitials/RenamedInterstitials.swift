import Ports

/// The showings that the newest playlist lists under another ID than it did before: instances of a server name one interstitial in
/// their own ways, although the ID of a range never changes (rfc8216bis-22 section 4.4.5.1). One showing plays once, and its assets,
/// which may be an ad decision, are requested once. And an ID that comes again when its showing is over is that of another one.
struct RenamedInterstitials {
    /// What plays, and when.
    private struct Showing: Hashable {
        var start: UnixTime
        /// The URL without the ID that packagers write into it (appendix D).
        var asset: String

        init?(_ interstitial: Interstitial) {
            guard let start = interstitial.start, let url = interstitial.assetList ?? interstitial.assetURI else {
                return nil
            }
            var reference = URIReference(url)
            var items = QueryItems(reference.query.map(String.init))
            items.removeAll(named: "_HLS_interstitial_id")
            reference.query = items.text.map { Substring($0) }
            (self.start, asset) = (start, reference.text)
        }
    }

    /// By the ID in the newest playlist: the ID under which the showing is known.
    private var known: [String: String] = [:]

    /// Compares the tags of a new playlist with the interstitials that are known. What a playlist lists side by side are
    /// different showings.
    init(_ tags: [Interstitial], among entries: [TrackedInterstitial]) {
        guard !tags.isEmpty, !entries.isEmpty else { return }
        let ids = Dictionary(entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tag in tags {
            guard let index = ids[tag.id], let other = Self.anotherID(of: tag, than: entries[index]) else { continue }
            if ids[other] != nil || entries[index].isOver(before: tag.start) { known[tag.id] = other }
        }
        let new = tags.filter { ids[$0.id] == nil }
        guard !new.isEmpty else { return }
        let listed = Set(tags.map(\.id))
        var free: [Showing: String] = [:]
        for entry in entries where !listed.contains(entry.id) {
            if let showing = Showing(entry.definition), free[showing] == nil { free[showing] = entry.id }
        }
        for tag in new where !free.isEmpty {
            if let showing = Showing(tag), let id = free.removeValue(forKey: showing) { known[tag.id] = id }
        }
    }

    /// The ID of a showing whose ID is that of an earlier one; nil where it has the date of that one.
    private static func anotherID(of tag: Interstitial, than known: TrackedInterstitial) -> String? {
        guard let start = tag.start, start != known.definition.start else { return nil }
        return "\(tag.id)@\(start.milliseconds)"
    }

    /// The ID under which the showing of a tag is known.
    subscript(id: String) -> String { known[id] ?? id }
}

extension TrackedInterstitial {
    /// Whether it was played, has left the playlist, and ended before `date`: its ID may then be that of another one.
    fileprivate func isOver(before date: UnixTime?) -> Bool {
        guard !isListed, play?.back != nil, let date, let start = definition.start else { return false }
        return start + (end ?? .zero) < date
    }
}
