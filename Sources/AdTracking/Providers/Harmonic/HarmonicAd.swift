import Ports

/// Reading an ad and its parts (TRK-4).
extension NodeReader {
    /// Nil when the ad cannot be placed in time.
    mutating func ad(_ object: JSONObject, fallbackStart: UnixTime?) -> Ad? {
        var fields = TimedFields()
        var eventsValue: JSONValue?
        var companionsValue = JSONValue.null
        var verificationsValue = JSONValue.null
        var ad = Ad(name: nil, start: UnixTime(microseconds: 0), duration: .zero)
        for member in object.members {
            if take(member, into: &fields) { continue }
            switch member.name {
            case "trackingEvents": eventsValue = member.value
            case "clickThrough": ad.clickThrough = text(member.value, "clickThrough")
            case "clickTracking": ad.clickTracking = text(member.value, "clickTracking")
            case "companionAds": companionsValue = member.value
            case "adVerifications": verificationsValue = member.value
            case "icons": ad.icons = icons(member.value)
            default: keep(member, in: &ad.extras, known: MetadataNames.ad)
            }
        }
        ad.name = fields.name
        if fields.name == nil { report(.identifier, "ad without id", at: "id") }
        guard let start = fields.start ?? fallbackStart else {
            report(.wrongType, "ad without startTime cannot be placed", at: "startTime")
            return nil
        }
        if fields.start == nil {
            report(.wrongType, "startTime is missing; using the end of the previous ad", at: "startTime")
        }
        ad.start = start
        ad.duration = fields.duration ?? .zero
        ad.events = events(eventsValue, ad: ad)
        ad.companions = companions(companionsValue, adStart: start)
        ad.verifications = verifications(verificationsValue, adStart: start)
        if fields.duration == nil {
            report(.wrongType, "\(fields.lack); using the time of the last event", at: "duration")
            ad.duration = ad.plannedEnd - ad.start
        }
        return ad
    }

    /// Reads the events of an ad; `ad` provides the defaults for missing times.
    private mutating func events(_ value: JSONValue?, ad: Ad) -> [TrackingEvent] {
        guard let objects = objects(value, "trackingEvents") else { return [] }
        var events: [TrackingEvent] = []
        events.reserveCapacity(objects.count)
        for (index, object) in objects {
            inside("trackingEvents", index) { reader in
                let first = reader.findings.count
                guard let event = reader.event(object, window: (ad.start, ad.duration)) else { return }
                reader.place(since: first, ad: ad.name ?? "", event: event.rawName)
                events.append(event)
            }
        }
        return events
    }

    /// Nil when the event can happen at no known time.
    /// - Parameters:
    private mutating func event(
        _ object: JSONObject, window: (start: UnixTime, duration: Duration), isLoose: Bool = false
    ) -> TrackingEvent? {
        var rawName: String?
        var start: UnixTime?
        var hasStart = false
        var duration: Duration?
        var urlsValue: JSONValue?
        var extras = JSONObject()
        for member in object.members {
            switch member.name {
            case "event": rawName = text(member.value, "event")
            case "startTime":
                hasStart = true
                start = time(member.value, "startTime")
            case "duration": duration = span(member.value, "duration")
            case "signalingUrls": urlsValue = member.value
            default: keep(member, in: &extras, known: MetadataNames.event)
            }
        }
        if rawName == nil { report(.wrongType, "event has no name", at: "event") }
        let type = rawName.map(EventType.init(name:)) ?? .unknown
        if let rawName, type == .unknown {
            report(.unknownEvent, "unknown event '\(rawName)': not sent", at: "event")
        }
        if start == nil, isLoose || type.eventClass != .time {
            start = window.start
            duration = duration ?? window.duration
        }
        if start == nil || (!isLoose && !hasStart) {
            report(.wrongType, "startTime is missing", at: "startTime")
        }
        guard let start else { return nil }
        return TrackingEvent(
            type: type, rawName: rawName ?? "", start: start, duration: duration ?? .zero,
            urls: urls(urlsValue), extras: extras)
    }

    private mutating func urls(_ value: JSONValue?) -> [String] {
        guard let value, value != .null else {
            report(.wrongType, "signalingUrls is missing", at: "signalingUrls")
            return []
        }
        guard case .array(let values) = value else {
            report(.wrongType, "signalingUrls is a JSON \(value.typeName) instead of an array", at: "signalingUrls")
            return []
        }
        if values.isEmpty { report(.noURL, "event has no URLs", at: "signalingUrls") }
        if values.count > DecodedMetadata.urlsPerEvent {
            let message = "event has \(values.count) URLs; only the first \(DecodedMetadata.urlsPerEvent) are used"
            report(.noURL, message, at: "signalingUrls")
        }
        var urls: [String] = []
        urls.reserveCapacity(values.count)
        for (index, value) in values.prefix(DecodedMetadata.urlsPerEvent).enumerated() {
            guard case .string(let url) = value else {
                inside("signalingUrls", index) { $0.report(.wrongType, "is a JSON \(value.typeName) instead of a URL") }
                continue
            }
            judge(url, at: index)
            urls.append(url)
        }
        return urls
    }

    private mutating func judge(_ url: String, at index: Int) {
        guard !url.isEmpty else {
            return inside("signalingUrls", index) { $0.report(.noURL, "URL is empty") }
        }
        let text = URLText(url)
        if text.isUnusable {
            inside("signalingUrls", index) { $0.report(.badURL, "'\(url)' is not a usable http or https URL") }
        }
        if text.hasMacro {
            inside("signalingUrls", index) { $0.report(.macro, "'\(url)' contains an unreplaced macro") }
        }
    }
}

/// Companions, verifications and icons.
extension NodeReader {
    /// Servers send a list of `{attributes, companion[]}` or one such object (TRK-4).
    private mutating func companions(_ value: JSONValue, adStart: UnixTime) -> [Companion] {
        let groups: [(Int, JSONObject)]
        switch value {
        case .null: return []
        case .object(let group): groups = [(0, group)]
        default: groups = objects(value, "companionAds") ?? []
        }
        var companions: [Companion] = []
        for (index, group) in groups {
            let required = group["attributes"]?["required"]?.stringValue
            inside("companionAds", index) { reader in
                guard group["companion"] != nil else { return }
                for (index, object) in reader.objects(group["companion"], "companion") ?? [] {
                    reader.inside("companion", index) {
                        companions.append($0.companion(object, required: required, adStart: adStart))
                    }
                }
            }
        }
        return companions
    }

    private mutating func companion(_ object: JSONObject, required: String?, adStart: UnixTime) -> Companion {
        var companion = Companion(required: required)
        for member in object.members {
            switch member.name {
            case "attributes":
                guard case .object(let attributes) = member.value else { continue }
                companion.attributes = attributes
                companion.width = pixels(attributes["width"], "width")
                companion.height = pixels(attributes["height"], "height")
            case "trackingEvents":
                companion.events = looseEvents(member.value, at: adStart)
            default:
                companion.extras.append(member.name, member.value)
            }
        }
        return companion
    }

    private mutating func verifications(_ value: JSONValue, adStart: UnixTime) -> [Verification] {
        guard value != .null else { return [] }
        return (objects(value, "adVerifications") ?? []).map { index, object in
            inside("adVerifications", index) { $0.verification(object, adStart: adStart) }
        }
    }

    private mutating func verification(_ object: JSONObject, adStart: UnixTime) -> Verification {
        var verification = Verification()
        for member in object.members {
            switch member.name {
            case "vendor": verification.vendor = text(member.value, "vendor")
            case "verificationParameters": verification.parameters = text(member.value, "verificationParameters")
            case "javaScriptResource": verification.javaScript = Self.resource(member.value)
            case "executableResource": verification.executable = Self.resource(member.value)
            case "trackingEvents": verification.events = looseEvents(member.value, at: adStart)
            default: verification.extras.append(member.name, member.value)
            }
        }
        return verification
    }

    private static func resource(_ value: JSONValue) -> Verification.Resource? {
        guard case .object(let object) = value else { return nil }
        let isOptional = object["browserOptional"]
        return Verification.Resource(
            apiFramework: object["apiFramework"]?.stringValue,
            isBrowserOptional: isOptional?.boolValue ?? isOptional?.stringValue.map { $0 == "true" },
            uri: object["uri"]?.stringValue)
    }

    private mutating func icons(_ value: JSONValue) -> [Icon] {
        guard value != .null else { return [] }
        return (objects(value, "icons") ?? []).map { _, object in
            var icon = Icon()
            for member in object.members {
                switch member.name {
                case "attributes": icon.attributes = member.value.objectValue ?? JSONObject()
                default: icon.extras.append(member.name, member.value)
                }
            }
            icon.program = icon.attributes["program"]?.stringValue
            icon.imageURI = icon.extras["staticResource"]?["uri"]?.stringValue
            icon.clickThrough = icon.extras["iconClicks"]?["iconClickThrough"]?.stringValue
            return icon
        }
    }

    /// Reads the events of a companion or verification, which mostly have no time of their own.
    private mutating func looseEvents(_ value: JSONValue, at start: UnixTime) -> [TrackingEvent] {
        guard value != .null, let objects = objects(value, "trackingEvents") else { return [] }
        return objects.compactMap { index, object in
            inside("trackingEvents", index) { $0.event(object, window: (start, .zero), isLoose: true) }
        }
    }
}
