import Ports

/// What the SCTE-35 events of its markers make of the break that is open (HLS-23): which event is its own, and which began inside it.
struct BreakEvents: Equatable, Sendable {
    /// Most events inside a break that are distinguished.
    private static let limit = 64
    /// The longest pause between two ads of a break whose end only its ads tell: longer than an ad or slate that nothing marks.
    static let longestPause = Duration.seconds(60)

    /// What a marker of a start means for a break that is open.
    enum Start {
        /// It announces the break: what was known until now is the first ad in it.
        case breakOfFirstAd
        /// An event inside the break begins, such as an ad in its pod: its length is not that of the break.
        case inside
        /// Another event begins with the break. It may be the break, in another dialect.
        case beside
        /// It announces the break one segment behind the message that began it.
        case late
        /// It names the event of the break behind its first segment.
        case repeated
        /// The event of the break, or none.
        case same
    }

    /// What a marker of an end means for it.
    enum End {
        case ofBreak
        /// An event inside ends.
        case inside
        /// An ad ends in a break without an event of its own, and no other one is on the air: where nothing follows, the break is over.
        case ofLastAd
    }

    /// Sequence number of the first segment of the break; nil where it is not known.
    let startSequence: Int?
    /// Event id of the break; nil while none is known.
    private var eventID: String?
    /// Whether the break is known as an advertisement alone, which may be the first of several.
    private var isAdvertisement: Bool
    /// Ids of the events that began inside, also when they have ended: several dialects may mark one end.
    private var insideIDs: Set<String> = []
    /// Those of them that have not ended.
    private var onAirIDs: Set<String> = []
    /// The dialects whose tags announce the break, other than with a message about ads alone.
    private var dialects: Set<CueDialect> = []
    /// Those that announce it with such a message.
    private var dialectsOfAds: Set<CueDialect> = []
    /// Those that only begin something inside it.
    private var dialectsInside: Set<CueDialect> = []
    /// Those that announced it one segment late: what they end may be an ad inside.
    private var lateDialects: Set<CueDialect> = []

    /// The break that a marker opens.
    init(openedBy signal: CueSignal, startSequence: Int?) {
        self.startSequence = startSequence
        (eventID, isAdvertisement) = (signal.eventID, signal.isAdvertisement)
        note(signal.adIDs)
        announced(by: signal)
    }

    /// A marker of a start while the break is open.
    mutating func started(_ signal: CueSignal) -> Start {
        let isFirst = startSequence == signal.cue.sequence
        if !isFirst, names(signal) || isLate(signal) {
            announced(by: signal)
            note(signal.adIDs)
            if names(signal) { return .repeated }
            lateDialects.insert(signal.cue.dialect)
            return .late
        }
        if isFirst { announced(by: signal) } else { began(signal) }
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
        if signal.cue.kind == .cont { announced(by: signal) }
        // Continuations repeat the message of the start: an ad in it may have ended.
        note(signal.adIDs.subtracting(insideIDs))
        guard eventID == nil, let id = signal.eventID else { return false }
        eventID = id
        insideIDs.remove(id)
        onAirIDs.remove(id)
        return true
    }

    /// A marker of an end.
    mutating func ended(_ signal: CueSignal) -> End {
        let ids = signal.eventID.map { [$0] } ?? signal.adIDs
        let isInside = !insideIDs.isDisjoint(with: ids)
        onAirIDs.subtract(ids)
        if signal.cue.isMessage {
            // The start of an ad may have left the window.
            let isOfLostAd = signal.isAdvertisement && !isAdvertisement && signal.eventID != eventID
            guard isInside || isOfLostAd else { return .ofBreak }
            return eventID == nil && onAirIDs.isEmpty ? .ofLastAd : .inside
        }
        guard !isInside else {
            // A break without an event of its own has a marker for its end.
            if eventID == nil, isOwn(signal.cue.dialect) { return .ofBreak }
            return eventID == nil && onAirIDs.isEmpty ? .ofLastAd : .inside
        }
        return dialectsInside.contains(signal.cue.dialect) ? .inside : .ofBreak
    }

    /// Whether a marker is about the event of the break.
    func names(_ signal: CueSignal) -> Bool {
        eventID != nil && eventID == signal.eventID ?? (signal.adIDs.isEmpty ? signal.cue.id : nil)
    }

    /// Whether a marker may be about the break, and not about something inside it.
    func mayDescribe(_ signal: CueSignal) -> Bool {
        guard let id = signal.eventID else { return signal.adIDs.isEmpty }
        return id == eventID || eventID == nil && !signal.isAdvertisement
    }

    /// Whether a marker is of a dialect that announced the break late.
    func isOfLateDialect(_ signal: CueSignal) -> Bool {
        !signal.cue.isMessage && lateDialects.contains(signal.cue.dialect)
    }

    /// Whether a marker announces a break that only messages began, in the segment behind its first: the splice may be inside that. A dialect
    /// that marks ads would have marked the one with which the break began.
    private func isLate(_ signal: CueSignal) -> Bool {
        guard let startSequence, signal.cue.sequence.subtractingSaturating(1) == startSequence else { return false }
        return !signal.cue.isMessage && signal.eventID == nil && signal.adIDs.isEmpty && dialects.isEmpty
            && dialectsOfAds.isEmpty && dialectsInside.isEmpty
    }

    /// Whether a marker of a start may be that of the next break where the ads of this one have ended: it is no message about an ad, and
    /// of a dialect that announced this one.
    func mayBeFollowed(by signal: CueSignal) -> Bool { !signal.cue.isMessage && isOwn(signal.cue.dialect) }

    /// Whether a dialect marks the break, and not only the ads in it.
    private func isOwn(_ dialect: CueDialect) -> Bool {
        (dialects.isEmpty ? dialectsOfAds : dialects).contains(dialect)
    }

    private mutating func announced(by signal: CueSignal) {
        guard !signal.cue.isMessage else { return }
        if signal.isAboutAds { dialectsOfAds.insert(signal.cue.dialect) } else { dialects.insert(signal.cue.dialect) }
        dialectsInside.remove(signal.cue.dialect)
    }

    private mutating func began(_ signal: CueSignal) {
        let dialect = signal.cue.dialect
        guard !signal.cue.isMessage, !dialects.contains(dialect), !dialectsOfAds.contains(dialect) else { return }
        dialectsInside.insert(dialect)
    }

    private mutating func note(_ ids: Set<String>) {
        // A set has another order in each process, and a replay the same result.
        for id in ids.sorted() where id != eventID {
            if insideIDs.count >= Self.limit, !insideIDs.contains(id) { insideIDs = onAirIDs }
            guard insideIDs.count < Self.limit || insideIDs.contains(id) else { return }
            insideIDs.insert(id)
            onAirIDs.insert(id)
        }
    }
}
