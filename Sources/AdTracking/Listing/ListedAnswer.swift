package import Ports
import VAST

/// What one answer lists, and what is wrong with it. Paths of findings are nodes: `break`, `break/ad`, `break/ad/event`.
package struct ListedAnswer: Hashable, Sendable {
    /// Most breaks and ads of one answer, most ads of one break; further ones are dropped with a finding.
    package static let breakLimit = 5_000
    package static let adLimit = 20_000
    package static let adsPerBreak = 500

    package var breaks: [ListedBreak] = []
    package private(set) var findings: [Finding] = []
    /// Number of ads that were added with ``admits(_:)``.
    private var adCount = 0
    private var isFull = false

    package init() {}

    /// A document on dates, as its provider read it; seconds count from 1970 then.
    init(_ document: DecodedMetadata) {
        breaks = document.breaks.map { ListedBreak($0) }
        findings = document.findings
    }

    mutating func report(_ rule: LintRule, _ message: String, at node: String) {
        note(rule.finding(message, path: node))
    }

    mutating func report(_ rule: ProviderRule, _ message: String, at node: String) {
        note(rule.finding(message, path: node))
    }

    /// Keeps at most ``DecodedMetadata/findingsKept`` findings.
    mutating func note(_ finding: Finding) {
        if findings.count < DecodedMetadata.findingsKept { findings.append(finding) }
    }

    /// Whether one more ad of a break with so many is kept.
    mutating func admitsAd(to count: Int) -> Bool {
        guard adCount < Self.adLimit, count < Self.adsPerBreak else {
            full("has more ads than are kept")
            return false
        }
        adCount += 1
        return true
    }

    /// Whether one more break is kept.
    mutating func admitsBreak() -> Bool {
        if breaks.count < Self.breakLimit { return true }
        full("has more breaks than are kept")
        return false
    }

    private mutating func full(_ problem: String) {
        guard !isFull else { return }
        isFull = true
        report(LintRule.wrongType, "the answer \(problem): the rest is ignored", at: "")
    }
}

extension ListedAnswer {
    /// Breaks with one id that are further apart are not the same; in seconds.
    private static let sameBreak = ExactDecimal(1).quarters(2)

    /// Gives breaks an id of their own that repeat that of one at another time: ad servers write one id for all (PRV-9). In a session the
    /// id stays the name, because a later answer may list only one of them.
    mutating func separateBreaks() {
        var newest: [String: (start: ExactDecimal, id: String)] = [:]
        for index in Array(breaks.indices).sortedStably(by: { breaks[$0].start < breaks[$1].start }) {
            guard let id = breaks[index].id else { continue }
            let start = breaks[index].start
            var own = newest[id] ?? (start, id)
            if start.distance(to: own.start) > Self.sameBreak { own = (start, ListedBreak.ownID(of: id, at: start)) }
            newest[id] = own
            if own.id != id { (breaks[index].id, breaks[index].name) = (own.id, id) }
        }
    }

    /// The event with its usable URLs; nil when it has none (PRV-7). A landing page is no event: see `landing`.
    /// - Parameter macros: what fills the macros of the URLs before they are sent; nil where nothing does.
    mutating func event(
        _ name: String, _ urls: [String], statedOffset: ExactDecimal?, window: ExactDecimal?, at owner: String,
        filledBy macros: MacroExpander? = nil
    ) -> ListedEvent? {
        var event = ListedEvent(name, statedOffset: statedOffset, window: window)
        // Made for a finding only, which most events lack.
        func node(_ event: ListedEvent) -> String { owner.isEmpty ? event.name : "\(owner)/\(event.name)" }
        let written = urls.contains("") ? urls.filter { !$0.isEmpty } : urls
        if written.isEmpty { report(.noURL, "\(event.name) has no URL", at: node(event)) }
        for url in written.prefix(DecodedMetadata.urlsPerEvent) {
            let text = URLText(url)
            if text.isUnusable {
                report(.badURL, "\(event.name) has the unusable URL '\(url)'", at: node(event))
                continue
            }
            if text.hasMacro, macros.map({ URLText($0.url(url, in: .tracking)).hasMacro }) ?? true {
                report(.macro, "a URL of \(event.name) has a macro without a value: '\(url)'", at: node(event))
            }
            event.urls.append(url)
        }
        if event.type == .unknown, !EventType.isInVAST(event.name) {
            report(.unknownEvent, "'\(event.name)' is not a known event", at: node(event))
        }
        return event.urls.isEmpty ? nil : event
    }

    /// Joins entries of one type and moment (PRV-8); a URL that repeats is reported.
    mutating func joined(_ events: [ListedEvent], inLength length: ExactDecimal?, at owner: String) -> [ListedEvent] {
        var joined: [ListedEvent] = []
        for var event in events.withTodaysNames {
            let index = joined.firstIndex { $0.isSame(as: event, inLength: length) }
            let known = index.map { joined[$0].urls } ?? []
            var urls = known
            for url in event.urls {
                if urls.contains(url) {
                    report(.duplicateEvent, "\(event.name) lists '\(url)' twice", at: "\(owner)/\(event.name)")
                } else if urls.count < DecodedMetadata.urlsPerEvent {
                    urls.append(url)
                }
            }
            if let index {
                joined[index].urls = urls
                joined[index].window = joined[index].window ?? event.window
            } else {
                event.urls = urls
                joined.append(event)
            }
        }
        return joined
    }
}
