package import Ports

/// Lint of what was sent and what was not (TRK-23; findings L01, L02, L57 to L63).
package enum DeliveryLint {
    /// A slower beacon is a finding.
    package static let slow: Duration = .seconds(2)
    package static let longestRedirectChain = 3
    /// An answer of text this long is no tracking pixel but a page.
    package static let pageBytes = 1_024
    /// Media time after its moment from which a beacon was late.
    package static let lateLimit: Duration = .seconds(1)

    /// A metadata request was answered; `problem` is why its body holds no metadata, nil when it does.
    package static func metadataAnswered(_ exchange: HTTPExchange, problem: MetadataProblem?) -> [Finding] {
        guard exchange.failure == nil, let status = exchange.status else { return [] }
        guard exchange.isSuccess else { return [LintRule.notMetadata.finding("metadata was answered with \(status)")] }
        if let problem {
            return [
                LintRule.notMetadata.finding(
                    "metadata was answered with \(status), but the body \(problem.explanation)")
            ]
        }
        let type = exchange.contentType ?? "none"
        guard !type.lowercased().contains("json") else { return [] }
        return [LintRule.contentType.finding("metadata has the content type '\(type)'")]
    }

    /// A beacon was answered.
    package static func answered(_ change: DeliveryChange) -> [Finding] {
        guard let answer = change.answer else { return [] }
        var findings: [Finding] = []
        let took = Duration.microseconds(answer.timings.total)
        if answer.failure?.kind == .timeout || answer.failure?.kind == .connectTimeout {
            findings.append(LintRule.slowBeacon.finding("'\(change.url)' timed out"))
        } else if took > slow {
            findings.append(LintRule.slowBeacon.finding("'\(change.url)' took \(took.inMilliseconds) ms"))
        }
        let redirects = answer.hops.count - 1
        if redirects > longestRedirectChain {
            findings.append(LintRule.slowBeacon.finding("'\(change.url)' was redirected \(redirects) times"))
        }
        guard let status = answer.status else { return findings }
        if !(200..<300).contains(status) {
            findings.append(LintRule.beaconRefused.finding("'\(change.url)' was answered with \(status)"))
        } else if answer.contentType?.lowercased().hasPrefix("text/html") == true, answer.bytes >= pageBytes {
            findings.append(
                LintRule.beaconErrorBody.finding(
                    "'\(change.url)' was answered with an HTML page of \(answer.bytes) bytes"))
        }
        return findings
    }

    /// Events were claimed; late metadata has its own rule.
    package static func claimed(_ claims: [AdTracker.Claimed], in tracker: AdTracker) -> [Finding] {
        claims.filter { !$0.isLatePath && $0.late > lateLimit }.map { claim in
            LintRule.beaconTiming.finding(
                "\(tracker.label(of: claim.event)) was sent \(claim.late.inMilliseconds) ms after its moment")
        }
    }

    /// A break is over: what of it was played and yet not sent. What the viewer seeked over is no fault.
    package static func breakEnded(_ id: BreakID, in tracker: AdTracker) -> [Finding] {
        let faults: Set<SkipReason> = [
            .rateGate, .noMetadataInTime, .expired, .badURL, .macroUnresolved, .hostNotAllowed,
        ]
        let events = (tracker.book[id]?.ads ?? []).flatMap(\.events)
        return events.filter { $0.event.eventClass == .time }.compactMap { event in
            guard let reason = tracker.status(of: event.id)?.reason, faults.contains(reason) else { return nil }
            return LintRule.neverSent.finding("\(tracker.label(of: event.id)) was not sent: \(reason.rawValue)")
        }
    }
}

extension AdTracker {
    /// `midpoint of ad 4711`; raw text from outside.
    package func label(of event: EventID) -> String {
        guard let plan = plan(of: event), let ad = book[plan.breakID]?.ads.first(where: { $0.id == plan.adID })
        else { return "an event" }
        let name = ad.events.first { $0.id == event }?.event.rawName ?? plan.type.rawValue
        return "\(name) of \(ad.subject)"
    }
}

/// Lint of the viewer's actions (L63): the second of a pair without the first.
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
        return LintRule.unmatchedUserEvent.finding("\(second.rawValue) without a \(first.rawValue) before")
    }
}
