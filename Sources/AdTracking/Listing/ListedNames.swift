import VAST

/// Names of earlier versions of VAST (VAST-8) in answers of providers (PRV-4).
extension EventType {
    /// In lower case, each with the types of today that it may mean, the likeliest first: where `fullscreen` is listed too, `expand` is about the
    /// creative.
    private static let older: [(name: String, types: [EventType])] = [
        ("fullscreen", [.playerExpand]), ("exitfullscreen", [.playerCollapse]), ("close", [.closeLinear]),
        ("expand", [.playerExpand, .adExpand]), ("collapse", [.playerCollapse, .adCollapse]),
    ]

    /// Whether VAST has an event of that name, in whatever version.
    static func isInVAST(_ name: String) -> Bool {
        EventName(rawValue: name) != nil || older.contains { $0.name == name.lowercased() }
    }

    /// The types of the events of one ad. A name of an earlier version counts as that of today only where that is missing.
    static func types(listed names: [String]) -> [EventType] {
        let types = names.map { EventType(listed: $0) }
        let unknown = Set(zip(names, types).filter { $0.1 == .unknown }.map { $0.0.lowercased() })
        guard !unknown.isEmpty else { return types }
        var taken = Set(types)
        var today: [String: EventType] = [:]
        for (name, types) in older where unknown.contains(name) {
            guard let type = types.first(where: { !taken.contains($0) }) else { continue }
            today[name] = type
            taken.insert(type)
        }
        return zip(names, types).map { name, type in
            type == .unknown ? today[name.lowercased()] ?? .unknown : type
        }
    }
}

extension [ListedEvent] {
    /// The events of one ad or break, those with names of earlier versions under the names of today.
    var withTodaysNames: [ListedEvent] {
        guard contains(where: { $0.type == .unknown }) else { return self }
        return zip(self, EventType.types(listed: map(\.name))).map { event, type in
            guard event.type == .unknown, type != .unknown else { return event }
            var event = event
            (event.name, event.type) = (type.rawValue, type)
            return event
        }
    }
}
