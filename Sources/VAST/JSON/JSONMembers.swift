import Ports

/// In the JSON schema of documents, absent values are null and members have a fixed order.
extension JSONValue {
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    static func urls(_ links: [Link]) -> JSONValue { .array(links.map { .string($0.url) }) }

    static func links(_ links: [Link]) -> JSONValue {
        .array(links.map { JSONValue.link($0) })
    }

    static func link(_ link: Link) -> JSONValue { ["id": .optional(link.id), "url": .string(link.url)] }

    /// URLs by event, events in the order of first appearance.
    static func byEvent(_ tracking: [Tracking]) -> JSONValue {
        var (events, urls) = ([String](), [String: [JSONValue]]())
        for entry in tracking {
            if urls[entry.event] == nil { events.append(entry.event) }
            urls[entry.event, default: []].append(.string(entry.url))
        }
        return .object(JSONObject(events.map { JSONObject.Member(name: $0, value: .array(urls[$0] ?? [])) }))
    }

    static func list<Element>(_ values: [Element], _ transform: (Element) -> JSONValue) -> JSONValue {
        .array(values.map(transform))
    }

    static func optional<Value>(_ value: Value?, _ transform: (Value) -> JSONValue) -> JSONValue {
        value.map(transform) ?? .null
    }
}
