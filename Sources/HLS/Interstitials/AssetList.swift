package import Ports

/// Why a body is not an asset list.
package enum AssetListProblem: Error, Hashable, Sendable {
    case notJSON(JSONProblem)
    /// The document has no `ASSETS` array.
    case noAssets

    /// The problem as a predicate, such as "has no ASSETS array".
    package var explanation: String {
        switch self {
        case .notJSON(let problem): "is not JSON: \(problem.message) at \(problem.line):\(problem.column)"
        case .noAssets: "has no ASSETS array"
        }
    }
}

/// The document that X-ASSET-LIST names: the assets of an interstitial, played back to back (rfc8216bis-22 appendix
/// D.3).
///
/// Parsed leniently, as players do (HLS-17): a duration may be a string or missing, and a URI may be relative to the
/// URI of the response. An asset without a URI is dropped with a finding; the rest of the list is kept.
package struct AssetList: Hashable, Sendable {
    /// Most assets read from one list; the rest are dropped with a finding.
    package static let assetLimit = 500
    /// Most findings kept of one list; the last one states how many more there were, and that of too many assets follows.
    package static let findingLimit = 50

    /// One asset: a complete playlist of its own.
    package struct Asset: Hashable, Sendable {
        /// The absolute URI of the asset's playlist.
        package var uri: String
        /// Duration used for scheduling; nil when the document states none.
        package var duration: Duration?
        /// Whether its playlist could not be loaded: players skip it.
        package var isMissing = false
        /// All other members, e.g. `X-AD-CREATIVE-SIGNALING`.
        package var extras: JSONObject

        package init(uri: String, duration: Duration?, extras: JSONObject = JSONObject()) {
            self.uri = uri
            self.duration = duration
            self.extras = extras
        }
    }

    package var assets: [Asset]
    /// The skip control of the document, which overrides the attributes of the tag.
    package var skipControl: SkipControl?
    /// All other members of the document.
    package var extras: JSONObject
    package var findings: [Finding]
    /// Number of findings beyond the limit.
    private var moreFindings = 0

    package init(
        assets: [Asset], skipControl: SkipControl? = nil, extras: JSONObject = JSONObject(), findings: [Finding] = []
    ) {
        self.assets = assets
        self.skipControl = skipControl
        self.extras = extras
        self.findings = findings
    }

    /// Parses a body. `uri` is the URI of the response, after redirects.
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
            list.flag(
                .tooMany, .warning, "\(nodes.count) assets; only the first \(assetLimit) are read", path: "ASSETS")
        }
        for member in object.members where member.name != "ASSETS" {
            if member.name == "SKIP-CONTROL" {
                list.read(skipControl: member.value)
            } else {
                list.extras.append(member.name, member.value)
            }
        }
        if list.moreFindings > 0 {
            list.findings[findingLimit - 1].message += " (and \(list.moreFindings) more)"
        }
        return list
    }

    private mutating func read(asset node: JSONValue, path: String, base: URIReference) {
        guard let object = node.objectValue, let text = object["URI"]?.stringValue, !text.isEmpty else {
            flag(.assetWithoutURI, .error, "asset without URI: dropped", path: path)
            return
        }
        guard text.utf8.count <= PlaylistLimits.uriBytes else {
            let limit = PlaylistLimits.uriBytes
            let problem = "a URI of \(text.utf8.count) bytes, the limit is \(limit): dropped"
            flag(.assetWithoutURI, .error, problem, path: path)
            return
        }
        if URIReference(text).scheme == nil {
            flag(.relativeURI, .error, "the URI '\(text)' is not absolute", path: "\(path).URI")
        }
        let duration = Self.seconds(object["DURATION"])
        if duration == nil {
            flag(
                .assetWithoutDuration, .error, "DURATION is missing or is not a number of seconds",
                path: "\(path).DURATION")
        }
        let extras = object.members.filter { $0.name != "URI" && $0.name != "DURATION" }
        assets.append(
            Asset(uri: URIReference.resolve(text, against: base), duration: duration, extras: JSONObject(extras)))
    }

    private mutating func read(skipControl node: JSONValue) {
        guard let offset = Self.seconds(node["OFFSET"] ?? 0) else {
            flag(.skipControlInvalid, .warning, "OFFSET is not a number of seconds", path: "SKIP-CONTROL.OFFSET")
            return
        }
        skipControl = SkipControl(
            offset: offset, duration: Self.seconds(node["DURATION"]), labelID: node["LABEL-ID"]?.stringValue)
    }

    /// The value of a non-negative number, or of a string that contains one.
    private static func seconds(_ value: JSONValue?) -> Duration? {
        guard let number = value?.doubleValue ?? value?.stringValue.flatMap(Double.init), number >= 0 else {
            return nil
        }
        return Duration(finiteSeconds: number)
    }

    private mutating func flag(_ rule: AssetListRule, _ severity: Severity, _ message: String, path: String) {
        guard findings.count < Self.findingLimit || rule == .tooMany else {
            moreFindings += 1
            return
        }
        findings.append(
            Finding(
                rule: rule, severity: severity, message: message, path: path,
                section: "rfc8216bis-22 D.3"))
    }
}
