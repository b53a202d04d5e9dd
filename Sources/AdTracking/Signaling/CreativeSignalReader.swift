package import Ports

extension CreativeSignal {
    /// Maximum number of ads per envelope, events per ad and URLs per event; further ones are dropped with a finding.
    package static let slotLimit = 500
    package static let eventLimit = 100
    package static let urlLimit = 50

    /// Reads an envelope in JSON; unusable parts are reported at `path`.
    package static func read(_ value: JSONValue, path: String = member) -> CreativeSignal {
        var reader = CreativeSignalReader(path: path)
        reader.read(value)
        return reader.signal
    }

    /// Reads the base64 envelope in an attribute of a date range.
    package static func read(attribute text: String, path: String = member) -> CreativeSignal {
        var reader = CreativeSignalReader(path: path)
        guard let bytes = Base64.decode(text) else {
            reader.flag(.undecodable, .error, "is not base64")
            return reader.signal
        }
        reader.read(json: bytes)
        return reader.signal
    }

    /// Reads an envelope in JSON text.
    package static func read(json text: String, path: String = member) -> CreativeSignal {
        var reader = CreativeSignalReader(path: path)
        reader.read(json: Array(text.utf8))
        return reader.signal
    }
}

/// Reads an envelope: version 2 with a type and a payload, or version 1, which is only the payload.
private struct CreativeSignalReader {
    /// Supported features. An unsupported feature with the value `true` must not be ignored.
    private static let knownFeatures: Set<String> = ["remoteFields"]

    let path: String
    var signal = CreativeSignal()
    private var slotCount = 0

    init(path: String) {
        self.path = path
    }

    mutating func read(json bytes: [UInt8]) {
        do throws(JSONProblem) {
            read(try JSONReader.read(bytes))
        } catch {
            flag(.undecodable, .error, "is not JSON: \(error.message)")
        }
    }

    mutating func read(_ envelope: JSONValue) {
        guard envelope.objectValue != nil else {
            return flag(.undecodable, .error, "is \(envelope.typeName), not an object")
        }
        for feature in envelope["features"]?.objectValue?.members ?? []
        where feature.value.boolValue == true && !Self.knownFeatures.contains(feature.name) {
            return flag(
                .unknownFeature, .error, "requires the unsupported feature '\(feature.name)'; ignored", "features")
        }
        let version = envelope["version"]?.integerValue
        if version != 1, version != 2 {
            flag(.version, .warning, "has the version \(version.map(String.init) ?? "none")", "version")
        }
        guard let payload = envelope["payload"] else { return read(bare: envelope) }
        // The standard requires arrays; some servers send single objects (TRK-29).
        let nodes = payload.arrayValue ?? [payload]
        // Without a type the first node shows what they are.
        let type = envelope["type"]?.stringValue ?? (nodes.first?["slots"] == nil ? "slot" : "pod")
        for (index, node) in nodes.enumerated() {
            let place = payload.arrayValue == nil ? "payload" : "payload[\(index)]"
            guard slotCount <= CreativeSignal.slotLimit else {
                return flag(
                    .tooMany, .warning, "has too many slots; only \(CreativeSignal.slotLimit) are read", "payload")
            }
            switch type {
            case "pod": signal.pods.append(pod(node, place))
            case "slot": signal.slots.append(slot(node, place))
            case "trackingEvent": if let event = event(node, place) { signal.tracking.append(event) }
            case let other:
                return flag(.type, .error, "has the type '\(other)'", "type")
            }
        }
    }

    /// Version 1: a pod if it has slots, else one slot.
    private mutating func read(bare node: JSONValue) {
        signal.isBare = true
        if node["slots"] != nil {
            signal.pods.append(pod(node, nil))
        } else {
            signal.slots.append(slot(node, nil))
        }
    }

    private mutating func pod(_ node: JSONValue, _ place: String?) -> CreativeSignal.Pod {
        var pod = CreativeSignal.Pod()
        pod.start = seconds(node, "start", place)
        pod.duration = seconds(node, "duration", place)
        for (index, child) in Self.nodes(node["slots"]).prefix(CreativeSignal.slotLimit).enumerated() {
            pod.slots.append(slot(child, join(place, "slots[\(index)]")))
        }
        pod.tracking = events(node, place)
        noteRemote(node, place)
        return pod
    }

    private mutating func slot(_ node: JSONValue, _ place: String?) -> CreativeSignal.Slot {
        slotCount += 1
        var slot = CreativeSignal.Slot()
        slot.type = node["type"]?.stringValue ?? slot.type
        slot.start = seconds(node, "start", place)
        slot.duration = seconds(node, "duration", place)
        slot.identifiers = Self.nodes(node["identifiers"]).compactMap { node in
            node["value"]?.identifierText.map {
                CreativeSignal.Identifier(
                    scheme: node["scheme"]?.stringValue, value: $0, adPosition: node["ad_position"]?.identifierText)
            }
        }
        slot.tracking = events(node, place)
        slot.verifications = Self.nodes(node["verifications"]).map(Self.verification)
        slot.clickThrough = node["clickThrough"]?.stringValue
        slot.skipOffset = seconds(node, "skipOffset", place)
        let read: Set = [
            "type", "start", "duration", "tracking", "verifications", "clickThrough", "skipOffset", "version",
        ]
        slot.extras = JSONObject((node.objectValue?.members ?? []).filter { !read.contains($0.name) })
        noteRemote(node, place)
        return slot
    }

    /// The nodes of a list. The standard requires arrays; some servers send single objects (TRK-29).
    private static func nodes(_ value: JSONValue?) -> [JSONValue] {
        guard let value else { return [] }
        return value.arrayValue ?? (value.objectValue == nil ? [] : [value])
    }

    private mutating func events(_ node: JSONValue, _ place: String?) -> [CreativeSignal.Event] {
        let children = Self.nodes(node["tracking"])
        if children.count > CreativeSignal.eventLimit {
            flag(.tooMany, .warning, "\(children.count) events", join(place, "tracking"))
        }
        var events: [CreativeSignal.Event] = []
        for (index, child) in children.prefix(CreativeSignal.eventLimit).enumerated() {
            if let event = event(child, join(place, "tracking[\(index)]")) { events.append(event) }
        }
        return events
    }

    private mutating func event(_ node: JSONValue, _ place: String?) -> CreativeSignal.Event? {
        guard let type = node["type"]?.stringValue, !type.isEmpty else {
            flag(.eventWithoutType, .error, "has an event without a type; ignored", place)
            return nil
        }
        let urls = node["urls"]?.textList ?? []
        if type.lowercased() == "progress", node["offset"] == nil {
            flag(.badSeconds, .error, "progress has no offset", place)
        }
        if urls.count > CreativeSignal.urlLimit { flag(.tooMany, .warning, "\(urls.count) urls", place) }
        return CreativeSignal.Event(
            type: type, offset: seconds(node, "offset", place), urls: Array(urls.prefix(CreativeSignal.urlLimit)))
    }

    private static func verification(_ node: JSONValue) -> Verification {
        var parameters = node["parameters"]?.stringValue
        if parameters == nil, let value = node["parameters"], value != .null { parameters = value.text() }
        return Verification(
            vendor: node["vendor"]?.stringValue, parameters: parameters,
            javaScript: node["resource"]?.stringValue.map { Verification.Resource(uri: $0) })
    }

    /// Remote members would need another request; they are shown, and their events are unknown.
    private mutating func noteRemote(_ node: JSONValue, _ place: String?) {
        guard let remote = node["$remote"]?.objectValue, !remote.members.isEmpty else { return }
        let names = remote.members.map(\.name).joined(separator: ", ")
        flag(.remote, .warning, "\(names) are remote and not fetched", join(place, "$remote"))
    }

    /// A number of seconds that is not negative, or a duration as text (PRV-2); anything else is reported and treated as absent.
    private mutating func seconds(_ node: JSONValue, _ name: String, _ place: String?) -> Duration? {
        guard let value = node[name], value != .null else { return nil }
        if let span = ListedTime.seconds(value)?.asSeconds { return span }
        flag(.badSeconds, .error, "\(name) is not a number of seconds", join(place, name))
        return nil
    }

    private func join(_ place: String?, _ name: String) -> String {
        place.map { "\($0).\(name)" } ?? name
    }

    mutating func flag(_ rule: SignalingRule, _ severity: Severity, _ message: String, _ place: String? = nil) {
        signal.findings.append(
            Finding(
                rule: rule, severity: severity, message: "ad creative signaling \(message)",
                path: place.map { "\(path).\($0)" } ?? path, section: "SVTA 2053-1"))
    }
}
