import AdTracking
import Ports

/// Breaks, counters, findings and log of `adtop-snapshot/1`.
extension SnapshotReader {
    func adBreak(_ json: JSONValue) -> BreakView {
        let start = date(json["startMs"]) ?? at.wall
        let duration = max(.zero, span(json["durationMs"]) ?? .zero)
        var view = BreakView(
            id: text(json["key"]), name: text(json["id"]), label: text(json["label"]), start: start,
            duration: duration, plannedEnd: date(json["plannedEndMs"]) ?? start + duration,
            source: text(json["source"]), isOnAir: flag(json["onAir"]), hasEnded: flag(json["ended"]),
            hasVanished: flag(json["vanished"]), ads: list(json["ads"]).map(ad))
        view.evidence = list(json["evidence"]).map { evidence in
            BreakEvidenceView(
                source: text(evidence["source"]), kind: evidence["kind"]?.stringValue, name: text(evidence["id"]),
                start: date(evidence["startMs"]) ?? start, duration: span(evidence["durationMs"]),
                eventIDs: list(evidence["eventIds"]).map { text($0) })
        }
        view.differences = list(json["differences"]).map { text($0) }
        view.problem = json["problem"]?.stringValue
        return view
    }

    private func ad(_ json: JSONValue) -> AdView {
        AdView(
            id: text(json["key"]), name: text(json["id"]), label: text(json["label"]),
            start: date(json["startMs"]) ?? at.wall, duration: max(.zero, span(json["durationMs"]) ?? .zero),
            isOnAir: flag(json["onAir"]), hasVanished: flag(json["vanished"]),
            clickThrough: json["clickThrough"]?.stringValue, events: list(json["events"]).map(event),
            extras: list(json["extras"]).map { ExtraView(name: text($0["name"]), value: text($0["value"])) })
    }

    private func event(_ json: JSONValue) -> EventView {
        EventView(
            id: text(json["key"]), event: text(json["event"]), start: date(json["startMs"]) ?? at.wall,
            duration: max(.zero, span(json["durationMs"]) ?? .zero),
            state: json["reportingState"]?.stringValue.flatMap(ReportingState.init) ?? .idle,
            reason: reason(json["reason"]), isUserTriggered: flag(json["userTriggered"]),
            urls: list(json["urls"]).map(url), isBeforeJoin: flag(json["beforeJoin"]),
            isWithdrawn: flag(json["withdrawn"]))
    }

    private func reason(_ json: JSONValue?) -> SkipReason? { json?.stringValue.flatMap(SkipReason.init) }

    private func url(_ json: JSONValue) -> URLView {
        var view = URLView(
            id: text(json["key"]), url: text(json["url"]),
            state: json["state"]?.stringValue.flatMap(DeliveryState.init) ?? .planned, attempts: [])
        view.reason = reason(json["reason"])
        view.requested = json["requestedUrl"]?.stringValue
        view.attempts = list(json["tries"]).map(attempt)
        view.retryAt = moment(json["retryAtMs"])
        view.late = span(json["lateMs"])
        return view
    }

    private func attempt(_ json: JSONValue) -> AttemptView {
        let started = moment(json["atMs"]) ?? at
        guard let timings = json["timingsUs"], timings["total"] != nil else { return AttemptView(at: started) }
        func microseconds(_ name: String) -> Int64? {
            timings[name]?.integerValue.map { min(max($0, 0), 3_600_000_000) }
        }
        var exchange = HTTPExchange(
            bodyBytes: count(json["bytes"]),
            timings: HTTPExchange.Timings(
                resolve: microseconds("resolve"), connect: microseconds("connect"), wait: microseconds("wait"),
                receive: microseconds("receive"), total: microseconds("total") ?? 0))
        exchange.hops = list(json["hops"]).compactMap { hop in
            status(hop["status"]).map { HTTPExchange.Hop(url: text(hop["url"]), status: $0, fields: []) }
        }
        if let failure = json["failure"], let kind = failure["kind"]?.stringValue.flatMap(HTTPFailure.Kind.init) {
            exchange.failure = HTTPFailure(kind, text(failure["message"]))
        }
        var answer = BeaconAnswer(exchange)
        answer.contentType = json["contentType"]?.stringValue
        return AttemptView(at: started, exchange: answer)
    }

    func counters(_ json: JSONValue?) -> Counters {
        var counters = Counters()
        for member in json?["events"]?.objectValue?.members ?? [] {
            if let state = ReportingState(rawValue: member.name) { counters.events[state] = count(member.value) }
        }
        counters.beaconsAcknowledged = count(json?["beaconsAcknowledged"])
        counters.beaconsFailed = count(json?["beaconsFailed"])
        counters.beaconsUnknown = count(json?["beaconsUnknown"])
        counters.earlierFailed = count(json?["earlierFailed"])
        counters.earlierUnknown = count(json?["earlierUnknown"])
        counters.adSpaceBeacons = count(json?["adSpaceBeacons"])
        counters.pings = count(json?["pings"])
        counters.pingsFailed = count(json?["pingsFailed"])
        counters.retries = count(json?["retries"])
        counters.beaconsSent = count(json?["beaconsSent"]) + counters.retries
        counters.late = count(json?["late"])
        counters.metadataPolls = count(json?["metadataPolls"])
        counters.playlistReloads = count(json?["playlistReloads"])
        counters.adRequests = count(json?["adRequests"])
        for member in json?["statusClasses"]?.objectValue?.members ?? [] {
            if let digit = member.name.first?.wholeNumberValue { counters.statusClasses[digit] = count(member.value) }
        }
        return counters
    }

    func activity(_ json: JSONValue?) -> ActivityView {
        func counts(_ json: JSONValue?) -> [Int] { list(json).suffix(120).map { count($0) } }
        var view = ActivityView(
            beaconsPerSecond: counts(json?["beaconsPerSecond"]), errorsPerSecond: counts(json?["errorsPerSecond"]),
            hosts: [])
        view.latencyMedian = span(json?["latencyMedianMs"])
        view.latency95 = span(json?["latency95Ms"])
        view.latencyMaximum = span(json?["latencyMaximumMs"])
        view.hosts = list(json?["hosts"]).prefix(20).map { host in
            HostView(
                host: text(host["host"]), sent: count(host["sent"]), failed: count(host["failed"]),
                latency95: span(host["latency95Ms"]), acknowledged: count(host["acknowledged"]),
                answers: histogram(host["answers"]), lateness: histogram(host["lateness"]),
                unknown: count(host["unknown"]))
        }
        return view
    }

    private func histogram(_ json: JSONValue?) -> DelayHistogram {
        var histogram = DelayHistogram()
        for (bucket, value) in list(json).prefix(DelayHistogram.bounds.count + 1).enumerated() {
            histogram.add(count(value), inBucket: bucket, sum: .zero)
        }
        return histogram
    }

    func finding(_ json: JSONValue) -> FindingView? {
        guard let severity = json["severity"]?.stringValue.flatMap(Severity.init) else { return nil }
        let finding = Finding(
            rule: text(json["rule"]), severity: severity, message: text(json["message"]),
            line: json["line"]?.integerValue.map { Int(clamping: $0) }, path: json["path"]?.stringValue,
            section: json["section"]?.stringValue)
        return FindingView(
            finding: finding, count: count(json["count"]), first: moment(json["firstMs"]) ?? at,
            last: moment(json["lastMs"]) ?? at,
            places: list(json["places"]).prefix(FindingView.placesKept).compactMap(place), date: date(json["dateMs"]))
    }

    private func place(_ json: JSONValue) -> FindingView.Place? {
        guard let adBreak = json["break"]?.stringValue, let start = date(json["breakStartMs"]) else { return nil }
        let place = FindingPlace(
            adBreak: adBreak, start: start, ad: json["ad"]?.stringValue, event: json["event"]?.stringValue)
        return FindingView.Place(
            place: place, message: text(json["message"]), count: count(json["count"]),
            last: moment(json["lastMs"]) ?? at)
    }

    func entry(_ json: JSONValue) -> LogEntry? {
        guard let level = json["level"]?.stringValue.flatMap(LogLevel.init) else { return nil }
        return LogEntry(
            number: count(json["number"]), at: moment(json["atMs"]) ?? at, level: level, message: text(json["message"]),
            source: json["source"]?.stringValue.flatMap(LogSource.init) ?? .session, host: json["host"]?.stringValue,
            adBreak: date(json["breakStartMs"]).map { LogEntry.Break(name: text(json["break"]), start: $0) })
    }
}
