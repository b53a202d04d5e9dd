/// What a marker means for one event.
struct CueSignal {
    var cue: CuePoint
    /// The id of the event in its SCTE-35 message, in decimal digits; nil without one.
    var eventID: String?
    /// Whether its message is about other events, too.
    var isOneOfSeveral = false
    /// Whether it is known from a message alone, and is about an advertisement: a break, or one of the ads in it.
    var isAdvertisement = false
    /// The advertisements in the message of a marker that is a break by itself: they are in the break, and its event is none of them.
    var adIDs: Set<String> = []
}

extension CuePoint {
    /// Most events of one message that count: it may have hundreds, and each may be a break.
    static let signalLimit = 16

    /// A marker whose meaning is only in its message has one for each event that the message begins or ends, in its order: a
    /// time_signal may end an advertisement and begin the next, or begin a break and the first advertisement in it (ANSI/SCTE 35 2022b
    /// section 10.3.3). Other markers have one.
    var signals: [CueSignal] {
        // The parser reports messages that cannot be read.
        let info = scte35.flatMap { try? SpliceInfo($0) }
        let all = (info?.breakSignals ?? []).prefix(Self.signalLimit)
        let advertisements = info?.advertisementIDs ?? []
        guard isMessage else { return [signal(with: all, advertisements)] }
        guard all.count > 1 else {
            let id = all.first?.id
            return [
                CueSignal(cue: self, eventID: id, isAdvertisement: id.map(advertisements.contains) ?? false)
            ]
        }
        return all.map { signal in
            var cue = self
            cue.id = signal.id
            switch signal {
            case .start(let duration, _): (cue.kind, cue.duration) = (.out, duration)
            case .end: (cue.kind, cue.duration) = (.in, nil)
            }
            return CueSignal(
                cue: cue, eventID: signal.id, isOneOfSeveral: true, isAdvertisement: advertisements.contains(signal.id))
        }
    }

    /// The tag has the meaning of the marker; the message adds which events begin, or end, there.
    private func signal(with all: some Sequence<BreakSignal>, _ advertisements: Set<String>) -> CueSignal {
        let ids = all.filter { $0.isEnd == (kind == .in) }.map(\.id)
        return CueSignal(
            cue: self, eventID: ids.first { !advertisements.contains($0) }, adIDs: advertisements.intersection(ids))
    }

    /// Whether its meaning is only in its message.
    var isMessage: Bool { tag == PlaylistTag.splicepoint.rawValue }
}
