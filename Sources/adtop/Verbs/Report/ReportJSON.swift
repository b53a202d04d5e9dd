import Live
import Ports
import Session

/// A report as JSON, schema `adtop-report/1` (docs/journal.md).
enum ReportJSON {
    /// Passes the document to `write` piece by piece: one line for each member and one for each break.
    static func write(_ report: JournalReport, since: UnixTime?, at now: UnixTime, to write: (String) -> Void) {
        let before: [(String, JSONValue)] = [
            ("schema", "adtop-report/1"), ("atMs", .integer(now.milliseconds)),
            ("sinceMs", .optional(since?.milliseconds)),
            ("lateBoundsMs", .array(DelayHistogram.bounds.map { .integer($0.inMilliseconds) })),
            ("totals", tally(report.totals)), ("sessions", .array(report.sessions.map(session))),
        ]
        let after: [(String, JSONValue)] = [
            ("hosts", .array(report.hosts.map(host))), ("findings", .array(report.findings.map(finding))),
            ("course", course(report.course)), ("failures", .array(report.failures.map(failure))),
        ]
        write("{\n")
        for (name, value) in before { write("  \"\(name)\": \(value.text()),\n") }
        write("  \"breaks\": [")
        for (index, adBreak) in report.breaks.enumerated() {
            write((index > 0 ? ",\n    " : "\n    ") + self.adBreak(adBreak).text())
        }
        write("\n  ]")
        for (name, value) in after { write(",\n  \"\(name)\": \(value.text())") }
        write("\n}\n")
    }

    private static func session(_ session: JournalReport.Session) -> JSONValue {
        [
            "key": .string(session.key), "name": .optional(session.name), "mediaUrl": .optional(session.mediaURL),
            "provider": .optional(session.provider), "serviceMode": .optional(session.serviceMode),
            "mode": .optional(session.mode), "retry": .optional(session.retry),
            "runs": .integer(Int64(session.runs)), "firstMs": .optional(session.firstAt?.milliseconds),
            "tally": tally(session.tally),
        ]
    }

    private static func adBreak(_ adBreak: JournalReport.Break) -> JSONValue {
        [
            "session": .integer(Int64(adBreak.session)), "id": .string(adBreak.name),
            "startMs": .optional(adBreak.start?.milliseconds),
            "durationMs": .optional(adBreak.duration?.inMilliseconds), "source": .optional(adBreak.source),
            "tally": tally(adBreak.tally), "ads": .array(adBreak.ads.map(ad)),
        ]
    }

    private static func ad(_ ad: JournalReport.Ad) -> JSONValue {
        [
            "id": .string(ad.name), "startMs": .optional(ad.start?.milliseconds),
            "durationMs": .optional(ad.duration?.inMilliseconds), "tally": tally(ad.tally),
            "hosts": .array(ad.hosts.map(host)),
        ]
    }

    private static func failure(_ failure: JournalReport.Failure) -> JSONValue {
        [
            "host": .string(failure.host), "status": .optional(failure.status.map(Int64.init)),
            "count": .integer(Int64(failure.count)), "firstMs": .integer(failure.firstAt.milliseconds),
            "lastMs": .integer(failure.lastAt.milliseconds),
            "breaks": .array(failure.breaks.map { .integer(Int64($0)) }),
        ]
    }

    private static func host(_ host: JournalReport.Host) -> JSONValue {
        ["host": .string(host.name), "tally": tally(host.tally)]
    }

    private static func finding(_ finding: JournalReport.Finding) -> JSONValue {
        [
            "rule": .string(finding.rule), "severity": .string(finding.severity), "message": .string(finding.message),
            "count": .integer(Int64(finding.count)), "firstMs": .integer(finding.firstAt.milliseconds),
            "lastMs": .integer(finding.lastAt.milliseconds),
        ]
    }

    private static func course(_ course: JournalReport.Course) -> JSONValue {
        [
            "startMs": .integer(course.start.milliseconds), "stretchMs": .integer(course.length.inMilliseconds),
            "stretches": .array(
                course.stretches.map { stretch in
                    [
                        "acknowledged": .integer(Int64(stretch.acknowledged)),
                        "failed": .integer(Int64(stretch.failed)),
                        "unanswered": .integer(Int64(stretch.unanswered)), "unsent": .integer(Int64(stretch.unsent)),
                    ]
                }),
        ]
    }

    private static func tally(_ tally: JournalReport.Tally) -> JSONValue {
        [
            "due": .integer(Int64(tally.due)), "sent": .integer(Int64(tally.sent)),
            "acknowledged": .integer(Int64(tally.acknowledged)), "failed": .integer(Int64(tally.failed)),
            "unknown": .integer(Int64(tally.unknown)), "open": .integer(Int64(tally.open)),
            "observed": .integer(Int64(tally.observed)), "skipped": .integer(Int64(tally.skipped)),
            "lateCounts": .array(tally.lateness.counts.map { .integer(Int64($0)) }),
            "lateSumMs": .integer(tally.lateness.sum.inMilliseconds),
        ]
    }
}
