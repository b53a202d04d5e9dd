package import Ports

/// Where metadata and date ranges differ about an ad that both describe, and beacons that both list, each reported once (TRK-29).
package struct SignaledDifferences: Sendable {
    /// Differences up to this count as rounding (PRV-13).
    private static let rounding: Duration = .milliseconds(100)

    /// What was reported and still holds.
    private var said: Set<Finding> = []
    /// The composition that was compared, and when the next ad that only one of both lists is over.
    private var compared: (composition: Int, until: UnixTime?)?

    package init() {}

    /// What is new. Nothing is compared again while nothing was composed and no other ad is over.
    package mutating func findings(in tracker: AdTracker) -> [Finding] {
        if let compared, compared.composition == tracker.compositions,
            !(compared.until.map { tracker.hasReached($0) } ?? false)
        {
            return []
        }
        compared = (tracker.compositions, Self.nextEnd(in: tracker))
        let all = tracker.book.breaks.filter { $0.source == .metadata && $0.presence != .vanished }
            .flatMap { Self.findings(of: $0, in: tracker) }
        guard !all.isEmpty || !said.isEmpty else { return [] }
        let new = all.filter { !said.contains($0) }
        said = Set(all)
        return new
    }

    /// When the next ad is over of those that only the metadata or only a date range lists: until then it may be listed.
    private static func nextEnd(in tracker: AdTracker) -> UnixTime? {
        tracker.book.breaks.lazy.filter { $0.source == .metadata && $0.presence != .vanished }
            .flatMap(comparedAds).filter { $0.details.signaled?.isAlone ?? true }
            .map(\.end).filter { !tracker.hasReached($0) }.min()
    }

    /// The ads of a break, if date ranges describe any.
    private static func comparedAds(of adBreak: KnownBreak) -> [KnownAd] {
        let ads = adBreak.presentAds
        return ads.contains { $0.details.signaled != nil } ? ads : []
    }

    private static func findings(of adBreak: KnownBreak, in tracker: AdTracker) -> [Finding] {
        comparedAds(of: adBreak).flatMap { known -> [Finding] in
            let isOver = tracker.hasReached(known.end)
            let name = known.name.given ?? known.details.signaled?.name ?? "without id"
            var findings: [Finding] = []
            if let signaled = known.details.signaled, !signaled.isAlone {
                findings =
                    differences(of: known.ad, and: signaled, isWhole: tracker.isWhole(known), called: name)
                    + shared(of: known, in: tracker, called: name)
            } else if isOver, tracker.isWhole(known), !known.details.isSlate {
                let isAlone = known.details.signaled != nil
                let text =
                    isAlone
                    ? "a date range lists the ad, and not the metadata" : "the metadata lists the ad, and no date range"
                findings = [finding(.differs, .warning, text, of: name)]
            }
            return findings.map { $0.at(FindingPlace(adBreak, known)) }
        }
    }

    /// - Parameter isWhole: whether the metadata lists all of the ad, which may grow.
    private static func differences(
        of ad: Ad, and signaled: SignaledAd, isWhole: Bool, called name: String
    ) -> [Finding] {
        var findings: [Finding] = []
        let start = ad.start - signaled.start
        if start.magnitude > rounding {
            let side = start > .zero ? "later" : "earlier"
            findings.append(
                finding(
                    .differs, .warning,
                    "the ad starts \(start.magnitude.inMilliseconds) ms \(side) in the metadata than in its date range",
                    of: name, at: "start"))
        }
        if let other = signaled.name, let own = ad.name, other != own,
            ad.extras["creativeId"]?.stringValue != other
        {
            findings.append(
                finding(.differs, .info, "the ad is called '\(other)' in its date range", of: name, at: "id"))
        }
        guard isWhole else { return findings }
        if (ad.duration - signaled.duration).magnitude > rounding, ad.duration > .zero, signaled.duration > .zero {
            let lengths =
                "\(signaled.duration.inMilliseconds) ms in its date range and \(ad.duration.inMilliseconds) ms"
            findings.append(
                finding(.differs, .warning, "the ad lasts \(lengths) in the metadata", of: name, at: "duration"))
        }
        func unshared(isSignaled: Bool) -> Int {
            ad.events.lazy.filter { $0.isSignaled == isSignaled }.reduce(0) { $0 + $1.urls.count - $1.sharedURLs.count }
        }
        let (added, own) = (unshared(isSignaled: true), unshared(isSignaled: false))
        if signaled.hasEvents, added + own > 0 {
            findings.append(
                finding(
                    .differs, .info,
                    "\(beacons(added)) listed in the date range alone, \(own) in the metadata alone", of: name,
                    at: "tracking"))
        }
        return findings
    }

    private static func shared(of known: KnownAd, in tracker: AdTracker, called name: String) -> [Finding] {
        let events = known.ad.events.filter { !$0.sharedURLs.isEmpty }
        let urls = Set(events.flatMap(\.sharedURLs))
        guard !urls.isEmpty else { return [] }
        let what = "\(beacons(urls.count)) listed in the date range and in the metadata"
        if events.allSatisfy(\.isReportedByService) {
            return [finding(.twice, .warning, "\(what); the service reports them", of: name)]
        }
        let sent = tracker.settings.reportsAnyway ? 0 : sent(of: urls, known, in: tracker)
        let ending =
            switch sent {
            case _ where tracker.settings.reportsAnyway: "each is sent once (--fire-anyway)"
            case 0: "they are not sent without --fire-anyway"
            case urls.count: "they were sent when only one of them was known"
            default:
                "\(sent == 1 ? "1 was" : "\(sent) were") sent when only one of them was known, "
                    + "the rest is not sent without --fire-anyway"
            }
        return [finding(.twice, .error, "\(what); \(ending)", of: name)]
    }

    /// Number of those URLs that were sent: one source listed them before the other.
    private static func sent(of urls: Set<String>, _ known: KnownAd, in tracker: AdTracker) -> Int {
        let slots = known.events.lazy.flatMap { tracker.ledger[$0.id]?.urls ?? [] }
        let sent = slots.filter { slot in
            // A duplicate is one that was sent under another name.
            ![.planned, .skipped, .observed].contains(slot.state) || slot.reason == .duplicate
        }
        return Set(sent.map(\.url)).intersection(urls).count
    }

    private static func beacons(_ count: Int) -> String { count == 1 ? "1 beacon is" : "\(count) beacons are" }

    private static func finding(
        _ rule: SignalingRule, _ severity: Severity, _ message: String, of ad: String, at member: String? = nil
    ) -> Finding {
        let path = member.map { "\(ad).\($0)" } ?? ad
        return Finding(
            rule: rule, severity: severity, message: "ad '\(ad)': \(message)", path: path, section: "TRK-29")
    }
}

extension AdTracker {
    fileprivate func hasReached(_ date: UnixTime) -> Bool { position.map { $0 >= date } ?? false }

    /// Whether the newest document shows that an ad does not grow any more.
    fileprivate func isWhole(_ ad: KnownAd) -> Bool {
        if let dataRange { return !dataRange.isReached(by: max(ad.end, ad.details.signaled?.end ?? ad.end)) }
        return settledUntil.map { $0 >= ad.end } ?? true
    }
}
