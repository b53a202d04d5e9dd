import Ports

/// The breaks of a recorded programme, in the answer that opened its session (PRV-46).
enum DAIProgramme {
    /// A time this far before its ad still counts from the start of the stream; in seconds.
    private static let tolerance = ExactDecimal(1).quarters(2)

    static func answer(_ breaks: JSONValue) -> ListedAnswer {
        var answer = ListedAnswer()
        for entry in breaks.arrayValue ?? [] { read(entry, into: &answer) }
        return answer
    }

    private static func read(_ value: JSONValue, into answer: inout ListedAnswer) {
        guard value.objectValue != nil else {
            return answer.report(.wrongType, "a break is a JSON \(value.typeName) instead of an object", at: "")
        }
        guard let start = ListedTime.seconds(value["start"]) else {
            return answer.report(.withoutTime, "the break has no start: it is ignored", at: "")
        }
        guard answer.admitsBreak() else { return }
        var adBreak = ListedBreak(id: nil, start: start, statedDuration: ListedTime.seconds(value["duration"]))
        let entries = (value["ads"]?.arrayValue ?? []).filter { $0.objectValue != nil }
        let ordered = entries.sortedStably { isBefore($0["seq"]?.listedNumber, $1["seq"]?.listedNumber) }
        var cursor = start
        for entry in ordered where answer.admitsAd(to: adBreak.ads.count) {
            let ad = ad(entry, at: cursor, &answer)
            cursor = ad.end ?? cursor
            adBreak.ads.append(ad)
        }
        answer.breaks.append(adBreak)
    }

    /// Ads without a number are the last.
    private static func isBefore(_ left: ExactDecimal?, _ right: ExactDecimal?) -> Bool {
        guard let left, let right else { return left != nil && right == nil }
        return left < right
    }

    private static func ad(_ value: JSONValue, at start: ExactDecimal, _ answer: inout ListedAnswer) -> ListedAd {
        var ad = ListedAd(
            id: value["ad_id"]?.identifierText, start: start, length: ListedTime.seconds(value["duration"]))
        ad.takeDetails(of: value)
        let entries = (value["events"]?.arrayValue ?? []).prefix(ListedAnswer.eventsPerAd).compactMap { entry in
            entry["type"]?.stringValue.map { ($0, ListedTime.seconds(entry["time"])) }
        }
        // The documents do not state whether times count from the stream or from the ad.
        let isOfStream = entries.compactMap(\.1).min().map { $0 >= start.minus(tolerance) } ?? false
        ad.events = entries.filter { !DAIMetadata.isKeepAlive($0.0) }.map { name, time in
            ListedEvent(name, statedOffset: isOfStream ? time?.minus(start) : time)
        }
        if ad.length == nil {
            answer.report(.wrongType, "the ad has no usable duration: its length is unknown", at: ad.id ?? "")
        }
        return ad
    }
}

extension ListedAd {
    /// Members that are shown, of an ad in any answer.
    mutating func takeDetails(of value: JSONValue) {
        creative = value["creative_id"]?.identifierText
        clickThrough = value["clickthrough_url"]?.stringValue.flatMap { URLText($0).isUnusable ? nil : $0 }
        isSlate = value["slate"] == true
        let known: Set<String> = [
            "ad_id", "ad_break_id", "duration", "creative_id", "clickthrough_url", "slate", "events", "seq", "position",
        ]
        extras = JSONObject((value.objectValue?.members ?? []).filter { !known.contains($0.name) })
    }
}
