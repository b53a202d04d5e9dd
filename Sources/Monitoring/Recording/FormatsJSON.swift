import AdFormats
import Ports

/// Ad spaces in a recording: the configuration in its header, and the actions of people.
enum FormatsJSON {
    static func value(of formats: FormatsConfiguration) -> JSONValue {
        [
            "adServer": .optional(formats.adServer?.text), "device": .string(formats.device.rawValue),
            "version": .string(formats.version),
            "slots": .array(
                formats.slots.map {
                    [
                        "name": .string($0.name), "unit": .string($0.unit), "format": .string($0.format.rawValue),
                        "size": .optional($0.sizeName), "plugin": .optional($0.plugin),
                        "placement": .optional($0.placement?.rawValue),
                    ]
                }),
            "plugins": .array(formats.plugins.map { value(of: $0) }),
            "builtIn": .array(
                formats.builtIn.map { ["identifier": .string($0.identifier), "configuration": $0.configuration] }),
            "parameters": .array(formats.parameters.map { [.string($0.name), .string($0.value)] }),
            "refreshFields": .array(formats.refreshFields.map(JSONValue.string)),
            "keepsZones": .bool(formats.keepsZones), "rules": .array(formats.rules.texts.map(JSONValue.string)),
        ]
    }

    static func configuration(from fields: Fields) throws(RecordingFormat.Problem) -> FormatsConfiguration {
        var slots: [FormatsConfiguration.Slot] = []
        for value in try fields.array("slots") {
            let slot = try Fields(value)
            slots.append(
                FormatsConfiguration.Slot(
                    name: try slot.string("name"), unit: try slot.string("unit"),
                    format: try slot.choice("format", of: AdFormat.self),
                    sizeName: slot.has("size") ? try slot.string("size") : nil,
                    placement: slot.has("placement")
                        ? try slot.choice("placement", of: AdPlacementKind.self) : nil,
                    plugin: slot.has("plugin") ? try slot.string("plugin") : nil))
        }
        var formats = FormatsConfiguration(
            adServer: fields.has("adServer") ? try fields.webURL("adServer") : nil, slots: slots)
        // Recordings of earlier versions have none.
        if fields.has("plugins") {
            for value in try fields.array("plugins") { formats.plugins.append(try plugin(from: Fields(value))) }
        }
        if fields.has("builtIn") {
            for value in try fields.array("builtIn") {
                let plugin = try Fields(value)
                formats.builtIn.append(.init(try plugin.string("identifier"), plugin.json("configuration")))
            }
        }
        if fields.has("parameters") {
            formats.parameters = try fields.array("parameters").compactMap { pair in
                guard let parts = pair.arrayValue, parts.count == 2 else { return nil }
                return parts[0].stringValue.flatMap { name in
                    parts[1].stringValue.map { AdConfig.Parameter(name, $0) }
                }
            }
            formats.refreshFields = try fields.array("refreshFields").compactMap(\.stringValue)
        }
        if fields.has("rules") { formats.rules = try rules(from: fields.array("rules").compactMap(\.stringValue)) }
        formats.keepsZones = fields.has("keepsZones") ? try fields.bool("keepsZones") : false
        formats.device = try fields.choice("device", of: DeviceProfile.Kind.self)
        formats.version = try fields.string("version")
        return formats
    }

    private static func rules(from texts: [String]) throws(RecordingFormat.Problem) -> ViewingRules {
        var rules = ViewingRules()
        guard texts.count == 3 else { throw .init("has invalid viewability rules") }
        do throws(ViewingRules.Problem) {
            try rules.setRefresh(texts[0])
            try rules.setImpression(texts[1])
            try rules.setViewability(texts[2])
        } catch {
            throw .init("has a viewability rule that \(error.explanation)")
        }
        return rules
    }

    static func value(of action: FormatAction) -> JSONValue {
        switch action {
        case .load: ["kind": "load"]
        case .show: ["kind": "show"]
        case .click: ["kind": "click"]
        case .dismiss: ["kind": "dismiss"]
        case .reload: ["kind": "reload"]
        case .replay: ["kind": "replay"]
        case .pause: ["kind": "pause"]
        case .mute: ["kind": "mute"]
        case .visibility(let share): ["kind": "visibility", "share": .double(share)]
        case .hidden(let flag): ["kind": "hidden", "flag": .bool(flag)]
        case .turned(let orientation): ["kind": "turned", "orientation": .string(orientation.rawValue)]
        case .lifecycle(let event): ["kind": "lifecycle", "event": .string(event.rawValue)]
        }
    }

    static func action(from fields: Fields) throws(RecordingFormat.Problem) -> FormatAction {
        switch try fields.string("kind") {
        case "load": return .load
        case "show": return .show
        case "click": return .click
        case "dismiss": return .dismiss
        case "reload": return .reload
        case "replay": return .replay
        case "pause": return .pause
        case "mute": return .mute
        case "visibility": return .visibility(try fields.double("share"))
        case "hidden": return .hidden(try fields.bool("flag"))
        case "turned":
            return .turned(try fields.choice("orientation", of: RequestParameters.Orientation.self))
        case "lifecycle": return .lifecycle(try fields.choice("event", of: LifecycleEvent.self))
        // From before the two ways back were distinguished.
        case "background":
            return .lifecycle(try fields.bool("flag") ? .didEnterBackground : .willEnterForeground)
        case let other: throw .init("has the unknown ad space action '\(other)'")
        }
    }

    // MARK: Plugins

    /// The facts about a plugin that a session needs; the path of its executable is not one of them.
    static func value(of plugin: SubprocessPlugin) -> JSONValue {
        [
            "identifier": .string(plugin.manifest.identifier), "name": .string(plugin.manifest.name),
            "capabilities": .array(plugin.manifest.capabilityNames.map(JSONValue.string)),
            "sizes": plugin.manifest.sizes.json, "configuration": plugin.configuration,
        ]
    }

    static func plugin(from fields: Fields) throws(RecordingFormat.Problem) -> SubprocessPlugin {
        let capabilities = try fields.array("capabilities").compactMap(\.stringValue)
        var manifest = PluginManifest(
            identifier: try fields.string("identifier"), name: try fields.string("name"),
            capabilities: capabilities.compactMap(AdFormat.init))
        manifest.bids = capabilities.contains(PluginManifest.bidCapability)
        manifest.sizes = NamedSizes(json: fields.json("sizes"))
        return SubprocessPlugin(manifest, configuration: fields.json("configuration"))
    }

    static func value(of news: PluginNews) -> JSONValue {
        switch news {
        case .started: ["kind": "started"]
        case .notStarted(let why): ["kind": "notStarted", "why": .string(why)]
        case .output(let bytes): value(of: bytes, kind: "output")
        case .complaint(let bytes): value(of: bytes, kind: "complaint")
        case .deaf: ["kind": "deaf"]
        case .exited(let how): ["kind": "exited", "how": .string(how)]
        }
    }

    /// Text where it is UTF-8, so that it can be read and its secrets are found.
    private static func value(of bytes: [UInt8], kind: String) -> JSONValue {
        if let text = String(validating: bytes, as: UTF8.self) {
            ["kind": .string(kind), "text": .string(text)]
        } else {
            ["kind": .string(kind), "hex": .string(ExchangeJSON.hexadecimal(bytes))]
        }
    }

    static func news(from fields: Fields) throws(RecordingFormat.Problem) -> PluginNews {
        switch try fields.string("kind") {
        case "started": return .started
        case "notStarted": return .notStarted(try fields.string("why"))
        case "output": return .output(try BodyJSON.body(from: fields))
        case "complaint": return .complaint(try BodyJSON.body(from: fields))
        case "deaf": return .deaf
        case "exited": return .exited(try fields.string("how"))
        case let other: throw .init("has the unknown plugin report '\(other)'")
        }
    }
}
