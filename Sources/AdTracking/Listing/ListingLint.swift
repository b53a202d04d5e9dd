package import Ports

/// What is wrong with the structure of breaks and ads, whatever order they came in (PRV-13). Paths of findings are nodes.
package enum ListingLint {
    package static func findings(in breaks: [ListedBreak]) -> [Finding] {
        overlaps(breaks.filter { $0.isLinear && !$0.isExpected }) + breaks.flatMap(findings)
    }

    private static func overlaps(_ breaks: [ListedBreak]) -> [Finding] {
        zip(breaks, breaks.dropFirst()).compactMap { first, second in
            guard let length = first.length, first.start.plus(length).minus(second.start) > .listedTolerance
            else { return nil }
            return LintRule.breakOverlap.finding("the break starts before '\(first.node)' ends", path: second.node)
        }
    }

    private static func findings(_ adBreak: ListedBreak) -> [Finding] {
        var findings: [Finding] = []
        let linear = adBreak.ads.filter(\.isLinear)
        for (first, second) in zip(linear, linear.dropFirst()) {
            guard let end = first.end else { continue }
            if end.minus(second.start) > .listedTolerance {
                findings.append(
                    LintRule.adOverlap.finding(
                        "the ad starts before the one ahead of it ends", path: adBreak.node(of: second)))
            } else if second.start.minus(end) > .listedTolerance {
                findings.append(
                    LintRule.adGap.finding(
                        "\(second.start.minus(end)) s before the ad are empty", path: adBreak.node(of: second)))
            }
        }
        for ad in linear { findings += self.findings(ad, in: adBreak) }
        if adBreak.ads.isEmpty {
            findings.append(LintRule.emptyBreak.finding("the break has no ads", path: adBreak.node))
        }
        return findings + lengths(of: adBreak, linear)
    }

    private static func findings(_ ad: ListedAd, in adBreak: ListedBreak) -> [Finding] {
        let node = adBreak.node(of: ad)
        var findings: [Finding] = []
        let breakEnd = adBreak.length.map { adBreak.start.plus($0) }
        let isEarly = adBreak.start.minus(ad.start) > .listedTolerance
        let excess = ad.end.flatMap { end in breakEnd.map { end.minus($0) } } ?? .zero
        if isEarly || excess > .listedTolerance {
            findings.append(LintRule.adOutsideBreak.finding("the ad reaches beyond its break", path: node))
        }
        for event in ad.events {
            guard event.type.eventClass == .time, let stated = event.statedOffset else { continue }
            if stated.isNegative || ad.length.map({ stated.minus($0) > .listedTolerance }) == true {
                findings.append(
                    LintRule.eventOutsideAd.finding("\(event.name) is outside its ad", path: "\(node)/\(event.name)"))
            }
        }
        let order: [EventType] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        let moments = order.compactMap { type in
            ad.events.first(where: { $0.type == type })?.offset(inLength: ad.length)
        }
        if moments != moments.sorted() {
            findings.append(LintRule.eventOrder.finding("the quartiles are not in order", path: node))
        }
        return findings
    }

    private static func lengths(of adBreak: ListedBreak, _ linear: [ListedAd]) -> [Finding] {
        guard let length = adBreak.length else { return [] }
        var findings: [Finding] = []
        if let planned = adBreak.planned, planned.distance(to: length) > .listedTolerance {
            findings.append(
                ProviderRule.markerLength.finding(
                    "the break lasts \(length) s, its marker promised \(planned) s", path: adBreak.node))
        }
        let known = linear.compactMap(\.length)
        guard !linear.isEmpty, known.count == linear.count, length.isPositive else { return findings }
        let filled = known.reduce(ExactDecimal.zero) { $0.plus($1) }
        if filled.distance(to: length) > .listedTolerance {
            findings.append(
                LintRule.fill.finding("the break lasts \(length) s, its ads \(filled) s", path: adBreak.node))
        }
        return findings
    }
}
