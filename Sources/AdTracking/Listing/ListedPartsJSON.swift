import Ports

/// Companions, verifications, icons and extensions of a listed ad as JSON (schema `adtop-metadata/1`).
enum ListedPartsJSON {
    /// Lists that are not empty.
    static func members(of ad: ListedAd) -> JSONObject {
        let lists: [(String, [JSONValue])] = [
            ("companions", ad.parts.companions.map(companion)),
            ("verifications", ad.parts.verifications.map(verification)),
            ("icons", ad.parts.icons.map(icon)), ("extensions", ad.extras["extensions"]?.arrayValue ?? []),
            ("otherForms", ad.extras["otherForms"]?.arrayValue ?? []),
        ]
        return JSONObject(
            lists.filter { !$0.1.isEmpty }.map { JSONObject.Member(name: $0.0, value: .array($0.1)) })
    }

    private static func companion(_ companion: Companion) -> JSONValue {
        [
            "width": .optional(companion.width), "height": .optional(companion.height),
            "attributes": .object(companion.attributes), "events": events(companion.events),
            "others": .object(companion.extras),
        ]
    }

    private static func verification(_ verification: Verification) -> JSONValue {
        [
            "vendor": .optional(verification.vendor), "parameters": .optional(verification.parameters),
            "javaScript": resource(verification.javaScript), "executable": resource(verification.executable),
            "events": events(verification.events), "others": .object(verification.extras),
        ]
    }

    private static func resource(_ resource: Verification.Resource?) -> JSONValue {
        guard let resource else { return .null }
        return [
            "apiFramework": .optional(resource.apiFramework),
            "browserOptional": resource.isBrowserOptional.map(JSONValue.bool) ?? .null, "uri": .optional(resource.uri),
        ]
    }

    private static func icon(_ icon: Icon) -> JSONValue {
        [
            "program": .optional(icon.program), "image": .optional(icon.imageURI),
            "clickThrough": .optional(icon.clickThrough), "attributes": .object(icon.attributes),
            "others": .object(icon.extras),
        ]
    }

    private static func events(_ events: [TrackingEvent]) -> JSONValue {
        .array(
            events.map { event in
                ["type": .string(event.rawName), "urls": .array(event.urls.map(JSONValue.string))]
            })
    }
}
