/// The effect of a SCTE-35 message by itself on an ad break (HLS-26).
package enum BreakSignal: Hashable, Sendable {
    /// `id` is the event id in decimal digits; `duration` is nil when none is announced.
    case start(duration: Duration?, id: String)
    case end(id: String)

    /// The event id in decimal digits.
    package var id: String {
        switch self {
        case .start(_, let id), .end(let id): id
        }
    }

    /// The announced length; nil of an end.
    var length: Duration? { if case .start(let duration, _) = self { duration } else { nil } }

    var isEnd: Bool { if case .end = self { true } else { false } }
}

extension SpliceInfo {
    /// The ids of the advertisements that begin or end and are no other segment of the same message.
    var advertisementIDs: Set<String> {
        guard case .timeSignal = command else { return [] }
        var (advertisements, others): (Set<String>, Set<String>) = ([], [])
        for descriptor in descriptors ?? [] {
            guard case .segmentation(let segmentation) = descriptor.body, let detail = segmentation.detail else {
                continue
            }
            let id = String(segmentation.eventID)
            if detail.type.isAdvertisement { advertisements.insert(id) } else { others.insert(id) }
        }
        return advertisements.subtracting(others)
    }

    /// One for each event that the message begins or ends, in the order of its descriptors: the standard lists the outermost first. None
    /// where it neither opens nor closes a break: it is cancelled, encrypted, or about programmes and chapters.
    package var breakSignals: [BreakSignal] {
        if case .insert(let insert) = command, let detail = insert.detail {
            let id = String(insert.eventID)
            guard detail.isOutOfNetwork else { return [.end(id: id)] }
            return [.start(duration: detail.breakDuration.map { SpliceTicks.duration($0.ticks) }, id: id)]
        }
        guard case .timeSignal = command else { return [] }
        return (descriptors ?? []).compactMap { descriptor in
            guard case .segmentation(let segmentation) = descriptor.body, let detail = segmentation.detail else {
                return nil
            }
            let id = String(segmentation.eventID)
            if detail.type.startsAdBreak { return .start(duration: detail.ticks.map(SpliceTicks.duration), id: id) }
            return detail.type.endsAdBreak ? .end(id: id) : nil
        }
    }
}
