import Ports

/// What becomes of the URLs of an event that documents list with others.
extension Ledger {
    /// Unlisted URLs of an event that are kept as a record; of more the newest.
    static let unlistedKept = DecodedMetadata.urlsPerEvent

    /// The newest document lists an event with those URLs.
    /// - Parameter isInPlace: whether the event has hardly moved.
    mutating func refresh(_ event: EventID, with urls: [String], isInPlace: Bool) {
        guard var entry = entries[event] else { return }
        var slots = entry.delivery.urls
        var released: [URLDelivery] = []
        // The match refers to listed slots only.
        let listed = slots.indices.filter { slots[$0].isListed }
        let match = URLMatch(
            old: listed.map { slots[$0].url }, new: urls, oldKey: { key(of: slots[listed[$0]]) },
            newKey: { Fingerprint(type: entry.key.type, url: urls[$0], without: busters) })
        for (old, _) in match.kept { slots[listed[old]].replacement = nil }
        for (old, new) in match.renewed + match.replaced where !Fingerprint.isExact(entry.key.type) {
            changes.replaced.append((event, slots[listed[old]].url, urls[new], isInPlace))
        }
        for (old, new) in match.renewed where !replace(&slots[listed[old]], by: urls[new], of: event) {
            slots[listed[old]].renew(as: urls[new])
        }
        for (old, new) in match.replaced where !replace(&slots[listed[old]], by: urls[new], of: event) {
            released.append(slots[listed[old]])
            slots[listed[old]] = adopt(urls[new], of: event, entry, inPlaceOf: slots[listed[old]])
        }
        for old in match.removed {
            slots[listed[old]].isListed = false
            unlist(slots[listed[old]])
        }
        for new in match.added where !relist(urls[new], among: &slots, of: entry) {
            slots.append(adopt(urls[new], of: event, entry))
        }
        released += Self.takeSurplus(of: &slots)
        let before = entry.delivery.state
        entry.delivery.urls = slots
        entries[event] = entry
        count(before, by: -1)
        count(entry.delivery.state, by: 1)
        for slot in released { release(slot, of: event) }
    }

    /// The newest document lists a URL in the place of another. One that was claimed stays as it was sent.
    /// - Returns: whether it was claimed.
    private mutating func replace(_ slot: inout URLDelivery, by url: String, of event: EventID) -> Bool {
        guard slot.state != .planned, slot.state != .skipped else { return false }
        slot.replacement = url
        unlist(slot)
        if changes.isPage { changes.left.insert(event) }
        return true
    }

    /// A URL that a document left out is listed again: what became of its beacon holds.
    /// - Returns: whether there is such a URL.
    private mutating func relist(_ url: String, among slots: inout [URLDelivery], of entry: Entry) -> Bool {
        let unlisted = slots.indices.filter { !slots[$0].isListed && slots[$0].insertion != Insertion.none }
        guard !unlisted.isEmpty else { return false }
        let key = Fingerprint(type: entry.key.type, url: url, without: busters)
        guard let index = unlisted.last(where: { self.key(of: slots[$0]) == key }) else { return false }
        slots[index].isListed = true
        insertions[slots[index].insertion].listedSince = documents &+ 1
        changes.groups.insert(key)
        guard slots[index].url != url else {
            slots[index].replacement = nil
            return true
        }
        if slots[index].state == .skipped {
            slots[index].renew(as: url)
        } else {
            slots[index].replacement = url
        }
        return true
    }

    /// Takes out unlisted URLs that are still planned, and the oldest finished ones where there are more than ``unlistedKept``.
    private static func takeSurplus(of slots: inout [URLDelivery]) -> [URLDelivery] {
        let unlisted = slots.count { !$0.isListed && $0.state != .planned }
        var surplus = max(0, unlisted - unlistedKept)
        var taken: [URLDelivery] = []
        slots.removeAll { slot in
            guard !slot.isListed else { return false }
            if slot.state != .planned {
                guard surplus > 0, !slot.state.isUnderWay else { return false }
                surplus -= 1
            }
            taken.append(slot)
            return true
        }
        return taken
    }

    /// The beacon of a slot; nil where it has none of its own.
    private func key(of slot: URLDelivery) -> Fingerprint? {
        slot.insertion == Insertion.none ? nil : insertions.key(of: slot.insertion)
    }

    /// A slot for a URL of an event. A URL that the event has already is a duplicate.
    /// - Parameter former: the slot whose place it takes.
    mutating func adopt(
        _ url: String, of event: EventID, _ entry: Entry, inPlaceOf former: URLDelivery? = nil
    ) -> URLDelivery {
        var slot = URLDelivery(url: url)
        if entry.delivery.urls.contains(where: { $0.url == url && $0.reason != .duplicate }) {
            (slot.state, slot.reason) = (.skipped, .duplicate)
        } else if entry.isIdentified {
            slot.insertion = insertion(for: url, of: event, entry)
        }
        if let judged = former?.reason ?? former?.judged { slot.judged = judged }
        return slot
    }
}

extension URLDelivery {
    /// The same beacon has another value of a cache buster. If it was skipped, it is judged again: hosts that take turns may be allowed
    /// one by one.
    fileprivate mutating func renew(as url: String) {
        become(url)
        guard state == .skipped else { return }
        judged = reason
        (state, reason, filled) = (.planned, nil, nil)
    }
}

extension DeliveryState {
    /// Whether its request is claimed and has no last answer.
    fileprivate var isUnderWay: Bool {
        switch self {
        case .claimed, .sent, .waiting: true
        case .planned, .skipped, .observed, .unknown, .acknowledged, .rejected, .failed: false
        }
    }
}
