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
    /// The length of the event in the message of a marker that is a break by itself.
    var eventLength: Duration?

    /// The length that it announces: that of the marker, else that of the event.
    var length: Duration? { cue.duration.announced ?? eventLength.announced ?? cue.duration }

    /// Whether its message is about advertisements alone.
    var isAboutAds: Bool { eventID == nil && !adIDs.isEmpty }

    /// The events in its message.
    var eventIDs: Set<String> { adIDs.union([eventID].compactMap(\.self)) }

    /// What it calls its events.
    fileprivate var ids: Set<String> { eventIDs.union([cue.id].compactMap(\.self)) }
}

extension [CueSignal] {
    /// The signals of one segment in the order in which they count. Where one break follows another, packagers write the start of the next
    /// also ahead of the end of the last (HLS-23).
    /// - Parameter mayEnd: whether a break that began before the segment may end there; called only where that matters.
    func inOrder(mayEnd: () -> Bool) -> [CueSignal] {
        guard let first = firstIndex(where: { $0.cue.kind == .out }) else { return self }
        let rest = self[first...]
        let begun = rest.lazy.filter { $0.cue.kind == .out }.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
        func isEarlier(_ signal: CueSignal) -> Bool { signal.cue.kind == .in && begun.isDisjoint(with: signal.ids) }
        guard rest.contains(where: isEarlier), mayEnd() else { return self }
        return self[..<first] + rest.filter(isEarlier) + rest.filter { !isEarlier($0) }
    }
}

/// A family of tags that one packager writes together: each may mark the same breaks, and the ads in them (HLS-22).
enum CueDialect: Hashable {
    /// EXT-X-CUE-OUT, -CUE-OUT-CONT, -CUE-SPAN and -CUE-IN.
    case cueOut
    /// EXT-X-CUE and -CUE-CONT.
    case cue
    /// EXT-X-SCTE35.
    case scte35
    /// EXT-X-SPLICEPOINT-SCTE35.
    case splicepoint
}

extension CuePoint {
    /// Most events of one message that count: it may have hundreds, and each may be a break.
    static let signalLimit = 16

    /// A marker whose meaning is only in its message has one for each event that the message begins or ends, in its order: a
    /// time_signal may end an advertisement and begin the next, or begin a break and the first advertisement in it (ANSI/SCTE 35 2022b
    /// section 10.3.3). Other markers have one.
    /// - Parameter info: what its message says; nil without a message.
    fileprivate func signals(_ info: SpliceInfo?) -> [CueSignal] {
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
        let own = all.filter { $0.isEnd == (kind == .in) }
        let event = own.first { !advertisements.contains($0.id) }
        return CueSignal(
            cue: self, eventID: event?.id, adIDs: advertisements.intersection(own.map(\.id)), eventLength: event?.length
        )
    }

    var dialect: CueDialect {
        switch PlaylistTag(rawValue: tag) {
        case .cue, .cueCont: .cue
        case .scte35: .scte35
        case .splicepoint: .splicepoint
        default: .cueOut
        }
    }

    /// Whether its meaning is only in its message.
    var isMessage: Bool { tag == PlaylistTag.splicepoint.rawValue }
}

/// Reads what markers mean. Packagers repeat the message of a start at each segment of the break: it is decoded once.
struct CueSignalReader {
    private var last: (message: [UInt8], info: SpliceInfo?)?

    /// The signals of the markers of one segment. A payload may be listed before the marker that it describes.
    mutating func signals(of cues: some Collection<CuePoint>) -> [CueSignal] {
        var signals: [CueSignal] = []
        for isPayload in [false, true] {
            for cue in cues where (cue.kind == .scte35) == isPayload { signals += cue.signals(info(of: cue)) }
        }
        return signals
    }

    private mutating func info(of cue: CuePoint) -> SpliceInfo? {
        guard let message = cue.scte35 else { return nil }
        if let last, last.message == message { return last.info }
        // The parser reports messages that cannot be read.
        let info = try? SpliceInfo(message)
        last = (message, info)
        return info
    }
}
