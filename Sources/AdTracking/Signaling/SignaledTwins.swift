import Algorithms
package import Ports

/// Ads that both metadata and the date ranges of the playlist describe: they are one ad, and its beacons are sent once (TRK-29).
package enum SignaledTwins {
    /// Starts that differ by at most this can be one ad (PRV-9).
    private static let near: Duration = .milliseconds(500)
    /// Differences up to this count as rounding (PRV-13).
    private static let rounding: Duration = .milliseconds(100)

    /// Where the two descriptions of an ad differ, and beacons that both list.
    /// - Parameter placed: breaks of date ranges.
    package static func findings(in placed: [AdBreak], beside book: BreakBook) -> [Finding] {
        guard !placed.isEmpty else { return [] }
        let known = book.breaks.filter { $0.source == .metadata && $0.track == .primary }.flatMap { adBreak in
            adBreak.presentAds.map { Known(ad: $0.ad, place: FindingPlace(adBreak, $0)) }
        }.enumerated().sorted { ($0.element.ad.start, $0.offset) < ($1.element.ad.start, $1.offset) }
        return placed.flatMap(\.ads).flatMap { ad -> [Finding] in
            guard let twin = nearest(to: ad.start, in: known), (twin.ad.start - ad.start).magnitude <= near
            else { return [] }
            return findings(ad, twin.ad).map { $0.at(twin.place) }
        }
    }

    private struct Known {
        var ad: Ad
        var place: FindingPlace
    }

    /// The ad whose start is nearest; of several the one that the book has first.
    /// - Parameter known: by start, with their places in the book.
    private static func nearest(
        to start: UnixTime, in known: [EnumeratedSequence<[Known]>.Element]
    ) -> Known? {
        let next = known.partitioningIndex { $0.element.ad.start >= start }
        let after = next < known.count ? known[next] : nil
        guard next > 0 else { return after?.element }
        let last = known[next - 1].element.ad.start
        let before = known[known.partitioningIndex { $0.element.ad.start >= last }]
        guard let after else { return before.element }
        let (back, ahead) = (start - last, after.element.ad.start - start)
        return (back, before.offset) < (ahead, after.offset) ? before.element : after.element
    }

    private static func findings(_ ad: Ad, _ twin: Ad) -> [Finding] {
        let name = ad.name ?? "without id"
        var findings: [Finding] = []
        let (start, length) = (twin.start - ad.start, twin.duration - ad.duration)
        if start.magnitude > rounding {
            findings.append(
                finding(.differs, "the ad starts \(start.inMilliseconds) ms later in the metadata", of: name))
        }
        if length.magnitude > rounding, ad.duration > .zero, twin.duration > .zero {
            let lengths = "\(ad.duration.inMilliseconds) ms in its date range and \(twin.duration.inMilliseconds) ms"
            findings.append(finding(.differs, "the ad lasts \(lengths) in the metadata", of: name))
        }
        let listed = Set(twin.events.flatMap(\.urls))
        let shared = Set(ad.events.flatMap(\.urls)).intersection(listed)
        if !shared.isEmpty {
            let beacons = shared.count == 1 ? "1 beacon is" : "\(shared.count) beacons are"
            let own = Set(ad.events.lazy.filter { !$0.isReportedByService }.flatMap(\.urls))
            let sent = shared.isDisjoint(with: own) ? "the service reports them" : "each is sent once"
            findings.append(
                finding(.twice, "\(beacons) listed in the date range and in the metadata; \(sent)", of: name))
        }
        return findings
    }

    private static func finding(_ rule: SignalingRule, _ message: String, of ad: String) -> Finding {
        Finding(rule: rule, severity: .warning, message: "ad '\(ad)': \(message)", path: ad, section: "TRK-29")
    }
}
