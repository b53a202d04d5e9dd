import Ports

/// Listed breaks as one process hands them on to the next (FLT-15): what decides about beacons, and no details for people. Numbers are texts, so
/// that they stay exact.
extension ListedBreak {
    /// How long a break is remembered after its end: a successor may go back that far.
    static let remembered: Duration = .seconds(60)

    var memory: JSONValue {
        [
            "id": .optional(id), "name": .optional(name), "start": .string(start.text),
            "told": .optional(statedDuration?.text),
            "planned": .optional(planned?.text), "linear": .bool(isLinear), "ads": .array(ads.map(\.memory)),
            "events": .array(events.map(\.memory)),
        ]
    }

    /// Nil where it is none.
    init?(memory: JSONValue) {
        guard memory.objectValue != nil, let start = memory["start"]?.exactText else { return nil }
        self.init(id: memory["id"]?.stringValue, start: start, statedDuration: memory["told"]?.exactText)
        (name, planned) = (memory["name"]?.stringValue, memory["planned"]?.exactText)
        isLinear = memory["linear"] != false
        ads = (memory["ads"]?.arrayValue ?? []).prefix(ListedAnswer.adsPerBreak).compactMap(ListedAd.init(memory:))
        events = [ListedEvent](memory: memory["events"])
    }

    /// The breaks in a list; what is none is left out.
    static func list(memory: JSONValue?, limit: Int) -> [ListedBreak] {
        (memory?.arrayValue ?? []).prefix(limit).compactMap(ListedBreak.init(memory:))
    }
}

extension ListedAd {
    fileprivate var memory: JSONValue {
        [
            "id": .optional(id), "start": .string(start.text), "length": .optional(length?.text),
            "creative": .optional(creative), "clickThrough": .optional(clickThrough), "linear": .bool(isLinear),
            "slate": .bool(isSlate), "events": .array(events.map(\.memory)),
        ]
    }

    fileprivate init?(memory: JSONValue) {
        guard let start = memory["start"]?.exactText else { return nil }
        self.init(id: memory["id"]?.stringValue, start: start, length: memory["length"]?.exactText)
        (creative, clickThrough) = (memory["creative"]?.stringValue, memory["clickThrough"]?.stringValue)
        (isLinear, isSlate) = (memory["linear"] != false, memory["slate"] == true)
        events = [ListedEvent](memory: memory["events"])
    }
}

extension ListedEvent {
    fileprivate var memory: JSONValue {
        [
            "name": .string(name), "told": .optional(statedOffset?.text), "window": .optional(window?.text),
            "urls": .array(urls.map(JSONValue.string)), "byService": .bool(isReportedByService),
        ]
    }
}

extension [ListedEvent] {
    fileprivate init(memory: JSONValue?) {
        self = (memory?.arrayValue ?? []).prefix(ListedAnswer.eventsPerAd).compactMap { entry in
            guard let name = entry["name"]?.stringValue else { return nil }
            let urls = (entry["urls"]?.arrayValue ?? []).prefix(DecodedMetadata.urlsPerEvent).compactMap(\.stringValue)
            var event = ListedEvent(
                name, statedOffset: entry["told"]?.exactText, window: entry["window"]?.exactText,
                urls: urls.filter { !URLText($0).isUnusable })
            event.isReportedByService = entry["byService"] == true
            return event.urls.isEmpty ? nil : event
        }
    }
}

extension JSONValue {
    /// A number that was written as text.
    var exactText: ExactDecimal? { stringValue.flatMap { ExactDecimal($0) } }
}
