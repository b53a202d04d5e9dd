package import Ports

/// Configured ads: `units` maps a unit to a surface, an object with `html`, `url`, `vast` or `native`.
package struct StaticPlugin: AdPlugin {
    package static let manifest = PluginManifest(
        identifier: "static", name: "Configured ads",
        fields: [PluginManifest.Field(key: "units", type: "object of surfaces")])

    private let units: UnitTable

    package init(configuration: JSONValue) throws(AdError) {
        units = try UnitTable(configuration, of: "static ads")
    }

    package var providerName: String { "static" }

    package func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter {
        try require(format)
        return UnitPresenter { config in
            guard let surface = units[config.unit] else {
                return [.failed(AdError(.noFill, "unknown unit '\(config.unit)'"))]
            }
            return [
                AdPayload(surface: surface).map { .loaded($0) }
                    ?? .failed(AdError(.internalError, "unit '\(config.unit)' has none of html, url, vast and native"))
            ]
        }
    }
}

/// Recorded answers of an ad server: `units` maps a unit to an object with `status`, `contentType`, `fields` (an
/// object) and `body` (a string).
package struct RecordedPlugin: AdPlugin {
    package static let manifest = PluginManifest(
        identifier: "recorded", name: "Recorded answers",
        fields: [PluginManifest.Field(key: "units", type: "object of answers")])

    private let units: UnitTable

    package init(configuration: JSONValue) throws(AdError) {
        units = try UnitTable(configuration, of: "recorded answers")
    }

    package var providerName: String { "recorded" }

    package func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter {
        try require(format)
        return UnitPresenter { config in
            guard let record = units[config.unit] else {
                return [.failed(AdError(.noFill, "no recorded answer for unit '\(config.unit)'"))]
            }
            return [.answer(Self.exchange(record), for: format)]
        }
    }

    private static func exchange(_ record: JSONValue) -> HTTPExchange {
        var fields = (record["fields"]?.objectValue?.members ?? []).compactMap { member in
            member.value.stringValue.map { HTTPField(member.name, $0) }
        }
        if let type = record["contentType"]?.stringValue { fields.append(HTTPField("Content-Type", type)) }
        let status = record["status"]?.integerValue.flatMap(Int.init(exactly:)) ?? 200
        return HTTPExchange(
            hops: [HTTPExchange.Hop(url: record["url"]?.stringValue ?? "", status: status, fields: fields)],
            body: Array((record["body"]?.stringValue ?? "").utf8))
    }
}

/// Fails in the configured way, for tests of hosts: `mode` is `fails`, `hangs` or `twice`.
package struct FailingPlugin: AdPlugin {
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        case fails, hangs
        /// Answers a load twice.
        case twice
    }

    package static let manifest = PluginManifest(
        identifier: "failing", name: "Fails on purpose",
        fields: [
            PluginManifest.Field(key: "mode", type: "fails|hangs|twice", defaultValue: "fails"),
            PluginManifest.Field(key: "error", type: "noFill|internalError|invalidRequest", defaultValue: "noFill"),
        ])

    private let mode: Mode
    private let error: AdError

    package init(configuration: JSONValue) throws(AdError) {
        guard let mode = configuration["mode"]?.stringValue.flatMap(Mode.init),
            let reason = configuration["error"]?.stringValue.flatMap(AdError.Case.init)
        else {
            throw AdError(.invalidRequest, "a failing plugin needs a mode (fails, hangs, twice) and an error")
        }
        self.mode = mode
        error = AdError(reason, "configured failure")
    }

    package var providerName: String { "failing" }

    package func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter {
        try require(format)
        return UnitPresenter { _ in
            let payload = AdPayload(surface: Self.sample(format)).map { PresenterOutput.loaded($0) }
            switch mode {
            case .fails: return [.failed(error)]
            case .hangs: return []
            case .twice: return payload.map { [$0, $0] } ?? []
            }
        }
    }

    private static func sample(_ format: AdFormat) -> JSONValue {
        switch format {
        case .banner, .interstitial: ["html": "<p>Answered twice</p>"]
        case .native:
            ["native": ["assets": [["title": ["text": "Twice"]]], "link": ["url": "https://shop.example/"]]]
        case .rewarded:
            [
                "vast": """
                <VAST version="3.0"><Ad><InLine><Creatives><Creative><Linear><Duration>00:00:05</Duration><MediaFiles>\
                <MediaFile type="video/mp4" delivery="progressive" bitrate="500" width="640" height="360">\
                https://cdn.example/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                """
            ]
        }
    }
}

/// The entries of a configuration by unit: its member `units`.
private struct UnitTable: Sendable {
    private let units: JSONObject

    /// `kind` names the entries in the error.
    init(_ configuration: JSONValue, of kind: String) throws(AdError) {
        guard let units = configuration["units"]?.objectValue else {
            throw AdError(.invalidRequest, "\(kind): 'units' is missing or is not an object")
        }
        self.units = units
    }

    subscript(unit: String) -> JSONValue? { units[unit] }
}

/// Answers a load immediately.
struct UnitPresenter: AdPresenter {
    let answer: @Sendable (AdConfig) -> [PresenterOutput]

    mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
        guard case .load(let config, _) = input else { return [] }
        return answer(config)
    }
}
