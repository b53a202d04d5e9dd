import Ports

/// Reads companions, verification scripts and icons of an ad (PRV-24); what is none of them is left out. What they lack is for the
/// rules of all providers (L54, L55).
enum MediaTailorParts {
    /// Most companions, scripts and icons of an ad, and most events of one of them; the service lists at most six companions.
    private static let limit = 50

    static func read(_ ad: MediaTailorMembers) -> ListedParts {
        var parts = ListedParts()
        parts.companions = ad.list("companionads").prefix(limit).compactMap(companion)
        parts.verifications = ad.list("adverifications").prefix(limit).compactMap(verification)
        parts.icons = ad.list("icons").prefix(limit).compactMap(icon)
        return parts
    }

    private static func companion(_ value: JSONValue) -> Companion? {
        guard let members = MediaTailorMembers(value) else { return nil }
        let attributes = MediaTailorMembers(members["attributes"])
        return Companion(
            width: pixels(attributes, "width"), height: pixels(attributes, "height"),
            attributes: attributes?.others(than: []) ?? JSONObject(), events: events(members),
            extras: named(members.others(than: ["attributes", "trackingevents"])))
    }

    private static func verification(_ value: JSONValue) -> Verification? {
        guard let members = MediaTailorMembers(value) else { return nil }
        return Verification(
            vendor: members.text("vendor"), parameters: members.text("verificationparameters"),
            javaScript: resource(members["javascriptresource"]), executable: resource(members["executableresource"]),
            events: events(members), extras: members.others(than: known))
    }

    private static let known: Set<String> = [
        "vendor", "verificationparameters", "javascriptresource", "executableresource", "trackingevents",
    ]

    private static func icon(_ value: JSONValue) -> Icon? {
        guard let members = MediaTailorMembers(value) else { return nil }
        let attributes = MediaTailorMembers(members["attributes"])
        let clicks = MediaTailorMembers(members["iconclicks"])
        return Icon(
            program: attributes?.text("program"), imageURI: address(members["staticresource"]),
            clickThrough: clicks?.text("iconclickthrough"), attributes: attributes?.others(than: []) ?? JSONObject(),
            extras: named(members.others(than: ["attributes"])))
    }

    /// The first of a list with an address, or a single one.
    private static func resource(_ value: JSONValue?) -> Verification.Resource? {
        guard let value else { return nil }
        let all = (value.arrayValue ?? [value]).prefix(limit).compactMap { MediaTailorMembers($0) }
        guard let members = all.first(where: { $0.text("uri") != nil }) ?? all.first else { return nil }
        let isOptional = members["browseroptional"]
        return Verification.Resource(
            apiFramework: members.text("apiframework"),
            isBrowserOptional: isOptional?.boolValue ?? isOptional?.stringValue.map { $0.lowercased() == "true" },
            uri: members.text("uri"))
    }

    /// Their events, `{eventType, beaconUrls}` or `{event, uri}`; a landing page is none (PRV-6).
    private static func events(_ part: MediaTailorMembers) -> [TrackingEvent] {
        part.list("trackingevents").prefix(limit).compactMap { value -> TrackingEvent? in
            guard let members = MediaTailorMembers(value),
                let name = members.text("eventtype") ?? members.text("event"), name.lowercased() != "clickthrough"
            else { return nil }
            var urls = members.texts("beaconurls")
            if let uri = members.text("uri") { urls.append(uri) }
            return TrackingEvent(
                type: EventType(name: name), rawName: name, start: UnixTime(microseconds: 0),
                urls: Array(urls.prefix(DecodedMetadata.urlsPerEvent)))
        }
    }

    /// An address, or an object with one.
    private static func address(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        return value.stringValue.flatMap { $0.isEmpty ? nil : $0 } ?? MediaTailorMembers(value)?.text("uri")
    }

    /// A number of pixels, which the service writes as text.
    private static func pixels(_ members: MediaTailorMembers?, _ name: StaticString) -> Int? {
        guard let pixels = members?.text(name).flatMap({ Int($0) }), pixels >= 0 else { return nil }
        return pixels
    }

    /// Members that are read by name elsewhere, by the names that they have there.
    private static func named(_ members: JSONObject) -> JSONObject {
        JSONObject(
            members.members.map { member in
                JSONObject.Member(name: names[member.name.lowercased()] ?? member.name, value: member.value)
            })
    }

    private static let names = [
        "staticresource": "staticResource", "iframeresource": "iFrameResource", "htmlresource": "htmlResource",
        "companionclickthrough": "companionClickThrough",
    ]
}
