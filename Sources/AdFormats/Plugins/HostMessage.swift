package import Ports

/// A message from the host to a plugin: one JSON object per line (FMT-25).
package enum HostMessage: Sendable, Hashable {
    case hello(configuration: JSONValue, parameters: JSONValue)
    case create(presenter: String, format: AdFormat)
    case load(presenter: String, config: JSONValue)
    case show(presenter: String)
    case click(presenter: String)
    case dismiss(presenter: String)
    case visibility(presenter: String, Double)
    /// A bid request: an OpenRTB request, to be answered within the given time.
    case bid(request: String, openRTB: JSONValue, within: Duration)
    /// The result of the auction for the plugin (BID-26): `won`, `lost` or `noBid`, and the calls of its adapter.
    case finished(request: String, outcome: String, reason: String, calls: [String])
    case bye(reason: String)

    /// Version of the protocol, sent in `hello`.
    package static let protocolVersion: Int64 = 1

    /// The message as a line, line end included.
    package var line: String { json.text() + "\n" }

    private var json: JSONValue {
        switch self {
        case .hello(let configuration, let parameters):
            [
                "type": "hello", "protocol": .integer(Self.protocolVersion), "configuration": configuration,
                "parameters": parameters,
            ]
        case .create(let presenter, let format):
            ["type": "create", "presenter": .string(presenter), "format": .string(format.rawValue)]
        case .load(let presenter, let config):
            ["type": "load", "presenter": .string(presenter), "config": config]
        case .show(let presenter): ["type": "show", "presenter": .string(presenter)]
        case .click(let presenter): ["type": "click", "presenter": .string(presenter)]
        case .dismiss(let presenter): ["type": "dismiss", "presenter": .string(presenter)]
        case .visibility(let presenter, let share):
            ["type": "visibility", "presenter": .string(presenter), "value": .double(share)]
        case .bid(let request, let document, let time):
            [
                "type": "bid", "request": .string(request), "timeoutMs": .integer(time.inMilliseconds),
                "openrtb": document,
            ]
        case .finished(let request, let outcome, let reason, let calls):
            [
                "type": "finished", "request": .string(request), "outcome": .string(outcome),
                "reason": .string(reason), "calls": .array(calls.map(JSONValue.string)),
            ]
        case .bye(let reason): ["type": "bye", "reason": .string(reason)]
        }
    }
}

extension AdConfig {
    /// The message as JSON.
    package var json: JSONValue {
        [
            "unit": .string(unit), "format": .string(format.rawValue), "placement": .string(placement.rawValue),
            "sizeName": .optional(sizeName), "size": size.map { [.optional($0.width), .optional($0.height)] } ?? .null,
            "extra": .object(JSONObject(extra.map { .init(name: $0.name, value: .string($0.value)) })),
        ]
    }
}
