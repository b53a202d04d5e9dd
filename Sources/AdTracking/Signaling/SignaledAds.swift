import Ports
import VAST

/// The ads of signaling on the clock of the media: those of an asset, of a whole interstitial, or of a date range.
struct SignaledAds {
    /// Largest difference between the lengths of a slot and its container for them to be the same: announced durations
    /// are rounded.
    private static let rounding: Duration = .milliseconds(500)

    /// Noun for what contains the slots, in findings.
    let container: String
    var ads: [Ad] = []
    var findings: [Finding] = []
    /// Events of pods; they are assigned when all ads are known.
    private var podEvents: [TrackingEvent] = []

    init(container: String) {
        self.container = container
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
            var ad = Ad(
                name: slot.identifiers.first?.value ?? (index == 0 ? name : "\(name) \(index + 1)"),
                start: base + from, duration: span ?? .zero,
                events: events(slot.tracking, at: base + from, length: span), clickThrough: slot.clickThrough,
                verifications: slot.verifications, extras: slot.extras)
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
                events: events(tracking, at: start, length: length)))
    }

    /// Keeps the events of a container for the ads that they fall into.
    mutating func note(_ tracking: [CreativeSignal.Event], at start: UnixTime, length: Duration?) {
        podEvents += events(tracking, at: start, length: length)
    }

    /// Keeps the events of a pod of a container that starts at `base`.
    mutating func note(_ pod: CreativeSignal.Pod, at base: UnixTime, length: Duration?) {
        let from = pod.start ?? .zero
        note(pod.tracking, at: base + from, length: pod.duration ?? length.map { max(.zero, $0 - from) })
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

    /// A slot lasts as long as it states, else to the next one, else to the end of its container; nil when unknown.
    private mutating func span(
        of slot: CreativeSignal.Slot, from: Duration, before next: CreativeSignal.Slot?, isOnly: Bool,
        _ length: Duration?
    ) -> Duration? {
        let room = length.map { max(.zero, $0 - from) }
        guard let stated = slot.duration else {
            guard let start = next?.start, start > from else { return room }
            return room.map { min($0, start - from) } ?? (start - from)
        }
        guard let room else { return stated }
        let excess = stated - room
        if isOnly, excess.magnitude <= Self.rounding { return room }
        if excess > Self.rounding { flagExcess(slot, excess) }
        return stated
    }

    /// Without an offset the type determines the time; the viewer's actions count throughout. A share of an unknown
    /// length is never due (VAST 3.0 section 2.3.2.3), nor is progress to an unknown moment.
    private func events(_ events: [CreativeSignal.Event], at base: UnixTime, length: Duration?) -> [TrackingEvent] {
        zip(events, EventType.types(listed: events.map(\.type))).map { event, listed in
            // An id of the media is verified where the media has it.
            var type = listed == .mediaVerification ? .unknown : listed
            let isSpan = type.eventClass == .user
            if event.offset == nil, type == .progress || length == nil && type.isSignaledShare { type = .unknown }
            let moment = event.offset ?? (isSpan ? .zero : type.signaledMoment(of: length ?? .zero))
            return TrackingEvent(
                type: type, rawName: event.type, start: base + moment,
                duration: isSpan ? max(.zero, (length ?? .zero) - moment) : .zero, urls: event.urls,
                macros: macros(in: event.urls))
        }
    }

    /// URLs may contain VAST macros (TRK-28); a URL without macros is sent byte for byte.
    private func macros(in urls: [String]) -> BeaconMacros? {
        guard urls.contains(where: { URLText($0).hasMacro }) else { return nil }
        return BeaconMacros(values: MacroValues(), context: .tracking)
    }

    private mutating func flagExcess(_ slot: CreativeSignal.Slot, _ excess: Duration) {
        let name = slot.identifiers.first.map { " '\($0.value)'" } ?? ""
        findings.append(
            Finding(
                rule: SignalingRule.slotTooLong, severity: .warning,
                message: "slot\(name) ends \(excess.inMilliseconds) ms after its \(container)", section: "SVTA 2053-1"))
    }
}

extension Ad {
    /// Whether the slot that it was signaled in is a part of the stream.
    var isInLinearSlot: Bool { extras["type"] == nil }
}

extension EventType {
    /// Whether its moment is a share of the length of its container.
    fileprivate var isSignaledShare: Bool {
        switch self {
        case .podEnd, .breakEnd, .firstQuartile, .midpoint, .thirdQuartile, .complete: true
        default: false
        }
    }

    /// When an event without an offset is due in a container of this length.
    fileprivate func signaledMoment(of length: Duration) -> Duration {
        // Integer quarters: a factor would round.
        switch self {
        case .firstQuartile: return length / 4
        case .midpoint: return length / 2
        case .thirdQuartile: return length * 3 / 4
        case .complete, .podEnd, .breakEnd: return length
        default: return .zero
        }
    }
}
