import Ports

/// What events and slots change of the beacons that they ask for, up to the end of a document, when ``identify()`` compares them.
extension Ledger {
    /// What changed since the last ``identify()``.
    struct IdentityChanges: Sendable {
        var groups: Set<Fingerprint> = []
        /// Events that a document listed before and the newest one leaves out although it covers their time.
        var left: Set<EventID> = []
        /// Slots that are new, by their event.
        var added: [(event: EventID, insertion: Int32)] = []
        /// A cache buster became known: keys are to be made again.
        var hasLearned = false
        /// The document lists only what is not finished, so what it leaves out is mostly over and not replaced.
        var isPage = false
        /// URLs in the place of others, and whether the event has hardly moved.
        var replaced: [(event: EventID, old: String, new: String, isInPlace: Bool)] = []
        /// Insertions that no event asks for any more and that nothing was sent of.
        var unused: [Int32] = []
    }

    /// Adds an insertion for a new slot.
    mutating func insertion(for url: String, of event: EventID, _ entry: Entry) -> Int32 {
        let key = Fingerprint(type: entry.key.type, url: url, without: busters)
        var new = Insertion(
            entry.placement, names: entry.key.namesHash, track: entry.placement.track.shortHash, member: event)
        new.listedSince = documents &+ 1
        let (index, isAlone) = insertions.add(new, key)
        // One alone is neither known under another name nor listed a second time.
        if !isAlone { changes.groups.insert(key) }
        if !Fingerprint.isExact(entry.key.type) { changes.added.append((event, index)) }
        return index
    }

    /// A slot that an event had is given up: replaced, or gone from metadata before it was claimed. The event may ask for its beacon with
    /// another slot.
    mutating func release(_ slot: URLDelivery, of event: EventID) {
        guard slot.insertion != Insertion.none else { return }
        remember(slot)
        guard !asks(event, for: slot.insertion) else { return }
        if insertions.leave([event], slot.insertion) { changes.unused.append(slot.insertion) }
    }

    func asks(_ event: EventID, for index: Int32) -> Bool {
        entries[event]?.delivery.urls.contains { $0.insertion == index } ?? false
    }

    /// Keeps what became of a beacon beyond its event.
    mutating func remember(_ slot: URLDelivery) {
        guard let state = slot.state.remembered, let start = insertions[slot.insertion].sent?.start else { return }
        insertions[slot.insertion].sent = Insertion.Sent(
            state: state, round: Int32(clamping: slot.round), start: start)
    }

    /// The newest document lists an event elsewhere, or lists it again.
    mutating func place(_ event: EventID, _ entry: inout Entry, at placement: EventPlacement) {
        guard placement != entry.placement else { return }
        let distance = placement.start - entry.placement.start
        let isBack = placement.isPresent && !entry.placement.isPresent
        entry.placement = placement
        if !entry.delivery.urls.contains(where: { $0.state != .planned && $0.state != .skipped }) {
            entry.key = entry.key.moved(to: placement.start)
        }
        // URLs that are one beacon move it once.
        for index in Set(entry.delivery.urls.map(\.insertion)) where index != Insertion.none {
            insertions[index].refresh(placement, movedBy: leads(event, index) ? distance : .zero)
            insertions[index].track = placement.track.shortHash
            if isBack { insertions[index].listedSince = documents &+ 1 }
            changes.groups.insert(insertions.key(of: index))
        }
    }

    /// The media has other dates from now on, and so has what is due in it: these events, and what was sent of events that are forgotten.
    mutating func redate(_ events: [EventID], by shift: Duration) {
        var moved: Set<Int32> = []
        for event in events {
            guard let slots = entries[event]?.delivery.urls else { continue }
            moved.formUnion(slots.lazy.map(\.insertion).filter { $0 != Insertion.none })
            _ = entries.change(event) { $0.placement.start += shift }
        }
        moved.formUnion(insertions.remembered(on: .primary))
        for index in moved {
            insertions[index].start += shift
            insertions[index].sent?.start += shift
        }
        insertions.reported.redate(by: shift)
        forgotten.redate(by: shift)
    }

    /// Whether what was sent of an insertion moves with an event: with the first member that documents list.
    private func leads(_ event: EventID, _ index: Int32) -> Bool {
        guard !insertions[index].others.isEmpty else { return true }
        let listed = insertions[index].members.first { entries.open[$0]?.placement.isPresent ?? false }
        return listed == nil || listed == event
    }

    /// The newest document does not list an event.
    /// - Parameter mayHaveMoved: the document covers its time, so that one of the same name elsewhere is this one.
    package mutating func absent(_ event: EventID, mayHaveMoved: Bool) {
        guard let entry = entries.open[event], entry.placement.isPresent else { return }
        entries[event]?.placement.isPresent = false
        if mayHaveMoved { changes.left.insert(event) }
        for slot in entry.delivery.urls where slot.insertion != Insertion.none { unlist(slot) }
    }

    /// The newest document does not list a URL, so the one before was the last that did.
    mutating func unlist(_ slot: URLDelivery) {
        guard slot.insertion != Insertion.none else { return }
        insertions[slot.insertion].lastListed = documents
        changes.groups.insert(insertions.key(of: slot.insertion))
    }
}

extension InsertionBook {
    /// Those without an event, of one track or of none that is known.
    fileprivate func remembered(on track: AdTrack) -> [Int32] {
        claimed.filter { index in
            self[index].member == nil && self[index].track.map { $0 == track.shortHash } ?? true
        }
    }
}

extension DeliveryState {
    /// What is remembered of a beacon whose event is forgotten; nil where nothing left.
    fileprivate var remembered: DeliveryState? {
        switch self {
        case .planned, .skipped, .observed: nil
        case .claimed, .sent, .waiting: .unknown
        case .acknowledged, .rejected, .failed, .unknown: self
        }
    }
}
