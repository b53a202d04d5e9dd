package import Ports

/// One answer with ad metadata of Broadpeak (PRV-34, PRV-35).
package struct BroadpeakDocument: Hashable, Sendable {
    /// Breaks on dates in a live stream, else on the seconds of the programme.
    package let answer: ListedAnswer
    /// Seconds until the next request as the service asks for them; nil if it does not.
    package let delay: ExactDecimal?

    /// Seconds between two requests (PRV-36).
    package static let delays = ExactDecimal(2)...ExactDecimal(5)

    /// Seconds until the next request.
    package var after: ExactDecimal {
        delay.map { min(max($0, Self.delays.lowerBound), Self.delays.upperBound) } ?? Self.delays.upperBound
    }

    /// - Parameter isLive: whether times are dates.
    package static func read(_ bytes: [UInt8], isLive: Bool) throws(MetadataProblem) -> BroadpeakDocument {
        try read(try MetadataProblem.json(bytes), isLive: isLive)
    }

    package static func read(_ value: JSONValue, isLive: Bool) throws(MetadataProblem) -> BroadpeakDocument {
        guard value.objectValue != nil else { throw .noObject(value) }
        guard let pods = value["adpods"] else { throw .lacking("has no adpods", in: value) }
        var reader = BroadpeakReader(
            zero: ListedTime.milliseconds(value["timereference_ms"]) ?? .zero, isLive: isLive)
        guard let list = pods == .null ? [] : pods.arrayValue else {
            throw .other("has adpods that are a JSON \(pods.typeName)")
        }
        for pod in list { reader.readPod(pod) }
        reader.answer.separateBreaks()
        return BroadpeakDocument(
            answer: reader.answer, delay: ListedTime.milliseconds(value["refresh_delay_ms"]))
    }
}

/// Reads the pods of one answer; a bad one does not affect its neighbours.
private struct BroadpeakReader {
    /// What the times of this answer count from; seconds.
    let zero: ExactDecimal
    let isLive: Bool
    var answer = ListedAnswer()

    init(zero: ExactDecimal, isLive: Bool) {
        (self.zero, self.isLive) = (zero, isLive)
    }

    mutating func readPod(_ value: JSONValue) {
        guard value.objectValue != nil else {
            return answer.report(.wrongType, "a pod is a JSON \(value.typeName) instead of an object", at: "")
        }
        guard answer.admitsBreak() else { return }
        let ads = value["ads"]?.arrayValue ?? []
        var adBreak = ListedBreak(id: value["id"]?.identifierText, start: .zero)
        let stated = statedStart(of: value)
        let starts = [stated] + ads.map { statedStart(of: $0) }
        guard let start = starts.compactMap(\.self).first(where: { isPlausible($0) }) else {
            let lack = Self.lackOfStart(value, read: stated)
            return answer.report(.withoutTime, "\(lack), and no ad has one: it is ignored", at: adBreak.node)
        }
        if start != stated {
            let lack = Self.lackOfStart(value, read: stated)
            answer.report(.startOfFirstAd, "\(lack): that of its first ad is used", at: adBreak.node)
        }
        adBreak.start = start
        adBreak.statedDuration = ListedTime.milliseconds(value["duration_ms"])
        adBreak.date = date(adBreak.start)
        for ad in ads { read(ad, into: &adBreak) }
        answer.breaks.append(adBreak)
    }

    /// Where a pod or an ad begins, as the answer states it.
    private func statedStart(of node: JSONValue) -> ExactDecimal? {
        ListedTime.milliseconds(node["starttime_ms"]).map { zero.plus($0) }
    }

    /// Why the start of a pod cannot be used.
    /// - Parameter stated: what was read as its start, where that is none of a live stream; nil where it is no time at all.
    private static func lackOfStart(_ pod: JSONValue, read stated: ExactDecimal?) -> String {
        let date = stated.map { "begins at \($0) s, which cannot be a date of a live stream" }
        return "the pod \(date ?? ListedTime.lackOfStart(pod["starttime_ms"]))"
    }

    /// Times of a live stream are dates.
    private func isPlausible(_ seconds: ExactDecimal) -> Bool { !isLive || seconds >= Self.firstDate }

    /// A live stream that has ended still has the dates that it had.
    private func date(_ seconds: ExactDecimal) -> UnixTime? {
        seconds >= Self.firstDate ? UnixTime(microseconds: seconds.inMicroseconds) : nil
    }

    /// No recorded programme lasts that many seconds, 31 years: it is a date, 2001-09-09.
    private static let firstDate = ExactDecimal(1_000_000_000)

    private mutating func read(_ value: JSONValue, into adBreak: inout ListedBreak) {
        guard value.objectValue != nil, answer.admitsAd(to: adBreak.ads.count) else { return }
        let stated = ListedTime.milliseconds(value["starttime_ms"])
        let listed = statedStart(of: value).flatMap { isPlausible($0) ? $0 : nil }
        let start = listed ?? adBreak.ads.last.map { $0.end ?? $0.start } ?? adBreak.start
        var ad = ListedAd(
            id: value["adid"]?.identifierText, start: start, length: ListedTime.milliseconds(value["duration_ms"]))
        let node = adBreak.node(of: ad)
        let events = value["trackingevents"]?.arrayValue ?? []
        if let stated, stated.isPositive, let first = events.first, ListedTime.milliseconds(first["time_ms"]) == .zero {
            return answer.report(.notReady, "the ad is not ready: it is expected in a later answer", at: node)
        }
        ad.date = date(start)
        ad.creative = value["creativeid"]?.identifierText
        ad.isSlate = ad.id == Self.slate
        ad.isLinear = !Self.isPresent(value["nonLinear"])
        ad.extras = JSONObject((value.objectValue?.members ?? []).filter { !Self.known.contains($0.name) })
        for event in events { read(event, into: &ad, at: node) }
        readClicks(value["videoclicks"], into: &ad, at: node)
        adBreak.ads.append(answer.joined(ad, at: node))
    }

    /// The id of filler.
    private static let slate = "SLATE"
    private static let known: Set<String> = [
        "adid", "creativeid", "starttime_ms", "duration_ms", "trackingevents", "videoclicks",
    ]

    private static func isPresent(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .null, false: false
        case let value?: value.objectValue?.members.isEmpty != true && value.arrayValue?.isEmpty != true
        }
    }

    private mutating func read(_ value: JSONValue, into ad: inout ListedAd, at node: String) {
        guard let name = value["type"]?.stringValue, !name.isEmpty else { return }
        let moment = ListedTime.milliseconds(value["time_ms"]).flatMap { $0.isPositive ? $0 : nil }
        let offset = moment.map { zero.plus($0).minus(ad.start) }
        let urls = value["callbackurl"]?.textList ?? []
        answer.add(name, urls, statedOffset: offset ?? ListedTime.milliseconds(value["offset_ms"]), to: &ad, at: node)
    }

    private mutating func readClicks(_ value: JSONValue?, into ad: inout ListedAd, at node: String) {
        for page in value?["clickthroughurl"]?.textList ?? [] { answer.add("clickThrough", [page], to: &ad, at: node) }
        let clicks = (value?["clicktracking"]?.arrayValue ?? []).flatMap { $0["clickurl"]?.textList ?? [] }
        if !clicks.isEmpty { answer.add("clickTracking", clicks, to: &ad, at: node) }
    }
}
