import Ports

/// Registration and removal of events.
extension Ledger {
    /// Restores the beacons of a journal. A claim without an outcome becomes `unknown`: the beacon may have been
    /// counted, so it is sent again only when a person asks (TRK-13, TRK-26 X5). A beacon that was blocked before it
    /// was sent may still be sent. Known URLs that are still planned take the state from the journal: the journal may
    /// be opened late, after another process has released it.
    package mutating func restored(_ beacons: [RestoredBeacon]) {
        let owners = owners()
        compareAll()
        for beacon in beacons where beacon.outcome != .skipped {
            rounds.skip(to: beacon.round)
            let key = Fingerprint(type: beacon.key.event.type, url: beacon.key.url, without: busters)
            let sent = Insertion.Sent(
                state: beacon.outcome ?? .unknown, round: Int32(clamping: beacon.round), start: beacon.key.event.start)
            if let owner = owners[beacon.key] {
                settle(owner, as: sent, beacon)
                continue
            }
            // A journal that is opened again repeats what is known: a second showing would be taken for the next one.
            guard !isKnown(beacon, key) else { continue }
            var insertion = Insertion(
                EventPlacement(start: beacon.key.event.start), names: beacon.key.event.namesHash, track: nil,
                member: nil)
            insertion.sent = sent
            let index = insertions.add(insertion, key).index
            restoredBeacons[index] = beacon
            if sent.state.isLost { insertions.noteLostEarlier(index) }
            changes.groups.insert(key)
        }
        identify()
    }

    /// What the documents listed before the journal was opened is compared with it as if it were new: its cache busters show
    /// only beside the URLs that were sent.
    private mutating func compareAll() {
        for (event, entry) in entries.open
        where entry.isIdentified && entry.placement.isPresent && !Fingerprint.isExact(entry.key.type) {
            for slot in entry.delivery.urls where slot.insertion != Insertion.none {
                changes.added.append((event, slot.insertion))
            }
        }
    }

    /// Restores the only beacon of an event that is a beacon by itself, unless it was claimed since. One that was blocked before
    /// it was sent may still be sent; one without an outcome may have arrived.
    package mutating func restored(_ beacon: RestoredBeacon, of event: EventID) {
        guard beacon.outcome != .skipped else { return }
        _ = change(event) { entry in
            guard let index = entry.delivery.urls.firstIndex(where: { $0.url == beacon.key.url }),
                [.planned, .observed].contains(entry.delivery.urls[index].state)
            else { return }
            entry.delivery.urls[index].state = beacon.outcome ?? .unknown
            entry.delivery.urls[index].attemptCount = beacon.attempt
        }
    }

    /// An event that is a beacon by itself and was only observed may be claimed again: a person may request it later.
    package mutating func reconsider(_ event: EventID) {
        _ = change(event) { entry in
            for index in entry.delivery.urls.indices where entry.delivery.urls[index].state == .observed {
                entry.delivery.urls[index].state = .planned
            }
        }
    }

    /// Whether it is one that this process sent or restored: what was listed elsewhere since is known by when it was due.
    private func isKnown(_ beacon: RestoredBeacon, _ key: Fingerprint) -> Bool {
        let start = beacon.key.event.start
        return insertions.group(key).contains { index in
            insertions[index].sent.map { $0.start == start || insertions[index].start == start } ?? false
        }
    }

    /// The known events with those very identities.
    private func owners() -> [URLKey: EventID] {
        var owners: [URLKey: EventID] = [:]
        for (event, entry) in entries where entry.isIdentified {
            for slot in entry.delivery.urls {
                let key = URLKey(event: entry.key, url: slot.url)
                owners[key] = min(owners[key] ?? event, event)
            }
        }
        return owners
    }

    private mutating func settle(_ event: EventID, as sent: Insertion.Sent, _ beacon: RestoredBeacon) {
        let url = beacon.key.url
        let insertion = change(event) { entry -> Int32 in
            guard let index = entry.delivery.urls.firstIndex(where: { $0.url == url }) else { return Insertion.none }
            if entry.delivery.urls[index].state == .planned, !beacon.mayBeTriedAgain {
                entry.delivery.urls[index].state = sent.state
                entry.delivery.urls[index].round = Int(sent.round)
            }
            return entry.delivery.urls[index].insertion
        }
        guard let insertion, insertion != Insertion.none, insertions[insertion].sent == nil else { return }
        insertions[insertion].sent = sent
        if beacon.mayBeTriedAgain { failedEarlier[insertion] = beacon }
        if sent.state.isLost { insertions.noteLostEarlier(insertion) }
    }

    /// Reserves the capacity at once: growing step by step takes a third of the time to read a first document.
    mutating func reserve(_ more: Int) {
        entries.reserve(more)
        insertions.reserve(more)
        changes.groups.reserveCapacity(more)
    }

    /// An event is new, its URLs may have changed, or the document has it elsewhere. `key` counts only at first sight.
    /// Call ``identify()`` when all events of the document are registered.
    /// - Parameters:
    ///   - shared: those of its URLs that two parties may report: they are not sent.
    ///   - retry: which of its beacons are repeated; nil for the policy of the ledger.
    ///   - placement: nil where each event is a beacon by itself, however alike they are.
    package mutating func register(
        _ event: EventID, key: EventKey, type: EventType, urls: [String], macros: BeaconMacros? = nil,
        shared: [String] = [], retry: RetryPolicy? = nil, at placement: EventPlacement?
    ) {
        guard var entry = entries[event] else {
            var entry = Entry(
                key: key, delivery: EventDelivery(urls: []), shared: shared,
                placement: placement ?? EventPlacement(start: key.start), type: type, isIdentified: placement != nil,
                macros: macros)
            for url in urls { entry.delivery.urls.append(adopt(url, of: event, entry)) }
            count(entry.delivery.state, by: 1)
            _ = entries.updateValue(entry, forKey: event)
            if let retry { self.retry.own[event] = retry }
            return
        }
        if macros != nil { entry.macros = macros }
        entry.shared = shared
        let before = entry.placement
        if let placement { place(event, &entry, at: placement) }
        let state = entry.delivery.state
        entry.become(type)
        count(state, by: -1)
        count(entry.delivery.state, by: 1)
        entries[event] = entry
        guard !entry.delivery.urls.lazy.filter(\.isListed).map(\.url).elementsEqual(urls) else { return }
        refresh(event, with: urls, isInPlace: before.overlaps(entry.placement))
    }

    /// What the newest document lists. Those events are never packed.
    var listedEntries: some Sequence<Entry> { entries.open.values.lazy.filter(\.placement.isPresent) }

    /// Packs what is known of the events of an ad.
    /// - Returns: false where a request is under way or another try will follow. Nothing is packed then.
    mutating func pack(_ events: [EventID]) -> Bool {
        let isUnderWay = events.contains { event in
            entries.open[event]?.delivery.urls.contains(where: \.isAwaited) ?? false
        }
        guard !isUnderWay else { return false }
        entries.pack(events)
        return true
    }

    /// Removes expired events; the state of beacons that were sent is archived.
    package mutating func remove(_ events: [EventID]) {
        var members: [Int32: Set<EventID>] = [:]
        for event in events {
            guard let entry = entries.removeValue(forKey: event) else { continue }
            retry.own[event] = nil
            count(entry.delivery.state, by: -1)
            for slot in entry.delivery.urls where slot.insertion != Insertion.none {
                remember(slot)
                members[slot.insertion, default: []].insert(event)
            }
        }
        insertions.drop(members.compactMap { insertions.leave($0.value, $0.key) ? $0.key : nil })
    }

    /// Everything before `horizon` has left the retention: what is remembered of it may go.
    mutating func forget(before horizon: UnixTime) {
        let surplus = insertions.surplus(before: horizon)
        for index in surplus {
            forgotten.add(insertions[index].start)
            restoredBeacons[index] = nil
            failedEarlier[index] = nil
        }
        insertions.drop(surplus)
        insertions.reported.forget(before: horizon)
    }

    /// An earlier session of this viewer reached these media dates; what is due there is not sent.
    mutating func sendNothing(in dates: DateStretches) {
        forgotten.sendNothing(in: dates)
    }

    /// What was sent up to that media date is unknown.
    mutating func forget(through date: UnixTime) {
        forgotten.add(through: date)
    }

    /// Whether it is unknown if the beacons of an event were sent under any name: they are not sent then.
    func isForgotten(_ entry: Entry) -> Bool {
        entry.isIdentified
            && forgotten.reaches(entry.placement.start, within: max(Self.leastReach, entry.placement.breakLength))
    }
}

extension Ledger.Entry {
    /// The newest document gives the event a type: one whose moment was unknown has none that may be sent until then. What its former
    /// type kept from being sent is judged again.
    fileprivate mutating func become(_ type: EventType) {
        guard type != self.type else { return }
        self.type = type
        for index in delivery.urls.indices where delivery.urls[index].reason == .userClass {
            guard delivery.urls[index].state == .skipped else { continue }
            (delivery.urls[index].state, delivery.urls[index].reason) = (.planned, nil)
        }
    }
}
