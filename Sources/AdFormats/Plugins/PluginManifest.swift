package import Ports

/// The description of a plugin, read before it runs (FMT-25).
package struct PluginManifest: Sendable, Hashable {
    /// A setting of the plugin.
    package struct Field: Sendable, Hashable {
        package var key: String
        /// The type for display: `text`, `number`, `flag`, …
        package var type: String
        package var defaultValue: JSONValue?

        package init(key: String, type: String, defaultValue: JSONValue? = nil) {
            self.key = key
            self.type = type
            self.defaultValue = defaultValue
        }
    }

    /// The capability that is not a format: bidding in auctions.
    package static let bidCapability = "bid"
    /// Most bytes of a manifest.
    package static let maximumBytes = 256 << 10

    package var identifier: String
    package var name: String
    /// Executable in the folder of the manifest; nil for a built-in plugin.
    package var executable: String?
    package var capabilities: [AdFormat]
    /// Whether it bids in auctions (BID-22).
    package var bids = false
    package var fields: [Field] = []
    package var sizes = NamedSizes()

    package init(
        identifier: String, name: String, executable: String? = nil, capabilities: [AdFormat] = AdFormat.allCases,
        fields: [Field] = []
    ) {
        self.identifier = identifier
        self.name = name
        self.executable = executable
        self.capabilities = capabilities
        self.fields = fields
    }

    /// The capabilities as written in a manifest and in `ready`.
    package var capabilityNames: [String] { capabilities.map(\.rawValue) + (bids ? [Self.bidCapability] : []) }

    /// The configuration completed with the defaults of missing fields.
    package func configuration(_ given: JSONValue) -> JSONValue {
        var object = given.objectValue ?? JSONObject()
        for field in fields where object[field.key] == nil {
            if let value = field.defaultValue { object.append(field.key, value) }
        }
        return .object(object)
    }
}

/// The result of reading a manifest file: the manifest if it is valid, and its findings.
package struct PluginManifestReading: Sendable, Hashable {
    /// Most configuration fields.
    private static let maximumFields = 64

    /// Nil when a required member is missing.
    package private(set) var manifest: PluginManifest?
    package private(set) var findings: [Finding] = []

    package init(_ bytes: [UInt8]) {
        let value: JSONValue
        do throws(JSONProblem) {
            value = try JSONReader.read(bytes)
        } catch {
            findings = [
                Finding(
                    rule: PluginRule.json, severity: .error, message: "The manifest is not JSON: \(error.message).",
                    line: error.line, column: error.column)
            ]
            return
        }
        let identifier = required("identifier", of: value)
        let name = required("name", of: value)
        if let type = required("type", of: value), type != "advertisement" {
            report(.type, "The type is '\(type)', not 'advertisement'.", at: "type")
        }
        let executable = executable(value["api"])
        checkProtocol(value["api"])
        let (capabilities, bids) = capabilities(value["api"])
        guard let identifier, let name, let executable, !findings.contains(where: { $0.severity == .error }) else {
            return
        }
        var manifest = PluginManifest(
            identifier: identifier, name: name, executable: executable, capabilities: capabilities)
        manifest.bids = bids
        manifest.fields = fields(value["configuration_fields"])
        manifest.sizes = NamedSizes(json: value["sizes"])
        self.manifest = manifest
    }

    private mutating func required(_ name: String, of value: JSONValue) -> String? {
        if let text = value[name]?.stringValue, !text.isEmpty { return text }
        report(.member, "The manifest has no '\(name)'.", at: name)
        return nil
    }

    /// The executable must be a name in the manifest's own folder: not a path, and not searched elsewhere.
    private mutating func executable(_ api: JSONValue?) -> String? {
        guard let name = api?["executable"]?.stringValue, !name.isEmpty else {
            report(.executable, "The manifest has no executable.", at: "api.executable")
            return nil
        }
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }), name != ".", name != ".." else {
            report(
                .executable, "The executable '\(name)' is not in the manifest's folder.", at: "api.executable")
            return nil
        }
        return name
    }

    private mutating func checkProtocol(_ api: JSONValue?) {
        guard let version = api?["protocol"]?.integerValue else {
            return report(.protocolVersion, "The manifest has no protocol version.", at: "api.protocol")
        }
        if version != HostMessage.protocolVersion {
            let message = "The protocol is \(version), not \(HostMessage.protocolVersion)."
            report(.protocolVersion, message, at: "api.protocol")
        }
    }

    private mutating func capabilities(_ api: JSONValue?) -> (formats: [AdFormat], bids: Bool) {
        var (formats, bids) = ([AdFormat](), false)
        for name in api?["capabilities"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            if name == PluginManifest.bidCapability {
                bids = true
            } else if let format = AdFormat(rawValue: name) {
                formats.append(format)
            } else {
                report(.capability, "'\(name)' is not a format.", at: "api.capabilities", .warning)
            }
        }
        if formats.isEmpty, !bids {
            report(
                .capability, "The plugin supports no format and does not bid.", at: "api.capabilities", .warning
            )
        }
        return (formats, bids)
    }

    private func fields(_ value: JSONValue?) -> [PluginManifest.Field] {
        (value?.arrayValue ?? []).prefix(Self.maximumFields).compactMap { entry in
            entry["key"]?.stringValue.map {
                PluginManifest.Field(
                    key: $0, type: entry["type"]?.stringValue ?? "text", defaultValue: entry["default"])
            }
        }
    }

    private mutating func report(
        _ rule: PluginRule, _ message: String, at path: String, _ severity: Severity = .error
    ) {
        findings.append(Finding(rule: rule, severity: severity, message: message, path: path))
    }
}
