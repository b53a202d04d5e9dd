package import HLS
package import Ports
import VAST

/// The break that an interstitial makes, on the clock of its own track: `start` plus the time played in it.
package struct InterstitialBreak: Hashable, Sendable {
    package var adBreak: AdBreak
    /// Violations of the signaling rules.
    package var findings: [Finding] = []

    /// - Parameters:
    ///   - list: the asset list, if the interstitial has one and it arrived.
    ///   - start: origin of its clock: its START-DATE, which no reload may change, so that a later process finds its
    ///     beacons in the journal.
    package init(_ entry: TrackedInterstitial, list: AssetList?, start: UnixTime) {
        var reader = InterstitialAds(entry: entry, start: start)
        if let list {
            for (index, asset) in list.assets.enumerated() { reader.read(asset, index: index) }
            if let envelope = list.extras[CreativeSignal.member] { reader.read(CreativeSignal.read(envelope)) }
        } else {
            for (index, asset) in entry.knownAssets.enumerated() { reader.read(asset, index: index) }
        }
        if let attribute = entry.definition.creativeSignaling {
            reader.read(CreativeSignal.read(attribute: attribute))
        }
        adBreak = AdBreak(
            name: entry.id, start: start, duration: entry.end ?? .zero, source: .interstitial,
            track: .interstitial(entry.id), ads: reader.finished())
        findings = reader.findings
    }

    /// Whether it has tracking events.
    package var hasTracking: Bool { adBreak.ads.contains { !$0.events.isEmpty } }
}

/// Collects the ads of an interstitial asset by asset.
private struct InterstitialAds {
    /// Largest difference between the lengths of a slot and its asset for them to be the same: announced durations are
    /// rounded.
    private static let rounding: Duration = .milliseconds(500)

    let entry: TrackedInterstitial
    let start: UnixTime
    var findings: [Finding] = []
    private var ads: [Ad] = []
    /// Offset of the next asset from the start of the interstitial.
    private var assetStart = Duration.zero
    private var assetsAreSignaled = false
    /// Events of pods; they are assigned when all ads are known.
    private var podEvents: [TrackingEvent] = []

    init(entry: TrackedInterstitial, start: UnixTime) {
        self.entry = entry
        self.start = start
    }

    /// Reads the next asset with its own envelope. Without an envelope the asset is an ad without events.
    mutating func read(_ asset: AssetList.Asset, index: Int) {
        let length = max(.zero, entry.duration(ofAsset: index) ?? .zero)
        defer { assetStart += length }
        let name = asset.uri.lastPathComponent
        guard let envelope = asset.extras[CreativeSignal.member] else {
            if length > .zero { ads.append(Ad(name: name, start: start + assetStart, duration: length)) }
            return
        }
        let signal = CreativeSignal.read(envelope, path: "ASSETS[\(index)].\(CreativeSignal.member)")
        findings += signal.findings
        assetsAreSignaled = assetsAreSignaled || !signal.isEmpty
        let slots = signal.allSlots
        if slots.isEmpty {
            ads.append(
                Ad(
                    name: name, start: start + assetStart, duration: length,
                    events: events(signal.tracking, at: assetStart, length: length)))
        } else {
            append(slots, at: assetStart, length: length, named: name)
            podEvents += events(signal.tracking, at: assetStart, length: length)
        }
        for pod in signal.pods { notePodEvents(pod, at: assetStart, length: length) }
    }

    /// Reads the envelope of the whole list or of the date range; its slots count where no asset has its own.
    mutating func read(_ signal: CreativeSignal) {
        findings += signal.findings
        let length = entry.total ?? .zero
        let slots = signal.allSlots
        if !assetsAreSignaled, !slots.isEmpty {
            ads = []
            append(slots, at: .zero, length: length, named: entry.id)
            assetsAreSignaled = true
        }
        podEvents += events(signal.tracking, at: .zero, length: length)
        for pod in signal.pods { notePodEvents(pod, at: .zero, length: length) }
    }

    /// The ads by start; events of pods are added to the ads they fall into.
    mutating func finished() -> [Ad] {
        for event in podEvents {
            let last = ads.lastIndex { $0.start <= event.start }
            let index = ads.lastIndex { $0.start <= event.start && event.start < $0.end } ?? last
            if let index {
                ads[index].events.append(event)
            } else {
                ads.append(Ad(name: entry.id, start: start, duration: entry.end ?? .zero, events: [event]))
            }
        }
        return ads.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    private mutating func append(
        _ slots: [CreativeSignal.Slot], at base: Duration, length: Duration, named name: String
    ) {
        var cursor = Duration.zero
        for (index, slot) in slots.enumerated() {
            let from = slot.start ?? cursor
            let room = max(.zero, length - from)
            var span = slot.duration ?? room
            let excess = span - room
            if slots.count == 1, max(excess, .zero - excess) <= Self.rounding { span = room }
            if excess > Self.rounding { flagExcess(slot, excess) }
            cursor = from + span
            var ad = Ad(
                name: slot.identifiers.first?.value ?? (index == 0 ? name : "\(name) \(index + 1)"),
                start: start + base + from, duration: span,
                events: events(slot.tracking, at: base + from, length: span), clickThrough: slot.clickThrough,
                verifications: slot.verifications, extras: slot.extras)
            if slot.type != "linear" { ad.extras.append("type", .string(slot.type)) }
            if let offset = slot.skipOffset { ad.extras.append("skipOffset", .string(offset.text)) }
            ads.append(ad)
        }
    }

    private mutating func notePodEvents(_ pod: CreativeSignal.Pod, at base: Duration, length: Duration) {
        let from = pod.start ?? .zero
        podEvents += events(pod.tracking, at: base + from, length: pod.duration ?? max(.zero, length - from))
    }

    /// Without an offset the type determines the time; the viewer's actions count throughout.
    private func events(
        _ events: [CreativeSignal.Event], at base: Duration, length: Duration
    ) -> [TrackingEvent] {
        events.map { event in
            let type = EventType(signaled: event.type)
            let isSpan = type.eventClass == .user
            let moment = event.offset ?? (isSpan ? .zero : type.signaledMoment(of: length))
            return TrackingEvent(
                type: type, rawName: event.type, start: start + base + moment,
                duration: isSpan ? max(.zero, length - moment) : .zero, urls: event.urls, macros: macros(in: event.urls)
            )
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
                message: "slot\(name) ends \(excess.inMilliseconds) ms after its asset", section: "SVTA 2053-1"))
    }
}

extension EventType {
    /// Signaling has its own names for pods, and players report errors.
    fileprivate init(signaled name: String) {
        let own: [String: EventType] = [
            "podStart": .podStart, "podEnd": .podEnd, "progress": .progress, "error": .error,
        ]
        self = own[name] ?? EventType(name: name)
    }

    /// When an event without an offset is due in a container of this length.
    fileprivate func signaledMoment(of length: Duration) -> Duration {
        if self == .podEnd { return length }
        // Integer quarters: a factor would round.
        switch self {
        case .firstQuartile: return length / 4
        case .midpoint: return length / 2
        case .thirdQuartile: return length * 3 / 4
        case .complete: return length
        default: return .zero
        }
    }
}

extension String {
    /// The last path component without query, or the whole text if there is none.
    fileprivate var lastPathComponent: String {
        let path = URIReference(self).path
        return path.split(separator: "/").last.map(String.init) ?? self
    }
}
