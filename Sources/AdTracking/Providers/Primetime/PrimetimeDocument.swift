package import Ports

/// One answer with tracking data of Adobe Primetime, version 2 (PRV-38).
package struct PrimetimeDocument: Hashable, Sendable {
    package let answer: ListedAnswer

    package static func read(_ bytes: [UInt8]) throws(MetadataProblem) -> PrimetimeDocument {
        try read(try MetadataProblem.json(bytes))
    }

    package static func read(_ value: JSONValue) throws(MetadataProblem) -> PrimetimeDocument {
        guard value.objectValue != nil else { throw .noObject(value) }
        guard let list = value["pods"], let pods = list == .null ? [] : list.arrayValue else {
            throw .lacking("has no list of pods", in: value, names: ["pods"])
        }
        var reader = PrimetimeReader()
        for pod in pods { reader.readPod(pod) }
        reader.answer.separateBreaks()
        return PrimetimeDocument(answer: reader.answer)
    }
}

/// Reads the pods of one answer; a bad one does not affect its neighbours.
private struct PrimetimeReader {
    var answer = ListedAnswer()

    mutating func readPod(_ value: JSONValue) {
        guard value.objectValue != nil else {
            return answer.report(.wrongType, "a pod is a JSON \(value.typeName) instead of an object", at: "")
        }
        guard answer.admitsBreak() else { return }
        let ads = value["ads"]?.arrayValue ?? []
        var adBreak = ListedBreak(id: value["id"]?.identifierText, start: .zero)
        let stated = ListedTime.seconds(value["startTime"])
        let lack = "the pod \(ListedTime.lackOfStart(value["startTime"]))"
        guard let start = stated ?? ads.lazy.compactMap({ ListedTime.seconds($0["startTime"]) }).first else {
            return answer.report(.withoutTime, "\(lack), and no ad has one: it is ignored", at: adBreak.node)
        }
        if stated == nil {
            answer.report(.startOfFirstAd, "\(lack): that of its first ad is used", at: adBreak.node)
        }
        adBreak.start = start
        adBreak.statedDuration = ListedTime.seconds(value["duration"])
        adBreak.ads = readAds(ads, of: adBreak)
        let events = Self.entries(value).compactMap { entry in
            answer.event(
                entry.name, entry.urls, statedOffset: entry.moment?.minus(start), window: nil, at: adBreak.node)
        }
        adBreak.events = answer.joined(events, inLength: adBreak.length, at: adBreak.node)
        answer.breaks.append(adBreak)
    }

    private mutating func readAds(_ list: [JSONValue], of adBreak: ListedBreak) -> [ListedAd] {
        var drafts: [ListedAdDraft] = []
        var cursor = adBreak.start
        for value in list {
            guard value.objectValue != nil, answer.admitsAd(to: drafts.count) else { continue }
            let start = ListedTime.seconds(value["startTime"])
            var ad = ListedAd(
                id: value["id"]?.identifierText, start: start ?? cursor,
                length: ListedTime.seconds(value["duration"]))
            let node = adBreak.node(of: ad)
            ad.extras = JSONObject((value.objectValue?.members ?? []).filter { !Self.known.contains($0.name) })
            for entry in Self.entries(value) {
                answer.add(entry.name, entry.urls, statedOffset: entry.moment?.minus(ad.start), to: &ad, at: node)
            }
            cursor = ad.end ?? ad.start
            drafts.append(ListedAdDraft(ad: ad, start: start))
        }
        let filled = ListedGaps.filled(drafts, breakStart: adBreak.start, length: adBreak.statedDuration, &answer) {
            adBreak.node(of: $0)
        }
        return filled.map { answer.joined($0, at: adBreak.node(of: $0)) }
    }

    private static let known: Set<String> = ["id", "startTime", "duration", "trackingUrls"]

    /// The tracking entries of a pod or an ad, at their seconds in the stream.
    private static func entries(_ node: JSONValue) -> [(name: String, urls: [String], moment: ExactDecimal?)] {
        (node["trackingUrls"]?.arrayValue ?? []).prefix(ListedAnswer.eventsPerAd).compactMap { value in
            guard let name = value["event"]?.stringValue, !name.isEmpty else { return nil }
            let urls = value["url"]?.textList ?? []
            return (names[name.lowercased()] ?? name, urls, ListedTime.seconds(value["startTime"]))
        }
    }

    /// Names that only this service has.
    private static let names = ["first": "firstQuartile", "third": "thirdQuartile"]
}
