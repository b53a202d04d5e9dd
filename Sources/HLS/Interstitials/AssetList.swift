package import Ports

/// Why a body is no asset list at all.
package enum AssetListProblem: Error, Hashable, Sendable {
    case notJSON(JSONProblem)
    /// No `ASSETS` array in it.
    case noAssets

    /// One clause for people.
    package var explanation: String {
        switch self {
        case .notJSON(let problem): "is not JSON: \(problem.message) at \(problem.line):\(problem.column)"
        case .noAssets: "has no ASSETS array"
        }
    }
}

/// What X-ASSET-LIST names: the assets of an interstitial, played back to back (rfc8216bis-22 appendix D.3).
///
/// Read leniently, as players do (hls-timeline 3.2): a duration may be a string or missing, a URI relative to the
/// answer; an asset without URI is left out and flagged, never the whole list.
package struct AssetList: Hashable, Sendable {
    /// Assets read of one list; further ones are left out with a finding.
    package static let assetLimit = 500

    /// One asset: a complete playlist of its own.
    package struct Asset: Hashable, Sendable {
        /// Absolute.
        package var uri: String
        /// For scheduling; nil when not stated.
        package var duration: Duration?
        /// All other members, e.g. `X-AD-CREATIVE-SIGNALING`.
        package var extras: JSONObject

        package init(uri: String, duration: Duration?, extras: JSONObject = JSONObject()) {
            self.uri = uri
            self.duration = duration
            self.extras = extras
        }
    }

    package var assets: [Asset]
    /// Overrides the attributes of the tag.
    package var skipControl: SkipControl?
    /// All other members of the document.
    package var extras: JSONObject
    package var findings: [Finding]

    package init(
        assets: [Asset], skipControl: SkipControl? = nil, extras: JSONObject = JSONObject(), findings: [Finding] = []
    ) {
        self.assets = assets
        self.skipControl = skipControl
        self.extras = extras
        self.findings = findings
    }

    /// Reads a body; `uri` is that of the answer, after redirects.
    package static func read(_ body: [UInt8], uri: String) throws(AssetListProblem) -> AssetList {
        let document: JSONValue
        do throws(JSONProblem) {
            document = try JSONReader.read(body)
        } catch {
            throw .notJSON(error)
        }
        guard let object = document.objectValue, let nodes = object["ASSETS"]?.arrayValue else { throw .noAssets }
        var list = AssetList(assets: [])
        let base = URIReference(uri)
        for (index, node) in nodes.prefix(assetLimit).enumerated() {
            list.read(asset: node, path: "ASSETS[\(index)]", base: base)
        }
        if nodes.count > assetLimit {
            list.flag("too-many", .warning, "\(nodes.count) assets, \(assetLimit) are read", path: "ASSETS")
        }
        for member in object.members where member.name != "ASSETS" {
            if member.name == "SKIP-CONTROL" {
                list.read(skipControl: member.value)
            } else {
                list.extras.append(member.name, member.value)
            }
        }
        return list
    }

    private mutating func read(asset node: JSONValue, path: String, base: URIReference) {
        guard let object = node.objectValue, let text = object["URI"]?.stringValue, !text.isEmpty else {
            flag("asset-without-uri", .error, "an asset without URI is left out", path: path)
            return
        }
        if URIReference(text).scheme == nil {
            flag("relative-uri", .error, "the URI '\(text)' must be absolute", path: "\(path).URI")
        }
        let duration = Self.seconds(object["DURATION"])
        if duration == nil {
            flag(
                "asset-without-duration", .error, "DURATION is missing or no number of seconds",
                path: "\(path).DURATION")
        }
        let extras = object.members.filter { $0.name != "URI" && $0.name != "DURATION" }
        assets.append(
            Asset(uri: URIReference.resolve(text, against: base), duration: duration, extras: JSONObject(extras)))
    }

    private mutating func read(skipControl node: JSONValue) {
        guard let offset = Self.seconds(node["OFFSET"] ?? 0) else {
            flag("skip-control-invalid", .warning, "OFFSET is no number of seconds", path: "SKIP-CONTROL.OFFSET")
            return
        }
        skipControl = SkipControl(
            offset: offset, duration: Self.seconds(node["DURATION"]), labelID: node["LABEL-ID"]?.stringValue)
    }

    /// A number, or a string holding one, that is not negative.
    private static func seconds(_ value: JSONValue?) -> Duration? {
        guard let number = value?.doubleValue ?? value?.stringValue.flatMap(Double.init), number >= 0 else {
            return nil
        }
        return Duration(finiteSeconds: number)
    }

    private mutating func flag(_ rule: String, _ severity: Severity, _ message: String, path: String) {
        findings.append(
            Finding(
                rule: "asset-list-\(rule)", severity: severity, message: message, path: path,
                section: "rfc8216bis-22 D.3"))
    }
}
