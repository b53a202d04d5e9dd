import Ports

/// Text form of identities for journals: a JSON array, so that the parts stay separate whatever they contain.
extension URLKey {
    /// One line of JSON; ``init(text:)`` reads it.
    package var text: String {
        JSONValue.array([
            .string(event.session), event.breakName.json, event.adName.json, .integer(event.adStart.microseconds),
            .string(event.type), .integer(event.start.microseconds), .string(url),
        ]).text()
    }

    /// Nil when `text` does not have the form that ``text`` writes.
    package init?(text: String) {
        // A line that is not JSON gives no key; the reader of the journal reports it.
        guard let parts = (try? JSONReader.read(text))?.arrayValue, parts.count == 7,
            let session = parts[0].stringValue, let breakName = NodeName(json: parts[1]),
            let adName = NodeName(json: parts[2]), let adStart = parts[3].integerValue,
            let type = parts[4].stringValue, let start = parts[5].integerValue, let url = parts[6].stringValue
        else { return nil }
        let event = EventKey(
            session: session, breakName: breakName, adName: adName, adStart: UnixTime(microseconds: adStart),
            type: type,
            start: UnixTime(microseconds: start))
        self.init(event: event, url: url)
    }
}

extension NodeName {
    fileprivate var json: JSONValue {
        switch self {
        case .given(let name): .string(name)
        case .synthesized(let start, let index): .array([.integer(start.microseconds), .integer(Int64(index))])
        }
    }

    fileprivate init?(json: JSONValue) {
        if let name = json.stringValue {
            self = .given(name)
        } else if let parts = json.arrayValue, parts.count == 2, let start = parts[0].integerValue,
            let index = parts[1].integerValue.flatMap(Int.init(exactly:))
        {
            self = .synthesized(start: UnixTime(microseconds: start), index: index)
        } else {
            return nil
        }
    }
}
