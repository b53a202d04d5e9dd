package import Ports

/// Lint of sent and unsent beacons (TRK-23; findings L01, L02, L57 to L63).
package enum DeliveryLint {
    /// A beacon that takes longer than this is reported.
    package static let slow: Duration = .seconds(2)
    package static let longestRedirectChain = 3
    /// A text answer of at least this length is a page and not a tracking pixel.
    package static let pageBytes = 1_024
    /// A beacon sent this much media time after its due time is late.
    package static let lateLimit: Duration = .seconds(1)

    /// Checks the answer to a metadata request, or to a ping.
    /// - Parameters:
    ///   - problem: the reason its body is not metadata, nil when it is.
    ///   - expected: what the content type of metadata contains, in lower case.
    ///   - isPing: whether it answers a ping, which is a beacon whose answer brings metadata (PRV-43).
    package static func metadataAnswered(
        _ exchange: HTTPExchange, problem: MetadataProblem?, expecting expected: String = "json", isPing: Bool = false
    ) -> [Finding] {
        guard exchange.failure == nil, let status = exchange.status else { return [] }
        let subject = isPing ? "ping" : "metadata request"
        guard exchange.isSuccess else {
            return [LintRule.notMetadata.finding("\(subject) was answered with \(status)")]
        }
        if let problem {
            return [
                LintRule.notMetadata.finding(
                    "\(subject) was answered with \(status), but the body \(problem.explanation)")
            ]
        }
        var findings: [Finding] = []
        if expected == "json", let place = UTF8Place(firstInvalidIn: exchange.body) {
            let what = "metadata has bytes that are not UTF-8, the first at line \(place.line), column \(place.column)"
            findings.append(LintRule.notUTF8.finding("\(what); each was read as U+FFFD"))
        }
        let type = exchange.contentType ?? "none"
        guard !type.lowercased().contains(expected) else { return findings }
        return findings + [LintRule.contentType.finding("metadata has the content type '\(type)'")]
    }

    /// Checks the answer to a beacon.
    package static func answered(_ change: DeliveryChange) -> [Finding] {
        guard let answer = change.answer else { return [] }
        var findings: [Finding] = []
        let took = Duration.microseconds(answer.timings.total)
        if answer.failure?.kind == .timeout || answer.failure?.kind == .connectTimeout {
            findings.append(LintRule.slowBeacon.finding("a tracker timed out: '\(change.url)'"))
        } else if took > slow {
            findings.append(LintRule.slowBeacon.finding("a tracker took \(took.inMilliseconds) ms: '\(change.url)'"))
        }
        let redirects = answer.hops.count - 1
        if redirects > longestRedirectChain {
            findings.append(LintRule.slowBeacon.finding("a tracker redirected \(redirects) times: '\(change.url)'"))
        }
        guard let status = answer.status else { return findings }
        if !(200..<300).contains(status) {
            findings.append(LintRule.beaconRefused.finding("a tracker answered with \(status): '\(change.url)'"))
        } else if answer.contentType?.lowercased().hasPrefix("text/html") == true, answer.bytes >= pageBytes {
            findings.append(
                LintRule.beaconErrorBody.finding(
                    "a tracker answered with an HTML page of \(answer.bytes) bytes: '\(change.url)'"))
        }
        return findings
    }

    /// Checks a step of the playlist's dates while the media continued, in an ad called `name` (TRK-30).
    package static func datesStepped(by step: Duration, in name: String) -> Finding? {
        guard step.magnitude > LintContext.tolerance else { return nil }
        return LintRule.dates.finding(
            "PROGRAM-DATE-TIME steps by \(step.inMilliseconds) ms inside \(name) while its media continues")
    }

    /// Checks whether an earlier attempt of the beacon may have arrived, too (TRK-15).
    package static func repeated(_ change: DeliveryChange, in tracker: AdTracker) -> Finding? {
        guard change.answer?.failure?.kind.mayHaveArrived ?? true, change.attempt > 1,
            let slot = tracker.ledger[change.event]?.urls.first(where: { $0.url == change.url })
        else { return nil }
        // Each action of the viewer counts its attempts from 1.
        let earlier = slot.attempts.suffix(change.attempt).dropLast().filter { attempt in
            attempt.answer.map { $0.failure?.kind.mayHaveArrived ?? true } ?? true
        }
        guard !earlier.isEmpty else { return nil }
        var ads = AdFinder(tracker.book)
        return LintRule.sentTwice.finding(
            "\(tracker.label(of: change.event, &ads)) was sent \(earlier.count + 1) times; each may have been counted"
        ).at(tracker.place(of: change.event, &ads))
    }

    /// Checks how late events were claimed; late metadata has its own rule.
    package static func claimed(_ claims: [AdTracker.Claimed], in tracker: AdTracker) -> [Finding] {
        var ads = AdFinder(tracker.book)
        return claims.filter { !$0.isLatePath && $0.late > lateLimit }.map { claim in
            let isObserved = tracker.ledger[claim.event]?.urls.contains { $0.state == .observed } ?? false
            return timing(claim.event, isObserved ? "would have been sent" : "was sent", claim.late, in: tracker, &ads)
        }
    }

    /// Checks how late a beacon was sent whose event was claimed in time.
    package static func delayed(_ change: DeliveryChange, in tracker: AdTracker) -> Finding? {
        guard let delay = change.delay, delay.isFirst(beyond: lateLimit) else { return nil }
        var ads = AdFinder(tracker.book)
        return timing(change.event, "was sent", delay.sent, in: tracker, &ads)
    }

    private static func timing(
        _ event: EventID, _ sent: String, _ late: Duration, in tracker: AdTracker, _ ads: inout AdFinder
    ) -> Finding {
        LintRule.beaconTiming.finding(
            "\(tracker.label(of: event, &ads)) \(sent) \(late.inMilliseconds) ms after its due time"
        ).at(tracker.place(of: event, &ads))
    }
}

extension AdTracker {
    /// A label such as `midpoint of ad 4711`; contains unredacted text from outside.
    func label(of event: EventID, _ ads: inout AdFinder) -> String {
        guard let plan = plan(of: event), let ad = ads.find(plan.adID, in: plan.breakID)?.ad else { return "an event" }
        let name = ledger.entries[event]?.key.type ?? plan.type.rawValue
        return "\(name) of \(ad.subject)"
    }
}

/// Lint of the viewer's actions (L63): reports the second action of a pair without the first.
package struct UserActionLint: Hashable, Sendable {
    private var open: Set<UserAction> = []

    package init() {}

    package mutating func acted(_ action: UserAction) -> Finding? {
        switch action {
        case .mute, .pause, .playerExpand: open.insert(action)
        case .unmute: return close(.mute, with: action)
        case .resume: return close(.pause, with: action)
        case .playerCollapse: return close(.playerExpand, with: action)
        case .rewind, .skip: break
        }
        return nil
    }

    private mutating func close(_ first: UserAction, with second: UserAction) -> Finding? {
        guard open.remove(first) == nil else { return nil }
        return LintRule.unmatchedUserEvent.finding("\(second.rawValue) without a preceding \(first.rawValue)")
    }
}
