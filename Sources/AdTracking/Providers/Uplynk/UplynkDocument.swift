package import Ports

/// The breaks in the answer to a preplay request or to a ping (PRV-42).
package struct UplynkDocument: Hashable, Sendable {
    /// Breaks on the seconds of the player's timeline, ads included.
    package let answer: ListedAnswer

    package static func read(_ bytes: [UInt8]) throws(MetadataProblem) -> UplynkDocument {
        try read(try MetadataProblem.json(bytes))
    }

    /// An answer without ads, and a list of ads that were played, have no breaks.
    /// - Throws: when it is no answer of the service.
    package static func read(_ value: JSONValue) throws(MetadataProblem) -> UplynkDocument {
        guard value.objectValue != nil else { throw .noObject(value) }
        guard ["playURL", "next_time", "ads", "error"].contains(where: { value[$0] != nil }) else {
            throw .lacking("has neither playURL nor next_time: it is no answer of this service", in: value)
        }
        return UplynkDocument(answer: breaks(value, .client))
    }

    /// The breaks in an answer to a request of the service.
    package static func breaks(_ value: JSONValue, _ mode: UplynkMode) -> ListedAnswer {
        var reader = UplynkReader(mode: mode)
        reader.readBreaks(value["ads"]?["breaks"])
        reader.answer.separateBreaks()
        return reader.answer
    }
}

/// Reads the breaks of one answer; a bad one does not affect its neighbours.
private struct UplynkReader {
    /// Who reports what is read.
    let mode: UplynkMode
    var answer = ListedAnswer()

    init(mode: UplynkMode) {
        self.mode = mode
    }

    /// Events of a break, which has those of an ad for its own start and end; in lower case.
    private static let ofBreak = ["impression": "breakStart", "complete": "breakEnd"]

    /// - Parameter list: nil where the answer has none.
    mutating func readBreaks(_ list: JSONValue?) {
        guard let list, list != .null else { return }
        guard let breaks = list.arrayValue else {
            return answer.report(.wrongType, "the breaks are a JSON \(list.typeName) instead of an array", at: "")
        }
        for entry in breaks { readBreak(entry) }
    }

    private mutating func readBreak(_ value: JSONValue) {
        guard value.objectValue != nil else {
            return answer.report(.wrongType, "a break is a JSON \(value.typeName) instead of an object", at: "")
        }
        let id = value["breakId"]?.identifierText
        guard let start = ListedTime.seconds(value["timeOffset"]) else {
            return answer.report(.withoutTime, "the break has no time: it is ignored", at: id ?? "")
        }
        guard answer.admitsBreak() else { return }
        var adBreak = ListedBreak(id: id, start: start, statedDuration: ListedTime.seconds(value["duration"]))
        adBreak.isLinear = value["type"]?.stringValue?.lowercased() != "nonlinear"
        var cursor = start
        for entry in value["ads"]?.arrayValue ?? [] {
            guard entry.objectValue != nil, answer.admitsAd(to: adBreak.ads.count) else { continue }
            let ad = ad(entry, at: cursor, in: adBreak)
            if adBreak.isLinear { cursor = ad.end ?? cursor }
            adBreak.ads.append(ad)
        }
        let events = entries(value["events"]).compactMap { name, urls in
            answer.event(
                Self.ofBreak[name.lowercased()] ?? name, urls, statedOffset: nil, window: nil, at: adBreak.node)
        }.map(mode.reported)
        adBreak.events = answer.joined(events, inLength: adBreak.length, at: adBreak.node)
        answer.breaks.append(adBreak)
    }

    private mutating func ad(_ value: JSONValue, at start: ExactDecimal, in adBreak: ListedBreak) -> ListedAd {
        let creative = value["creative"]?.identifierText
        var ad = ListedAd(id: creative, start: start, length: ListedTime.seconds(value["duration"]))
        ad.creative = creative
        ad.isLinear = adBreak.isLinear
        let node = adBreak.node(of: ad)
        if ad.length == nil, ad.isLinear {
            answer.report(.wrongType, "the ad has no usable duration: its length is unknown", at: node)
        }
        ad.extras = JSONObject((value.objectValue?.members ?? []).filter { !Self.known.contains($0.name) })
        for (name, urls) in entries(value["events"]) { answer.add(name, urls, to: &ad, at: node) }
        ad.events = ad.events.map(mode.reported)
        return answer.joined(ad, at: node)
    }

    private static let known: Set<String> = ["creative", "duration", "events"]

    /// The events of an owner by name; names are in the plural.
    private func entries(_ value: JSONValue?) -> [(name: String, urls: [String])] {
        (value?.objectValue?.members ?? []).prefix(ListedAnswer.eventsPerAd).map { member in
            (Self.singular(member.name), member.value.textList)
        }
    }

    private static func singular(_ name: String) -> String {
        guard name.lowercased().hasSuffix("s") else { return name }
        let singular = String(name.dropLast())
        let isKnown = EventType(listed: singular) != .unknown || EventType.isInVAST(singular)
        return isKnown ? singular : name
    }
}
