import Ports

/// Registration and removal of events.
extension Ledger {
    /// Restores the beacons of a journal. A claim without an outcome becomes `unknown`: the beacon may have been
    /// counted, so it is sent again only when a person asks (TRK-13, TRK-26 X5). A beacon that was blocked before it
    /// was sent may still be sent. Known URLs that are still planned take the state from the journal: the journal may
    /// be opened late, after another process has released it.
    package mutating func restored(_ beacons: [RestoredBeacon]) {
        for beacon in beacons where beacon.outcome != .skipped {
            rounds.skip(to: beacon.round)
            let state = beacon.outcome ?? .unknown
            guard let owner = owners[beacon.key] else {
                archive.put(beacon.key, state: state, round: beacon.round)
                continue
            }
            _ = change(owner) { entry in
                guard let index = entry.delivery.urls.firstIndex(where: { $0.url == beacon.key.url }),
                    entry.delivery.urls[index].state == .planned
                else { return }
                entry.delivery.urls[index].state = state
                entry.delivery.urls[index].round = beacon.round
            }
            places[Fingerprint(placeOf: beacon.key)] = owner
        }
    }

    /// Reserves the capacity at once: growing step by step takes a third of the time to read a first document.
    mutating func reserve(_ more: Int) {
        entries.reserveCapacity(entries.count + more)
        owners.reserveCapacity(owners.count + more)
    }

    /// Registers a new event, or one whose URLs may have changed. `key` is used only for a new event.
    package mutating func register(
        _ event: EventID, key: EventKey, type: EventType, urls: [String], macros: BeaconMacros? = nil
    ) {
        guard entries[event] != nil else {
            var entry = Entry(key: key, type: type, delivery: EventDelivery(urls: []), macros: macros)
            entry.delivery.urls = urls.map { adopt($0, of: event, entry) }
            count(entry.delivery.state, by: 1)
            entries[event] = entry
            return
        }
        if macros != nil { entries[event]?.macros = macros }
        guard let old = entries[event]?.delivery.urls.filter(\.isListed).map(\.url), old != urls else { return }
        refresh(event, URLMatch(old: old, new: urls), urls)
    }

    /// Removes expired events; the state of beacons that were sent is archived.
    package mutating func remove(_ events: [EventID]) {
        for event in events {
            guard let entry = entries.removeValue(forKey: event) else { continue }
            count(entry.delivery.state, by: -1)
            for slot in entry.delivery.urls {
                let key = URLKey(event: entry.key, url: slot.url)
                guard owners[key] == event else { continue }
                owners[key] = nil
                let place = Fingerprint(placeOf: key)
                if places[place] == event { places[place] = nil }
                switch slot.state {
                case .planned, .skipped, .observed: break
                case .claimed, .sent, .waiting: archive.put(key, state: .unknown, round: slot.round)
                case .acknowledged, .rejected, .failed, .unknown: archive.put(key, state: slot.state, round: slot.round)
                }
            }
        }
    }

    private mutating func refresh(_ event: EventID, _ match: URLMatch, _ urls: [String]) {
        guard var entry = entries[event] else { return }
        var slots = entry.delivery.urls
        // The match refers to listed slots only.
        let listed = slots.indices.filter { slots[$0].isListed }
        for (old, new) in match.replaced {
            let index = listed[old]
            guard slots[index].state == .planned || slots[index].state == .skipped else { continue }
            disown(slots[index], of: event, key: entry.key)
            slots[index] = adopt(urls[new], of: event, entry)
        }
        for old in match.removed { slots[listed[old]].isListed = false }
        for new in match.added { slots.append(adopt(urls[new], of: event, entry)) }
        for slot in slots where !slot.isListed && slot.state == .planned { disown(slot, of: event, key: entry.key) }
        slots.removeAll { !$0.isListed && $0.state == .planned }
        let before = entry.delivery.state
        entry.delivery.urls = slots
        entries[event] = entry
        count(before, by: -1)
        count(entry.delivery.state, by: 1)
    }

    /// A slot for the URL, with the archived state of its identity.
    private mutating func adopt(_ url: String, of event: EventID, _ entry: Entry) -> URLDelivery {
        var slot = URLDelivery(url: url)
        let urlKey = URLKey(event: entry.key, url: url)
        if let owner = owners.updateValue(event, forKey: urlKey) {
            owners[urlKey] = owner
            slot.state = .skipped
            slot.reason = .duplicate
            return slot
        }
        guard !archive.isEmpty else { return slot }
        let place = Fingerprint(placeOf: urlKey)
        let namesake = entry.hasOwnPlace ? archive.namesake(at: place, start: urlKey.event.start) : nil
        if let known = archive.take(urlKey) ?? namesake {
            slot.state = known.state
            slot.round = known.round
            places[place] = event
        }
        return slot
    }

    private mutating func disown(_ slot: URLDelivery, of event: EventID, key: EventKey) {
        guard slot.reason != .duplicate else { return }
        owners[URLKey(event: key, url: slot.url)] = nil
    }
}
