import Ports
import VAST

/// Reads breaks of VMAP with the ads inside (PRV-28, PRV-29).
struct VMAPBreakReader {
    var answer = ListedAnswer()
    /// What names the creative of an ad.
    var creative: @Sendable (VASTDocument.Creative) -> String? = { $0.id ?? $0.adID }

    /// Adds a break whose ads follow each other from `start` on.
    mutating func add(_ entry: VMAPDocument.Break, at start: ExactDecimal) {
        guard answer.admitsBreak() else { return }
        var adBreak = ListedBreak(id: entry.id, start: start)
        adBreak.isLinear = entry.types.isEmpty || entry.types.contains { $0.lowercased() == "linear" }
        if case .vast(let document, _)? = entry.source?.content {
            adBreak.ads = ads(document.ads, of: adBreak)
        }
        let events = entry.tracking.prefix(ListedAnswer.eventsPerAd).compactMap {
            answer.event($0.event, [$0.url], statedOffset: nil, window: nil, at: adBreak.node)
        }
        adBreak.events = answer.joined(events, inLength: adBreak.length, at: adBreak.node)
        answer.breaks.append(adBreak)
    }

    /// Reports a break whose `timeOffset` has no meaning in a programme (PRV-27).
    /// - Parameter total: length of the programme in seconds; nil while unknown.
    mutating func ignore(_ entry: VMAPDocument.Break, total: ExactDecimal?) {
        let time = entry.timeOffset.isEmpty ? "no timeOffset" : "the timeOffset '\(entry.timeOffset)'"
        let reason = "the break has \(time) in a programme of \(total.map { "\($0) s" } ?? "unknown length")"
        answer.report(.withoutTime, "\(reason): it is ignored", at: entry.id ?? "")
    }

    /// The ads in their order, end to end (PRV-28).
    mutating func ads(_ listed: [VASTDocument.Ad], of adBreak: ListedBreak) -> [ListedAd] {
        let isPod = listed.allSatisfy { $0.podPlace != nil }
        let ordered = isPod ? listed.sortedStably { ($0.podPlace ?? 0) < ($1.podPlace ?? 0) } : listed
        var ads: [ListedAd] = []
        var cursor = adBreak.start
        for entry in ordered {
            guard answer.admitsAd(to: ads.count) else { break }
            let linear = entry.creatives.first { $0.linear != nil }
            var ad = ListedAd(id: entry.id, start: cursor)
            let node = adBreak.node(of: ad)
            ad.isLinear = adBreak.isLinear && (linear != nil || !entry.creatives.contains { $0.nonLinear != nil })
            ad.length = linear?.linear?.durationText.flatMap(ListedTime.seconds(text:))
            if ad.length == nil, ad.isLinear {
                answer.report(.wrongType, "the ad has no usable Duration: its length is unknown", at: node)
            }
            ad.creative = (linear ?? entry.creatives.first).flatMap(creative)
            readEvents(of: entry, into: &ad, at: node)
            cursor = ad.isLinear ? ad.end ?? cursor : cursor
            ads.append(answer.joined(ad, at: node))
        }
        return ads
    }

    /// Makes one break of those that start at the same second, as Brightcove means them (PRV-27).
    mutating func uniteBreaks() {
        var united: [ListedBreak] = []
        var joinedTo: Set<Int> = []
        for adBreak in answer.breaks {
            guard let index = united.firstIndex(where: { $0.start == adBreak.start }) else {
                united.append(adBreak)
                continue
            }
            let shift = (united[index].length ?? .zero)
            united[index].ads += adBreak.ads.map { ad in
                var ad = ad
                ad.start = ad.start.plus(shift)
                return ad
            }
            united[index].events += adBreak.events
            joinedTo.insert(index)
        }
        for index in joinedTo.sorted() {
            let events = Array(united[index].events.prefix(ListedAnswer.eventsPerAd))
            united[index].events = answer.joined(
                events, inLength: united[index].length, at: united[index].node)
        }
        answer.breaks = united
    }

    // MARK: Events

    private mutating func readEvents(of entry: VASTDocument.Ad, into ad: inout ListedAd, at node: String) {
        add("impression", entry.impressions, to: &ad, at: node)
        add("error", entry.errors, to: &ad, at: node)
        // An overlay beside a linear creative is not shown while that plays.
        let isOverlay = !entry.creatives.contains { $0.linear != nil }
        for creative in entry.creatives {
            if let linear = creative.linear {
                readTracking(linear.tracking, linear.progress, into: &ad, at: node)
                add("clickThrough", [linear.clickThrough].compactMap(\.self), to: &ad, at: node)
                add("clickTracking", linear.clickTracking, to: &ad, at: node)
            } else if isOverlay, let overlays = creative.nonLinear {
                let first = overlays.nonLinears.first
                readTracking(overlays.tracking + (first?.tracking ?? []), [], into: &ad, at: node)
                add("clickTracking", first?.clickTracking ?? [], to: &ad, at: node)
                add("clickThrough", [first?.clickThrough].compactMap(\.self), to: &ad, at: node)
            }
        }
    }

    private mutating func readTracking(
        _ tracking: [Tracking], _ progress: [ProgressTracking], into ad: inout ListedAd, at node: String
    ) {
        let entries =
            tracking.map { ($0.event, $0.offset, $0.url, $0.position) }
            + progress.map { ("progress", Optional($0.offset), $0.url, $0.position) }
        let inOrder = entries.sortedStably { ($0.3.line, $0.3.column) < ($1.3.line, $1.3.column) }
        for (name, offset, url, _) in inOrder {
            let stated = offset.flatMap { VMAPTime.moment($0, of: ad.length) }
            answer.add(name, [url], statedOffset: stated, to: &ad, at: node)
        }
    }

    private mutating func add(_ name: String, _ links: [Link], to ad: inout ListedAd, at node: String) {
        // `about:blank` means that there is no impression URL (VAST 4.1).
        let urls = links.map(\.url).filter { $0 != "about:blank" }
        if !urls.isEmpty { answer.add(name, urls, to: &ad, at: node) }
    }
}
