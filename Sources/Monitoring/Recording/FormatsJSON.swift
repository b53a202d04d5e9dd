import AdFormats
import Ports

/// Ad spaces in a recording: the configuration in its header, and what people did to them.
enum FormatsJSON {
    static func value(of formats: FormatsConfiguration) -> JSONValue {
        [
            "adServer": .string(formats.adServer.text), "device": .string(formats.device.rawValue),
            "version": .string(formats.version),
            "slots": .array(
                formats.slots.map {
                    [
                        "name": .string($0.name), "unit": .string($0.unit), "format": .string($0.format.rawValue),
                        "size": .optional($0.sizeName),
                    ]
                }),
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
                    sizeName: slot.has("size") ? try slot.string("size") : nil))
        }
        var formats = FormatsConfiguration(adServer: try fields.webURL("adServer"), slots: slots)
        formats.device = try fields.choice("device", of: DeviceProfile.Kind.self)
        formats.version = try fields.string("version")
        return formats
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
        case let other: throw .init("has the unknown act on an ad space '\(other)'")
        }
    }
}
