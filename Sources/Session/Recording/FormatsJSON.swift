import AdFormats
import Ports

/// The ad spaces in a recording's header. Recordings of earlier versions have no plugins, parameters or rules.
extension FormatsConfiguration: RecordedObject {
    static var blank: FormatsConfiguration { FormatsConfiguration(adServer: nil, slots: []) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("adServer", &adServer)
        members.code("device", &device)
        members.code("version", &version)
        members.code("slots", &slots)
        members.code("plugins", &plugins, isOptional: true)
        members.code("builtIn", &builtIn, isOptional: true)
        members.code("parameters", &parameters, isOptional: true)
        members.code("refreshFields", &refreshFields, isOptional: true)
        members.code("keepsZones", &keepsZones, earlier: false)
        members.code("rules", &rules, earlier: ViewingRules())
    }
}

extension FormatsConfiguration.Slot: RecordedObject {
    static var blank: FormatsConfiguration.Slot { .init(name: "", unit: "", format: .banner) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("name", &name)
        members.code("unit", &unit)
        members.code("format", &format)
        members.code("size", &sizeName)
        members.code("plugin", &plugin)
        members.code("placement", &placement)
    }
}

extension FormatsConfiguration.BuiltIn: RecordedObject {
    static var blank: FormatsConfiguration.BuiltIn { .init("", .null) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("identifier", &identifier)
        members.code("configuration", &configuration)
    }
}

extension ViewingRules: RecordedValue {
    var recorded: JSONValue { .array(texts.map(JSONValue.string)) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> ViewingRules {
        let texts = try fields.array(name).compactMap(\.stringValue)
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
}

/// The facts about a plugin that a session needs; the path of its executable is not one of them.
extension SubprocessPlugin: RecordedElement {
    var recorded: JSONValue {
        [
            "identifier": .string(manifest.identifier), "name": .string(manifest.name),
            "capabilities": .array(manifest.capabilityNames.map(JSONValue.string)), "sizes": manifest.sizes.json,
            "configuration": configuration,
        ]
    }

    static func element(_ json: JSONValue) throws(RecordingFormat.Problem) -> SubprocessPlugin? {
        let fields = try Fields(json)
        let capabilities = try fields.array("capabilities").compactMap(\.stringValue)
        var manifest = PluginManifest(
            identifier: try fields.string("identifier"), name: try fields.string("name"),
            capabilities: capabilities.compactMap(AdFormat.init))
        manifest.bids = capabilities.contains(PluginManifest.bidCapability)
        manifest.sizes = NamedSizes(json: fields.json("sizes"))
        return SubprocessPlugin(manifest, configuration: fields.json("configuration"))
    }
}

/// What people do with ad spaces, and what plugins report.
enum FormatsJSON {
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
        case "visibility": return .visibility(try .member("share", of: fields))
        case "hidden": return .hidden(try .member("flag", of: fields))
        case "turned":
            return .turned(try fields.choice("orientation", of: RequestParameters.Orientation.self))
        case "lifecycle": return .lifecycle(try fields.choice("event", of: LifecycleEvent.self))
        // From before the two ways back were distinguished.
        case "background":
            return .lifecycle(try Bool.member("flag", of: fields) ? .didEnterBackground : .willEnterForeground)
        case let other: throw .init("has the unknown ad space action '\(other)'")
        }
    }

    static func value(of news: PluginNews) -> JSONValue {
        switch news {
        case .started: ["kind": "started"]
        case .notStarted(let why): ["kind": "notStarted", "why": .string(why)]
        case .output(let bytes):
            RecordedBody(bytes: bytes).recorded(after: [.init(name: "kind", value: "output")])
        case .complaint(let bytes):
            RecordedBody(bytes: bytes).recorded(after: [.init(name: "kind", value: "complaint")])
        case .deaf: ["kind": "deaf"]
        case .exited(let how): ["kind": "exited", "how": .string(how)]
        }
    }

    static func news(from fields: Fields) throws(RecordingFormat.Problem) -> PluginNews {
        switch try fields.string("kind") {
        case "started": return .started
        case "notStarted": return .notStarted(try fields.string("why"))
        case "output": return .output(try RecordedBody().reading(fields).bytes)
        case "complaint": return .complaint(try RecordedBody().reading(fields).bytes)
        case "deaf": return .deaf
        case "exited": return .exited(try fields.string("how"))
        case let other: throw .init("has the unknown plugin report '\(other)'")
        }
    }
}
