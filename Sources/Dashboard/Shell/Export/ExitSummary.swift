import AdTracking
import Ports
import Screen
package import Session

/// What stays in the shell after the dashboard: what became of the beacons.
package enum ExitSummary {
    /// Hosts or causes that are named, the most frequent first.
    private static let named = 3

    /// One line, `rush: 3 breaks, 54 beacons due, 53 done, 1 failed (t.example.com 503)`.
    package static func line(_ snapshot: Snapshot) -> String {
        let verdict = Verdict(snapshot)
        guard !verdict.problems.contains(.notOpened) else {
            let problem = snapshot.session.opening?.sentence ?? snapshot.errors.latest?.message ?? "no answer"
            return "\(snapshot.session.name): cannot open the stream: \(Redaction.text(problem))"
        }
        let parts =
            [breaks(snapshot)]
            + counts(
                verdict.beacons, failures: causes(snapshot), unsent: reasons(snapshot),
                isObserving: snapshot.session.mode == .observe)
        return "\(snapshot.session.name): " + parts.joined(separator: ", ")
    }

    /// The same of many sessions, `12 streams: 54 beacons due, 53 done, 1 failed (ch9 1), 1 not opened (news)`.
    package static func line(_ sessions: [SessionHealth]) -> String {
        let beacons = sessions.reduce(SessionHealth.Beacons()) { $0 + $1.beacons }
        let failing = sessions.filter { $0.beacons.failed > 0 }
            .sorted { ($1.beacons.failed, $0.name) < ($0.beacons.failed, $1.name) }
            .map { "\($0.name) \(TimeText.grouped($0.beacons.failed))" }
        var parts = counts(
            beacons, failures: failing, isObserving: sessions.allSatisfy { $0.mode == .observe })
        // A stream of which no playlist was ever read.
        let unopened = sessions.filter { $0.kind == .unknown && $0.problem != nil }.map(\.name)
        if !unopened.isEmpty { parts.append("\(TimeText.grouped(unopened.count)) not opened\(listed(unopened))") }
        return "\(sessions.count.counted("stream")): " + parts.joined(separator: ", ")
    }

    /// `3 breaks`, `2 breaks (cues only)`, `5 breaks (2 cues only)`: those that only cues announce are counted as far as they are listed.
    private static func breaks(_ snapshot: Snapshot) -> String {
        let cues = snapshot.breaks.count { view in
            view.isCuesOnly
                && snapshot.playedRanges.contains { $0.lowerBound < view.plannedEnd && $0.upperBound >= view.start }
        }
        let others = snapshot.counters.breaksOnAir
        let number = others > 0 ? "\(cues.grouped) " : ""
        return (others + cues).counted("break") + (cues > 0 ? " (\(number)cues only)" : "")
    }

    private static func counts(
        _ beacons: SessionHealth.Beacons, failures: [String], unsent reasons: [String] = [], isObserving: Bool
    ) -> [String] {
        func count(_ number: Int, _ word: StateWord) -> String { "\(TimeText.grouped(number)) \(word.rawValue)" }
        let lost =
            (beacons.failed > 0 ? [count(beacons.failed, .failed) + listed(failures)] : [])
            + (beacons.unknown > 0 ? [count(beacons.unknown, .unknown)] : [])
        var parts = [beacons.due.counted("beacon") + " due" + others(beacons)]
        if beacons.sent > 0 {
            parts.append(count(beacons.acknowledged, .done))
            parts += lost
            let unsent = beacons.due - beacons.sent
            if unsent > 0 { parts.append(count(unsent, .notSent) + listed(reasons)) }
        } else {
            if beacons.due > 0 { parts.append(isObserving ? "none sent (observe)" : "none sent") }
            // An earlier process sent them.
            parts += lost
        }
        return parts
    }

    /// ` (8 of ad spaces, 3 pings)`: those that are in no break.
    private static func others(_ beacons: SessionHealth.Beacons) -> String {
        var words: [String] = []
        if beacons.adSpaces > 0 { words.append("\(TimeText.grouped(beacons.adSpaces)) of ad spaces") }
        if beacons.pings > 0 { words.append(beacons.pings.counted("ping")) }
        return listed(words)
    }

    /// ` (t.example.com 503, u.example timeout, …)`
    private static func listed(_ words: [String]) -> String {
        guard !words.isEmpty else { return "" }
        return " (" + words.prefix(named).joined(separator: ", ") + (words.count > named ? ", …" : "") + ")"
    }

    /// `host not allowed`, or `9 host not allowed` and `3 observe mode`: why beacons that were due were not sent, as far as
    /// their breaks are still known.
    private static func reasons(_ snapshot: Snapshot) -> [String] {
        var reasons = ReasonCounts()
        for url in snapshot.breaks.flatMap(\.ads).flatMap(\.events).flatMap(\.urls)
        where [.skipped, .observed].contains(url.state) && url.reason != .duplicate {
            reasons.add(url.reasonWords)
        }
        return reasons.words
    }

    /// `t.example.com 503`: the causes as far as their breaks are still known, or else the hosts.
    private static func causes(_ snapshot: Snapshot) -> [String] {
        var counts: [String: Int] = [:]
        for event in snapshot.breaks.flatMap(\.ads).flatMap(\.events) {
            for url in event.urls where url.state == .failed || url.state == .rejected {
                let host = (try? WebURL(written: url.url))?.host ?? "no host"
                let cause = url.attempts.last.map { EventOutcome.status($0.exchange).string } ?? ""
                counts["\(host) \(cause)", default: 0] += 1
            }
        }
        if counts.isEmpty {
            for host in snapshot.activity.hosts where host.failed > 0 { counts[host.host] = host.failed }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}

extension ExitSummary {
    /// The rows of a line on a terminal of that width, which would break it within a word; 0 columns are no limit.
    package static func rows(of line: String, columns: Int) -> [String] {
        StyledLine.of(line).wrapped(columns: columns).map { row in
            String(row.string.reversed().drop { $0 == " " }.reversed())
        }
    }
}
