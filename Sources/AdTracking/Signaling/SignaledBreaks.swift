import Ports

/// Makes breaks of envelopes and the ranges that carry them (PRV-39, PRV-40).
struct SignaledBreaks {
    /// What carries an envelope.
    struct Container {
        let id: String
        let start: ExactDecimal
        /// Nil while unknown.
        let length: ExactDecimal?
        let isDated: Bool

        /// Nil while unknown.
        var end: ExactDecimal? { length.map { start.plus($0) } }
    }

    private var answer = ListedAnswer()
    /// Index of each break of several ranges, by its id.
    private var groups: [String: Int] = [:]
    /// End of the last range of each such break; nil while unknown.
    private var ends: [Int: ExactDecimal] = [:]
    /// The break of the slot range before, and where that range ends.
    private var before: (id: String, end: ExactDecimal?)?

    /// Adds an envelope; containers come in the order of their starts.
    mutating func add(_ signal: CreativeSignal, in container: Container) {
        for finding in signal.findings { note(finding, of: container) }
        for (index, pod) in signal.pods.enumerated() {
            addPod(pod, named: signal.pods.count > 1 ? "\(container.id)#\(index + 1)" : container.id, in: container)
        }
        guard !signal.slots.isEmpty || !signal.tracking.isEmpty else { return }
        if signal.isBare, let slot = signal.slots.first, slot.isEmpty {
            return answer.report(.envelope, "the range is ignored: its envelope is empty", at: container.id)
        }
        let avail = signal.isBare ? SignaledRange.avail(of: container.id) : nil
        let name = avail ?? continued(at: container.start) ?? container.id
        guard let index = breakIndex(named: name, from: container) else { return }
        var ads: [ListedAd] = []
        if signal.slots.isEmpty {
            ads = [trackedRange(signal.tracking, container, in: name)]
        } else {
            ads = slots(signal.slots, isBare: signal.isBare, container, in: name)
        }
        ads = ads.filter { _ in answer.admitsAd(to: answer.breaks[index].ads.count) }
        answer.breaks[index].ads += ads
        if ads.contains(where: { $0.length == nil }) { answer.breaks[index].isOpen = true }
        let lastEnd = ads.compactMap(\.end).max()
        let end = container.end ?? lastEnd
        ends[index] = [ends[index], end].compactMap(\.self).max()
        if avail == nil { before = (name, container.length == nil && answer.breaks[index].isOpen ? nil : end) }
    }

    /// All breaks.
    mutating func finished() -> ListedAnswer {
        for (index, end) in ends where !answer.breaks[index].isOpen {
            answer.breaks[index].statedDuration = end.minus(answer.breaks[index].start)
        }
        for index in answer.breaks.indices { joinEvents(ofBreak: index) }
        return answer
    }

    private mutating func joinEvents(ofBreak index: Int) {
        var adBreak = answer.breaks[index]
        adBreak.ads = adBreak.ads.map { answer.joined($0, at: adBreak.node(of: $0)) }
        adBreak.events = answer.joined(adBreak.events, inLength: adBreak.length, at: adBreak.node)
        answer.breaks[index] = adBreak
    }

    // MARK: Breaks

    /// The break that a slot range which starts there continues; nil if it begins one.
    private func continued(at start: ExactDecimal) -> String? {
        guard let before, let end = before.end, start.minus(end) <= .listedTolerance else { return nil }
        return before.id
    }

    private mutating func breakIndex(named name: String, from container: Container) -> Int? {
        if let known = groups[name] { return known }
        guard answer.admitsBreak() else { return nil }
        answer.breaks.append(
            ListedBreak(id: name, start: container.start, date: Self.date(container.start, container)))
        groups[name] = answer.breaks.endIndex - 1
        return groups[name]
    }

    private mutating func addPod(_ pod: CreativeSignal.Pod, named name: String, in container: Container) {
        guard answer.admitsBreak() else { return }
        let offset = pod.start.map { ExactDecimal(seconds: $0) } ?? .zero
        let start = container.start.plus(offset)
        let room = container.length.map { $0.minus(offset) }.flatMap { $0.isNegative ? nil : $0 }
        let length = pod.duration.map { ExactDecimal(seconds: $0) } ?? room
        let own = Container(id: container.id, start: start, length: length, isDated: container.isDated)
        var adBreak = ListedBreak(id: name, start: start, statedDuration: length, date: Self.date(start, container))
        adBreak.ads = slots(pod.slots, isBare: false, own, in: name).filter { _ in answer.admitsAd(to: 0) }
        adBreak.events = pod.tracking.compactMap { event in
            answer.event(
                event.type, event.urls, statedOffset: event.offset.map { ExactDecimal(seconds: $0) }, window: nil,
                at: name)
        }
        answer.breaks.append(adBreak)
    }

    private static func date(_ seconds: ExactDecimal, _ container: Container) -> UnixTime? {
        container.isDated ? UnixTime(microseconds: seconds.inMicroseconds) : nil
    }

    // MARK: Ads

    private mutating func slots(
        _ slots: [CreativeSignal.Slot], isBare: Bool, _ container: Container, in name: String
    ) -> [ListedAd] {
        var cursor = container.start
        return slots.enumerated().map { index, slot in
            let start = slot.start.map { container.start.plus(ExactDecimal(seconds: $0)) } ?? cursor
            let identifier = slot.identifiers.first
            let next = slots.dropFirst(index + 1).first?.start
            var ad = ListedAd(id: identifier?.value, start: start)
            ad.length = Self.length(of: slot, from: start, before: next, in: container)
            ad.date = Self.date(start, container)
            ad.isLinear = slot.isLinear
            ad.extras = slot.extras
            if isBare, let identifier { (ad.id, ad.creative) = (identifier.adPosition, identifier.value) }
            let node = [name, ad.id].compactMap(\.self).joined(separator: "/")
            // The ads that an identifier names have their events in the tracking data.
            if !isBare || identifier == nil { add(slot.tracking, to: &ad, at: node) }
            if let page = slot.clickThrough { answer.add("clickThrough", [page], to: &ad, at: node) }
            cursor = ad.end ?? start
            return ad
        }
    }

    /// A slot lasts as long as it states, else up to the next one, else up to the end of what contains it.
    private static func length(
        of slot: CreativeSignal.Slot, from start: ExactDecimal, before next: Duration?, in container: Container
    ) -> ExactDecimal? {
        if let stated = slot.duration { return ExactDecimal(seconds: stated) }
        let end = next.map { container.start.plus(ExactDecimal(seconds: $0)) } ?? container.end
        return end.map { $0.minus(start) }.flatMap { $0.isNegative ? nil : $0 }
    }

    /// A range with nothing but events is one ad.
    private mutating func trackedRange(
        _ tracking: [CreativeSignal.Event], _ container: Container, in name: String
    ) -> ListedAd {
        var ad = ListedAd(id: container.id, start: container.start, length: container.length)
        ad.date = Self.date(container.start, container)
        add(tracking, to: &ad, at: "\(name)/\(container.id)")
        return ad
    }

    private mutating func add(_ tracking: [CreativeSignal.Event], to ad: inout ListedAd, at node: String) {
        for event in tracking {
            answer.add(
                event.type, event.urls, statedOffset: event.offset.map { ExactDecimal(seconds: $0) }, to: &ad, at: node)
        }
    }

    // MARK: Findings

    private mutating func note(_ finding: Finding, of container: Container) {
        switch SignalingRule(rawValue: finding.rule) {
        case .undecodable, .unknownFeature, .type:
            answer.report(.envelope, "the range is ignored: \(finding.message)", at: container.id)
        case .remote: answer.report(.remotePart, finding.message, at: container.id)
        case nil: break
        default:
            var finding = finding
            finding.path = container.id
            answer.note(finding)
        }
    }
}

extension CreativeSignal.Slot {
    /// Whether it has nothing that makes an ad.
    fileprivate var isEmpty: Bool { identifiers.isEmpty && tracking.isEmpty && duration == nil }
}
