package import HLS
package import Ports

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
        // Behind an asset whose length is not known yet nothing has a place.
        if entry.unmeasured.isEmpty {
            for (index, asset) in entry.knownAssets.enumerated() where !asset.isMissing {
                reader.read(asset, index: index)
            }
            if let envelope = list?.extras[CreativeSignal.member] { reader.read(CreativeSignal.read(envelope)) }
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
    let entry: TrackedInterstitial
    let start: UnixTime
    private var signaled = SignaledAds(container: "asset", endsWithContainer: true)
    /// Offset of the next asset from the start of the interstitial.
    private var assetStart = Duration.zero
    private var assetsAreSignaled = false

    init(entry: TrackedInterstitial, start: UnixTime) {
        self.entry = entry
        self.start = start
    }

    var findings: [Finding] { signaled.findings }

    /// Reads the next asset with its own envelope. Without an envelope the asset is an ad without events.
    mutating func read(_ asset: AssetList.Asset, index: Int) {
        let length = entry.duration(ofAsset: index)
        defer { assetStart += length ?? .zero }
        let name = asset.uri.lastPathComponent
        let from = start + assetStart
        guard let envelope = asset.extras[CreativeSignal.member] else {
            if let length, length > .zero { signaled.ads.append(Ad(name: name, start: from, duration: length)) }
            return
        }
        let signal = CreativeSignal.read(envelope, path: "ASSETS[\(index)].\(CreativeSignal.member)")
        signaled.note(signal.findings)
        assetsAreSignaled = assetsAreSignaled || !signal.isEmpty
        let slots = signal.allSlots
        if slots.isEmpty {
            signaled.append(signal.tracking, asAd: name, at: from, length: length)
        } else {
            signaled.append(slots, at: from, length: length, named: name)
            signaled.note(signal.tracking, at: from, length: length)
        }
        for pod in signal.pods { signaled.note(pod, at: from, length: length) }
    }

    /// Reads the envelope of the whole list or of the date range; its slots count where no asset has its own.
    mutating func read(_ signal: CreativeSignal) {
        signaled.note(signal.findings)
        let length = entry.total
        let slots = signal.allSlots
        if !assetsAreSignaled, !slots.isEmpty {
            signaled.ads = []
            signaled.append(slots, at: start, length: length, named: entry.id)
            assetsAreSignaled = true
        }
        signaled.note(signal.tracking, at: start, length: length)
        for pod in signal.pods { signaled.note(pod, at: start, length: length) }
    }

    /// The ads by start, with the events of pods.
    func finished() -> [Ad] {
        signaled.finished(else: Ad(name: entry.id, start: start, duration: entry.end ?? .zero))
    }
}

extension String {
    /// The last path component without query, or the whole text if there is none.
    fileprivate var lastPathComponent: String {
        let path = URIReference(self).path
        return path.split(separator: "/").last.map(String.init) ?? self
    }
}
