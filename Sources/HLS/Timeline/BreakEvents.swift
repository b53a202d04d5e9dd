/// What the SCTE-35 events of its markers make of the break that is open (HLS-23): which event is its own, and which began inside it.
struct BreakEvents: Equatable, Sendable {
    /// Most events inside a break whose ends are waited for; more of them are not distinguished.
    private static let limit = 64

    /// What a marker of a start means for a break that is open.
    enum Start {
        /// It announces the break: what was known until now is the first ad in it.
        case breakOfFirstAd
        /// An event inside the break begins, such as an ad in its pod: its length is not that of the break.
        case inside
        /// Another event begins with the break. It may be the break, in another dialect.
        case beside
        /// The event of the break, or none.
        case same
    }

    /// Sequence number of the first segment of the break; nil where it is not known.
    let startSequence: Int?
    /// Event id of the break; nil while none is known.
    private var eventID: String?
    /// Whether the break is known as an advertisement alone, which may be the first of several.
    private var isAdvertisement: Bool
    /// Ids of the events that began inside and have not ended.
    private var insideIDs: Set<String>

    /// The break that a marker opens.
    init(openedBy signal: CueSignal, startSequence: Int?) {
        self.startSequence = startSequence
        (eventID, isAdvertisement, insideIDs) = (signal.eventID, signal.isAdvertisement, signal.adIDs)
    }

    /// A marker of a start while the break is open.
    mutating func started(_ signal: CueSignal) -> Start {
        let isFirst = startSequence == signal.cue.sequence
        if isAdvertisement, !signal.isAdvertisement, isFirst, signal.eventID != eventID {
            let firstAd = eventID
            (eventID, isAdvertisement) = (signal.eventID, false)
            note(signal.adIDs.union([firstAd].compactMap(\.self)))
            return .breakOfFirstAd
        }
        note(signal.adIDs)
        guard let id = signal.eventID ?? signal.adIDs.first(where: { $0 != eventID }), id != eventID else {
            return .same
        }
        // At the first segment, another dialect may describe the break itself; a message about an advertisement does not.
        let isInside = signal.isAdvertisement || !isFirst
        guard eventID != nil || isInside else { return .same }
        note([id])
        return isInside || signal.isOneOfSeveral ? .inside : .beside
    }

    /// Another marker describes the break.
    /// - Returns: whether it names the event of the break, which was not known.
    @discardableResult mutating func learned(_ signal: CueSignal) -> Bool {
        note(signal.adIDs)
        guard eventID == nil, let id = signal.eventID else { return false }
        eventID = id
        return true
    }

    /// A marker of an end: whether the break ends, and not only an event inside it.
    mutating func ended(_ signal: CueSignal) -> Bool {
        let isInside = signal.eventID.map(insideIDs.contains) ?? !insideIDs.isDisjoint(with: signal.adIDs)
        insideIDs.subtract(signal.adIDs)
        if let id = signal.eventID { insideIDs.remove(id) }
        // A break without an event of its own has a marker for its end.
        guard signal.cue.isMessage else { return !isInside || eventID == nil }
        // The start of an ad may have left the window.
        return !isInside && (!signal.isAdvertisement || isAdvertisement || signal.eventID == eventID)
    }

    private mutating func note(_ ids: Set<String>) {
        // A set has another order in each process, and a replay the same result.
        for id in ids.sorted() where id != eventID && insideIDs.count < Self.limit { insideIDs.insert(id) }
    }
}
