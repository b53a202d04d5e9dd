import AdTracking
import Ports

/// Breaks, ads, events and URLs of `adtop-snapshot/1`.
extension SnapshotJSON {
    func adBreak(_ adBreak: BreakView) -> JSONValue {
        [
            "id": .string(adBreak.name), "key": .string(adBreak.id), "label": .string(adBreak.label),
            "startMs": date(adBreak.start), "durationMs": duration(adBreak.duration),
            "plannedEndMs": date(adBreak.plannedEnd),
            "source": .string(adBreak.source), "onAir": .bool(adBreak.isOnAir), "ended": .bool(adBreak.hasEnded),
            "vanished": .bool(adBreak.hasVanished), "problem": adBreak.problem.map { text($0) } ?? .null,
            "ads": .array(adBreak.ads.map(ad)),
            "evidence": .array(adBreak.evidence.map(evidence)),
            "differences": .array(adBreak.differences.map { text($0) }),
            "growth": .array(adBreak.growth.steps.map(growth)),
            "growthOmitted": .integer(Int64(adBreak.growth.omitted)),
        ]
    }

    private func growth(_ step: GrowthStep) -> JSONValue {
        [
            "poll": .optional(step.poll), "ping": .optional(step.ping), "atMs": date(step.at),
            "ads": .array(step.newAds.map(JSONValue.string)), "newAds": .integer(Int64(step.newAdCount)),
            "newEvents": .integer(Int64(step.newEventCount)), "vanished": .integer(Int64(step.vanishedCount)),
            "returned": .integer(Int64(step.returnedCount)), "changedUrls": .integer(Int64(step.changedURLCount)),
            "movedMs": duration(step.moved), "fromDurationMs": duration(step.length?.from),
            "durationMs": duration(step.length?.to), "lateMs": duration(step.late),
        ]
    }

    private func evidence(_ evidence: BreakEvidenceView) -> JSONValue {
        [
            "source": .string(evidence.source), "kind": .optional(evidence.kind), "id": .string(evidence.name),
            "startMs": date(evidence.start), "durationMs": duration(evidence.duration),
            "eventIds": .array(evidence.eventIDs.map(JSONValue.string)),
        ]
    }

    private func ad(_ ad: AdView) -> JSONValue {
        [
            "id": .string(ad.name), "key": .string(ad.id), "label": .string(ad.label), "startMs": date(ad.start),
            "durationMs": duration(ad.duration), "onAir": .bool(ad.isOnAir), "vanished": .bool(ad.hasVanished),
            "clickThrough": url(ad.clickThrough), "events": .array(ad.events.map(event)),
            "extras": .array(ad.extras.map { ["name": .string($0.name), "value": text($0.value)] }),
        ]
    }

    private func event(_ event: EventView) -> JSONValue {
        [
            "event": .string(event.event), "key": .string(event.id), "startMs": date(event.start),
            "durationMs": duration(event.duration), "reportingState": .string(event.state.rawValue),
            "reason": .optional(event.reason?.rawValue), "beforeJoin": .bool(event.isBeforeJoin),
            "withdrawn": .bool(event.isWithdrawn),
            "stateWord": .string(event.state.word.rawValue), "reasonWord": .optional(event.reasonWords?.short),
            "userTriggered": .bool(event.isUserTriggered),
            "urls": .array(event.urls.map(delivery)),
        ]
    }

    private func delivery(_ delivery: URLView) -> JSONValue {
        let last = delivery.attempts.last?.exchange
        return [
            "url": url(delivery.url), "requestedUrl": url(delivery.requested), "key": .string(delivery.id),
            "state": .string(delivery.state.rawValue),
            "reason": .optional(delivery.reason?.rawValue), "status": .optional(last?.status),
            "attempts": .integer(Int64(delivery.attempts.count)),
            "latencyMs": last.map { duration(.microseconds($0.timings.total)) } ?? .null,
            "sentAtMs": date(delivery.attempts.first?.at), "lateMs": duration(delivery.late),
            "retryAtMs": date(delivery.retryAt), "tries": .array(delivery.attempts.map(attempt)),
        ]
    }

    private func attempt(_ attempt: AttemptView) -> JSONValue {
        guard let result = attempt.exchange else { return ["atMs": date(attempt.at)] }
        return [
            "atMs": date(attempt.at), "status": .optional(result.status),
            "failure": result.failure.map { ["kind": .string($0.kind.rawValue), "message": text($0.message)] } ?? .null,
            "hops": .array(
                result.hops.map { hop in
                    let asked = (try? WebURL(hop.url))?.wireText ?? hop.url
                    return ["url": url(asked), "status": .integer(Int64(hop.status))]
                }),
            "timingsUs": [
                "resolve": .optional(result.timings.resolve), "connect": .optional(result.timings.connect),
                "wait": .optional(result.timings.wait), "receive": .optional(result.timings.receive),
                "total": .integer(result.timings.total),
            ],
            "contentType": .optional(result.contentType), "bytes": .integer(Int64(result.bytes)),
        ]
    }
}

/// Counters, activity, findings, log and errors of `adtop-snapshot/1`.
extension SnapshotJSON {
    func counters(_ counters: Counters) -> JSONValue {
        let states = counters.events.sorted { $0.key.rawValue < $1.key.rawValue }
        let classes = counters.statusClasses.sorted { $0.key < $1.key }
        return [
            "events": .object(
                JSONObject(states.map { .init(name: $0.key.rawValue, value: .integer(Int64($0.value))) })),
            "beaconsSent": .integer(Int64(counters.beaconsSent - counters.retries)),
            "beaconsAcknowledged": .integer(Int64(counters.beaconsAcknowledged)),
            "beaconsFailed": .integer(Int64(counters.beaconsFailed)),
            "beaconsUnknown": .integer(Int64(counters.beaconsUnknown)),
            "earlierFailed": .integer(Int64(counters.earlierFailed)),
            "earlierUnknown": .integer(Int64(counters.earlierUnknown)),
            "adSpaceBeacons": .integer(Int64(counters.adSpaceBeacons)),
            "pings": .integer(Int64(counters.pings)), "pingsFailed": .integer(Int64(counters.pingsFailed)),
            "retries": .integer(Int64(counters.retries)),
            "late": .integer(Int64(counters.late)), "metadataPolls": .integer(Int64(counters.metadataPolls)),
            "playlistReloads": .integer(Int64(counters.playlistReloads)),
            "adRequests": .integer(Int64(counters.adRequests)),
            "statusClasses": .object(
                JSONObject(classes.map { .init(name: "\($0.key)xx", value: .integer(Int64($0.value))) })),
            "droppedLogLines": .integer(Int64(counters.droppedLogLines)),
        ]
    }

    func activity(_ activity: ActivityView) -> JSONValue {
        [
            "beaconsPerSecond": .array(activity.beaconsPerSecond.map { .integer(Int64($0)) }),
            "errorsPerSecond": .array(activity.errorsPerSecond.map { .integer(Int64($0)) }),
            "latencyMedianMs": duration(activity.latencyMedian), "latency95Ms": duration(activity.latency95),
            "latencyMaximumMs": duration(activity.latencyMaximum),
            "hosts": .array(
                activity.hosts.map {
                    [
                        "host": .string($0.host), "sent": .integer(Int64($0.sent)),
                        "failed": .integer(Int64($0.failed)), "acknowledged": .integer(Int64($0.acknowledged)),
                        "unknown": .integer(Int64($0.unknown)),
                        "latency95Ms": duration($0.latency95), "answers": counts($0.answers),
                        "lateness": counts($0.lateness),
                    ]
                }),
        ]
    }

    private func counts(_ histogram: DelayHistogram) -> JSONValue {
        .array(histogram.counts.map { .integer(Int64($0)) })
    }

    func finding(_ view: FindingView) -> JSONValue {
        [
            "rule": .string(view.finding.rule), "severity": .string(view.finding.severity.rawValue),
            "message": text(view.finding.message), "path": view.finding.path.map { text($0) } ?? .null,
            "line": .optional(view.finding.line),
            "section": .optional(view.finding.section), "count": .integer(Int64(view.count)),
            "firstMs": date(view.first.wall),
            "lastMs": date(view.last.wall), "dateMs": date(view.date), "places": .array(view.places.map(place)),
        ]
    }

    private func place(_ view: FindingView.Place) -> JSONValue {
        [
            "break": .string(view.place.adBreak), "breakStartMs": date(view.place.start),
            "ad": .optional(view.place.ad), "event": .optional(view.place.event), "message": text(view.message),
            "count": .integer(Int64(view.count)), "lastMs": date(view.last.wall),
        ]
    }

    func logEntry(_ entry: LogEntry) -> JSONValue {
        [
            "atMs": date(entry.at.wall), "level": .string(entry.level.rawValue), "message": text(entry.message),
            "number": .integer(Int64(entry.number)), "source": .string(entry.source.rawValue),
            "host": .optional(entry.host), "break": .optional(entry.adBreak?.name),
            "breakStartMs": date(entry.adBreak?.start),
        ]
    }

    func errors(_ errors: [ErrorKind: ErrorView]) -> JSONValue {
        .object(JSONObject(ErrorKind.allCases.map { .init(name: $0.rawValue, value: errors[$0].map(error) ?? .null) }))
    }

    func error(_ view: ErrorView) -> JSONValue {
        ["kind": .string(view.kind.rawValue), "atMs": date(view.at.wall), "message": text(view.message)]
    }

    func userReport(_ report: UserReportView) -> JSONValue {
        [
            "number": .integer(Int64(report.number)), "action": .string(report.action.rawValue),
            "atMs": date(report.at.wall),
            "wasReported": .optional(report.wasReported), "message": text(report.message),
        ]
    }
}
