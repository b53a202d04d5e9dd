package import HLS
package import Ports
import VAST

/// The break that an interstitial is, on the clock of its own track: `start` plus what was played of it.
package struct InterstitialBreak: Hashable, Sendable {
    package var adBreak: AdBreak
    /// What its signaling breaks.
    package var findings: [Finding] = []

    /// - Parameters:
    ///   - list: its asset list, where it has one and that came.
    ///   - start: what its clock starts from: its START-DATE, which no reload may change, so that a later process finds
    ///     its beacons in the journal.
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

    /// There is something to report of it.
    package var hasTracking: Bool { adBreak.ads.contains { !$0.events.isEmpty } }
}

/// Collects the ads of an interstitial asset by asset.
private struct InterstitialAds {
    /// A slot whose length is this near to that of its asset is the asset: announced durations are rounded.
    private static let rounding: Duration = .milliseconds(500)

    let entry: TrackedInterstitial
    let start: UnixTime
    var findings: [Finding] = []
    private var ads: [Ad] = []
    /// Of the asset to come, from the start of the interstitial.
    private var assetStart = Duration.zero
    private var assetsAreSignaled = false
    /// Of pods: where they belong is known when all ads are.
    private var podEvents: [TrackingEvent] = []

    init(entry: TrackedInterstitial, start: UnixTime) {
        self.entry = entry
        self.start = start
    }

    /// The next asset with its own envelope. Without one it is still an ad, of which nothing is reported.
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

    /// The envelope of the whole list, or of the date range: its slots count where no asset has its own.
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

    /// The ads by start, with the events of pods given to the ads they fall into.
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

    /// Without an offset the type says when; what the viewer does may be reported all along.
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

    /// VAST macros may stand in the URLs (TRK-28); those that have none go out byte for byte.
    private func macros(in urls: [String]) -> BeaconMacros? {
        guard urls.contains(where: { URLText($0).hasMacro }) else { return nil }
        return BeaconMacros(values: MacroValues(), context: .tracking)
    }

    private mutating func flagExcess(_ slot: CreativeSignal.Slot, _ excess: Duration) {
        let name = slot.identifiers.first.map { " '\($0.value)'" } ?? ""
        findings.append(
            Finding(
                rule: "signaling-slot-too-long", severity: .warning,
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

    /// When an event without offset is due in something of this length.
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
    /// What an address is called by: its last path component without query, or all of it.
    fileprivate var lastPathComponent: String {
        let path = URIReference(self).path
        return path.split(separator: "/").last.map(String.init) ?? self
    }
}
