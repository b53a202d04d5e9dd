package import Ports

/// Facts about the session and earlier polls that the lint of a document needs.
package struct LintContext: Hashable, Sendable {
    /// Differences up to this count as rounding (TRK-23).
    package static let tolerance: Duration = .milliseconds(100)
    /// Assumed interval to the previous poll when there was none.
    package static let usualPoll: Duration = .seconds(4)

    /// Whether the session's own URLs are https.
    package var isSecure: Bool
    /// Whether the session's media is on a public address.
    package var isPublic: Bool
    /// End of the previous document's data range. Nodes that were planned to end before it are final (TRK-5).
    package var settledUntil: UnixTime?

    package init(isSecure: Bool, isPublic: Bool, settledUntil: UnixTime? = nil) {
        self.isSecure = isSecure
        self.isPublic = isPublic
        self.settledUntil = settledUntil
    }
}

/// Metadata lint of one document (TRK-23; findings L15 to L34, L40, L54, L55). Problems found while reading it are in
/// ``DecodedMetadata/findings``.
struct DocumentLinter {
    let context: LintContext
    let range: DataRange?
    private(set) var findings: [Finding] = []
    /// What is being checked.
    var place: FindingPlace?

    init(context: LintContext, range: DataRange?) {
        self.context = context
        self.range = range
    }

    mutating func report(_ rule: LintRule, _ message: String) {
        guard findings.count < DecodedMetadata.findingsKept else { return }
        findings.append(rule.finding(message).at(place))
    }

    /// Whether a node is final: the growing edge has passed its planned end by one poll. Always false without a data
    /// range.
    func isSettled(_ plannedEnd: UnixTime) -> Bool {
        settledUntil.map { plannedEnd <= $0 } ?? false
    }

    /// Planned ends up to here are final; nil without a data range.
    var settledUntil: UnixTime? {
        range.map { context.settledUntil ?? ($0.end - LintContext.usualPoll) }
    }

    mutating func checkOverlaps(_ document: DecodedMetadata) {
        let tolerance = LintContext.tolerance
        for (first, second) in zip(document.breaks, document.breaks.dropFirst())
        where second.start + tolerance < first.end {
            report(
                .breakOverlap,
                "\(second.label) starts \((first.end - second.start).inMilliseconds) ms before \(first.label) ends")
        }
    }

    mutating func check(_ adBreak: AdBreak) {
        let tolerance = LintContext.tolerance
        place = FindingPlace(adBreak: adBreak.name ?? "", start: adBreak.start)
        let linear = adBreak.ads.allSatisfy(\.isLinear) ? adBreak.ads : adBreak.ads.filter(\.isLinear)
        for (first, second) in zip(linear, linear.dropFirst()) {
            let gap = second.start - first.end
            if gap < .zero - tolerance {
                report(
                    .adOverlap, "\(second.label) starts \((.zero - gap).inMilliseconds) ms before \(first.label) ends")
            } else if gap > tolerance {
                report(.adGap, "\(gap.inMilliseconds) ms between \(first.label) and \(second.label)")
            }
        }
        for ad in adBreak.ads { check(ad, in: adBreak) }
        guard isSettled(adBreak.plannedEnd), !linear.isEmpty else { return }
        let filled = linear.reduce(Duration.zero) { $0 + $1.duration }
        let difference = adBreak.duration - filled
        if difference.magnitude > tolerance, adBreak.duration > .zero {
            let share = (filled.inSeconds / adBreak.duration.inSeconds * 100).rounded() / 100
            report(
                .fill,
                "\(adBreak.label) lasts \(adBreak.duration.inMilliseconds) ms, its ads \(filled.inMilliseconds) ms (fill \(share))"
            )
        }
    }

    private mutating func check(_ ad: Ad, in adBreak: AdBreak) {
        let tolerance = LintContext.tolerance
        let label = AdLabel(ad: ad, adBreak: adBreak)
        place?.ad = ad.name ?? ""
        defer { place?.ad = nil }
        if ad.start + tolerance < adBreak.start {
            report(.adOutsideBreak, "\(label) starts before the break")
        } else if isSettled(ad.plannedEnd), ad.end > adBreak.end + tolerance {
            report(.adOutsideBreak, "\(label) ends \((ad.end - adBreak.end).inMilliseconds) ms after the break")
        }
        checkEvents(of: ad, label)
        for verification in ad.verifications where verification.javaScript?.uri == nil || verification.parameters == nil
        {
            let vendor = verification.vendor ?? "an unknown vendor"
            report(.verificationResource, "verification of \(vendor) in \(label) lacks a script or its parameters")
        }
        for companion in ad.companions where !companion.isUsable {
            report(.companionResource, "a companion of \(label) has no resource or no size")
        }
    }
}

/// Label of an ad with its break, made only for a message; contains unredacted text from outside.
struct AdLabel: CustomStringConvertible {
    var ad: Ad
    var adBreak: AdBreak

    var description: String { "\(ad.label) of \(adBreak.label)" }
}

extension AdBreak {
    /// Label in messages; contains unredacted text from outside.
    var label: String { "break \(name ?? "\(start.milliseconds)")" }
}

extension Ad {
    /// Label in messages; contains unredacted text from outside.
    var label: String { "ad \(name ?? "\(start.milliseconds)")" }
}

extension Companion {
    fileprivate var isUsable: Bool {
        let hasResource = ["staticResource", "iFrameResource", "htmlResource"].contains { name in
            extras[name].map { $0 != .null && $0 != .string("") } ?? false
        }
        return hasResource && width != 0 && height != 0
    }
}
