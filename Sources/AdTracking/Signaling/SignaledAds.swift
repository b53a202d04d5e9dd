import Ports
import VAST

/// The ads of signaling on the clock of the media: those of an asset, of a whole interstitial, or of a date range.
struct SignaledAds {
    /// Largest difference between the lengths of a slot and its container for them to be the same: announced durations
    /// are rounded.
    private static let rounding: Duration = .milliseconds(500)

    /// Noun for what contains the slots, in findings.
    let container: String
    /// Whether the clock of the slots ends with their container, so that nothing behind its end is ever due.
    private let endsWithContainer: Bool
    var ads: [Ad] = []
    /// The checks of events and their URLs are those of answers of providers (PRV-7, PRV-8).
    private var answer = ListedAnswer()
    /// Events of pods; they are assigned when all ads are known.
    private var podEvents: [TrackingEvent] = []

    init(container: String, endsWithContainer: Bool = false) {
        self.container = container
        self.endsWithContainer = endsWithContainer
    }

    var findings: [Finding] { answer.findings }

    /// Adds what is wrong with an envelope.
    mutating func note(_ findings: [Finding]) {
        for finding in findings { answer.note(finding) }
    }

    /// Adds the ads of consecutive slots.
    /// - Parameters:
    ///   - base: the point from which the starts of the slots count.
    ///   - length: length of the container; nil while it is unknown.
    mutating func append(_ slots: [CreativeSignal.Slot], at base: UnixTime, length: Duration?, named name: String) {
        var cursor = Duration.zero
        for (index, slot) in slots.enumerated() {
            let from = slot.start ?? cursor
            let span = span(
                of: slot, from: from, before: slots.dropFirst(index + 1).first, isOnly: slots.count == 1, length)
            cursor = from + (span ?? .zero)
            let name = slot.identifiers.first?.value ?? (index == 0 ? name : "\(name) \(index + 1)")
            var ad = Ad(
                name: name, start: base + from, duration: span ?? .zero,
                events: events(
                    slot.tracking, of: name, at: base + from, length: span, room: length.known.map { $0 - from }),
                clickThrough: slot.clickThrough, verifications: slot.verifications, extras: slot.extras)
            if !slot.isLinear { ad.extras.append("type", .string(slot.type)) }
            if let offset = slot.skipOffset { ad.extras.append("skipOffset", .string(offset.text)) }
            ads.append(ad)
        }
    }

    /// Adds one ad with these events: the container itself.
    mutating func append(
        _ tracking: [CreativeSignal.Event], asAd name: String, at start: UnixTime, length: Duration?
    ) {
        ads.append(
            Ad(
                name: name, start: start, duration: length ?? .zero,
                events: events(tracking, of: name, at: start, length: length, room: length.known)))
    }

    /// Keeps the events of a container for the ads that they fall into.
    mutating func note(_ tracking: [CreativeSignal.Event], at start: UnixTime, length: Duration?) {
        podEvents += events(tracking, of: container, at: start, length: length, room: length.known)
    }

    /// Keeps the events of a pod of a container that starts at `base`.
    mutating func note(_ pod: CreativeSignal.Pod, at base: UnixTime, length: Duration?) {
        let from = pod.start ?? .zero
        podEvents += events(
            pod.tracking, of: container, at: base + from, length: pod.duration ?? length.map { max(.zero, $0 - from) },
            room: length.known.map { $0 - from })
    }

    /// The ads by start; events of pods are added to the ads they fall into.
    /// - Parameter ad: the ad that receives them where there is none.
    func finished(else ad: @autoclosure () -> Ad) -> [Ad] {
        var ads = ads
        for event in podEvents {
            let last = ads.lastIndex { $0.start <= event.start }
            let index = ads.lastIndex { $0.start <= event.start && event.start < $0.end } ?? last
            if let index {
                ads[index].events.append(event)
            } else {
                var ad = ad()
                ad.events = [event]
                ads.append(ad)
            }
        }
        return ads.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    /// A slot lasts as long as it states, else to the next one, else to the end of its container; nil when unknown. A container of length 0
    /// counts as one without a length.
    private mutating func span(
        of slot: CreativeSignal.Slot, from: Duration, before next: CreativeSignal.Slot?, isOnly: Bool,
        _ length: Duration?
    ) -> Duration? {
        let room = length.known.map { max(.zero, $0 - from) }
        guard let stated = slot.duration else {
            guard let start = next?.start, start > from else { return room ?? length }
            return room.map { min($0, start - from) } ?? (start - from)
        }
        guard let room else { return stated }
        let excess = stated - room
        if isOnly, excess.magnitude <= Self.rounding { return room }
        if excess > Self.rounding { flagExcess(slot, excess) }
        return endsWithContainer ? min(stated, room) : stated
    }

    /// Without an offset the type determines the time (PRV-5); the viewer's actions count throughout. A share of a length that is unknown
    /// or 0 is never due (VAST 3.0 section 2.3.2.3), nor is progress to an unknown moment.
    /// - Parameter room: time up to the end of the container; nil while that is unknown.
    private mutating func events(
        _ listed: [CreativeSignal.Event], of owner: String, at base: UnixTime, length: Duration?, room: Duration?
    ) -> [TrackingEvent] {
        let macros = MacroExpander(values: MacroValues())
        let usable = listed.compactMap { event in
            answer.event(
                event.type, event.urls, statedOffset: event.offset.map { ExactDecimal(seconds: $0) }, window: nil,
                at: owner, filledBy: macros)
        }
        let known = length.map { ExactDecimal(seconds: $0) }
        var shares: [String] = []
        let events = answer.joined(usable, inLength: known, at: owner).map { event in
            // An id of the media is verified where the media has it.
            var type = event.type == .mediaVerification ? .unknown : event.type
            var moment = event.offset(inLength: known)?.asSeconds
            if moment == nil, type.eventClass == .time {
                if type.quartileShare != nil { shares.append(event.name) }
                type = .unknown
            } else if let due = moment, let room, !isReached(&moment, within: room) {
                answer.report(
                    LintRule.eventOutsideAd,
                    "\(event.name) lies \((due - room).inMilliseconds) ms after its \(container)",
                    at: "\(owner)/\(event.name)")
                type = .unknown
            }
            let isSpan = type.eventClass == .user
            let from = moment ?? .zero
            return TrackingEvent(
                type: type, rawName: event.name, start: base + from,
                duration: isSpan ? max(.zero, (length ?? .zero) - from) : .zero, urls: event.urls,
                macros: self.macros(in: event.urls))
        }
        if length == .zero, !shares.isEmpty { flagShares(shares, of: owner) }
        return events
    }

    /// Whether the clock comes to a moment before it ends; one that is behind the end by rounding is at the end.
    private func isReached(_ moment: inout Duration?, within room: Duration) -> Bool {
        guard endsWithContainer, let due = moment, due > room else { return true }
        guard due - room <= Self.rounding else { return false }
        moment = room
        return true
    }

    /// URLs may contain VAST macros (TRK-28); a URL without macros is sent byte for byte.
    private func macros(in urls: [String]) -> BeaconMacros? {
        guard urls.contains(where: { URLText($0).hasMacro }) else { return nil }
        return BeaconMacros(values: MacroValues(), context: .tracking)
    }

    private mutating func flagExcess(_ slot: CreativeSignal.Slot, _ excess: Duration) {
        let name = slot.identifiers.first.map { " '\($0.value)'" } ?? ""
        flag(.slotTooLong, "slot\(name) ends \(excess.inMilliseconds) ms after its \(container)")
    }

    private mutating func flagShares(_ names: [String], of owner: String) {
        flag(.noLength, "\(names.joined(separator: ", ")) of '\(owner)' are never due: the length is 0")
    }

    private mutating func flag(_ rule: SignalingRule, _ message: String) {
        answer.note(Finding(rule: rule, severity: .warning, message: message, section: "SVTA 2053-1"))
    }
}

extension Duration? {
    /// The stated length of a container; nil if none is stated, or 0.
    fileprivate var known: Duration? { self == .zero ? nil : self }
}

extension Ad {
    /// Whether the slot that it was signaled in is a part of the stream.
    var isInLinearSlot: Bool { extras["type"] == nil }
}
