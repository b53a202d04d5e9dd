import AdTracking
import Ports
import Rules
import Screen
import Session

/// Breaks, beacons and the verdict as sentences without signs, columns and colours: what a screen reader reads.
enum PlainText {
    /// `3 beacons failed, 2 findings (1 error), 17 of 20 sent`: all of the verdict's words.
    static func verdict(_ snapshot: Snapshot) -> String { self.verdict(Verdict(snapshot), of: snapshot) }

    /// The words of a verdict on the session of a snapshot.
    static func verdict(_ verdict: Verdict, of snapshot: Snapshot) -> String {
        var parts = VerdictItems(verdict, .ascii).items.compactMap { $0.forms.first.map { words(of: $0.string) } }
        if case .behind(let latency)? = verdict.problems.last(where: \.isBehind) {
            parts.append("\(TimeText.apart(latency)) behind the live edge")
        }
        if verdict.problems.contains(.notOpened) {
            parts += [snapshot.session.opening?.sentence ?? snapshot.errors.latest?.message].compactMap { $0 }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `on air: B5, ad 2, espresso-5526`; nil between breaks. Number of ads and lengths grow while a break is on air.
    static func onAir(_ status: AirStatus) -> String? {
        guard let onAir = status.onAir else { return nil }
        let ad = onAir.ad.map { ", ad \($0.number), \($0.name)" } ?? (onAir.adCount > 0 ? ", no ad" : "")
        return "on air: \(onAir.label)\(ad)"
    }

    /// `content, last break B5 ended 0:24 ago, next break about 08:05:55Z`
    static func air(_ snapshot: Snapshot) -> String {
        let status = AirStatus(snapshot, snapshot.playhead)
        let isStalled = snapshot.playhead.state == .stalled
        if let onAir = onAir(status) {
            guard !isStalled else { return "stalled, " + onAir }
            guard !snapshot.playsNoMore else { return onAir }
            let rest = status.onAir?.rest.map { ", break ends in \(TimeText.position($0))" }
            return onAir + (rest ?? "")
        }
        var parts = [snapshot.playhead.state == .ended ? "end of the stream" : isStalled ? "stalled" : "content"]
        if let last = status.last { parts.append("last break \(last.label) ended \(TimeText.position(last.ago)) ago") }
        guard !isStalled else { return parts.joined(separator: ", ") }
        if let next = status.next {
            parts.append("next break \(next.label) in \(TimeText.position(next.wait))")
        } else if let expected = status.expected {
            parts.append("next break about \(TimeText.clock(expected))Z")
        }
        return parts.joined(separator: ", ")
    }

    /// `B5: 2 ads, 17 of 18 done, 1 failed`
    static func adBreak(_ view: BreakView) -> String {
        "\(view.label): \(view.ads.count.counted("ad")), \(BreakOutcome(view).line.string)"
    }

    /// `B5/A2 espresso-5526: 10.0 s, 8 of 9 done, 1 failed`
    static func ad(_ view: AdView, of adBreak: BreakView) -> String {
        "\(adBreak.label)/\(view.label) \(view.name): \(TimeText.apart(adBreak.length(of: view))), \(BreakOutcome(view).line.string)"
    }

    /// `beacon B5/A2 midpoint: failed, 503, 4 tries, t.example.com`: answer, tries and host are those of the URL that represents the event.
    static func event(_ event: EventView, _ ad: AdView, of adBreak: BreakView) -> String {
        var parts = [event.state.word.rawValue]
        let shown = EventDetail.shownURL(of: event)
        switch event.state {
        case .done, .failed, .partial:
            if let answer = shown?.attempts.last?.exchange {
                parts.append(EventOutcome.status(answer).string)
                if event.state == .done { parts.append("\(TimeText.latency(.microseconds(answer.timings.total)))") }
            }
            if let tries = shown?.attempts.count, tries > 1 { parts.append("\(tries) tries") }
            if let shown, shown.isLate, let late = shown.late {
                parts.append("\(TimeText.apart(late)) late")
            }
        case .skipped, .observed:
            if let words = event.reasonWords { parts.append(words.short) }
        case .idle, .connecting, .unknown: break
        }
        // A text that is not a URL is never requested, so it has no host to name.
        if let url = shown?.url, let host = try? WebURL(written: url).host { parts.append(host) }
        return "beacon \(adBreak.label)/\(ad.label) \(event.event): \(parts.joined(separator: ", "))"
    }

    /// `ping position: failed, 503, t.example.com`
    static func ping(_ ping: PingView) -> String {
        let word = ping.state.word
        var parts = [word.rawValue]
        if let status = ping.status { parts.append("\(status)") }
        if let reason = ping.reason { parts.append(reason.words.short) }
        if let host = try? WebURL(ping.url).host { parts.append(host) }
        return "ping \(ping.cause): \(parts.joined(separator: ", "))"
    }

    /// `finding L35 (Metadata came too late), error: metadata of ad … at avails[0]`: a code alone means nothing to a listener.
    static func finding(_ view: FindingView) -> String {
        let finding = view.finding
        let title = RuleLibrary.builtIn[finding.rule].map { " (\($0.title))" } ?? ""
        // A finding about the session is at no place.
        let place = finding.path.flatMap { $0.isEmpty ? nil : " at \($0)" } ?? ""
        return "finding \(finding.rule)\(title), \(finding.severity.rawValue): \(finding.message)\(place)"
    }

    /// Without the sign before the words.
    private static func words(of text: String) -> String {
        let signs = [SafeText(Glyphs.ascii.warning)] + StateSign.allCases.map { SafeText(Glyphs.ascii.sign($0)) }
        let sign = signs.first { text.hasPrefix($0.string + " ") }
        return sign.map { String(text.dropFirst($0.string.count + 1)) } ?? text
    }
}

extension Verdict.Problem {
    fileprivate var isBehind: Bool { if case .behind = self { true } else { false } }
}
