import Ports

/// Why a text is not a steering manifest, as a clause.
package struct SteeringProblem: Error, Hashable, Sendable {
    package var explanation: String
}

/// A steering manifest: which pathway clients should use (rfc8216bis-22 section 7.1, HLS-4).
package struct SteeringManifest: Hashable, Sendable {
    /// A cloned pathway: the variants of `base` at another host.
    package struct Clone: Hashable, Sendable {
        package var base: String
        package var id: String
        package var host: String?
        /// Query parameters that replace those of the same name.
        package var parameters: [String: String]
        /// Complete URIs by STABLE-VARIANT-ID; they take precedence over host and parameters.
        package var variantURIs: [String: String]
    }

    /// The range of accepted TTL values.
    package static let lifetimes: ClosedRange<Duration> = .seconds(5) ... .seconds(86_400)
    /// TTL when it is missing (section 7.1).
    package static let defaultLifetime: Duration = .seconds(300)
    package static let pathwayLimit = 64
    package static let cloneLimit = 64
    /// Most variants with those of clones; further ones are not cloned.
    package static let variantLimit = 1_024
    /// Most parameters and most URIs per clone.
    package static let replacementLimit = 256
    /// Most bytes of one manifest.
    package static let byteLimit = 1 << 20

    /// TTL, clamped to `lifetimes`.
    package var lifetime: Duration
    /// RELOAD-URI as written.
    package var reloadURI: String?
    /// PATHWAY-PRIORITY, best first.
    package var priority: [String]
    package var clones: [Clone]

    /// Parses the JSON text.
    package static func read(_ bytes: [UInt8]) throws(SteeringProblem) -> Self {
        let value: JSONValue
        do throws(JSONProblem) {
            value = try JSONReader.read(bytes)
        } catch {
            throw SteeringProblem(explanation: "is not JSON: \(error.message)")
        }
        guard value.objectValue != nil else { throw SteeringProblem(explanation: "is not a JSON object") }
        guard value["VERSION"]?.integerValue == 1 else {
            throw SteeringProblem(explanation: "does not have VERSION 1")
        }
        let lifetime = value["TTL"]?.doubleValue.flatMap(Duration.init(finiteSeconds:)) ?? defaultLifetime
        return Self(
            lifetime: min(max(lifetime, lifetimes.lowerBound), lifetimes.upperBound),
            reloadURI: value["RELOAD-URI"]?.stringValue,
            priority: (value["PATHWAY-PRIORITY"]?.arrayValue ?? []).compactMap(\.stringValue).prefix(pathwayLimit)
                .map { $0 },
            clones: (value["PATHWAY-CLONES"]?.arrayValue ?? []).prefix(cloneLimit).compactMap(Clone.init))
    }

    /// `options` plus the variants of cloned pathways, each cloned once (section 7.1.1).
    package func cloning(_ options: [VariantOption]) -> [VariantOption] {
        var all = options
        var number = options.map(\.number).max() ?? 0
        for clone in clones where !all.contains(where: { $0.pathway == clone.id }) {
            for option in all.filter({ $0.pathway == clone.base }) where all.count < Self.variantLimit {
                guard let url = clone.address(of: option) else { continue }
                var cloned = option
                cloned.url = url
                cloned.variant.uri = url.text
                cloned.variant.pathwayID = clone.id
                number = number.addingSaturating(1)
                cloned.number = number
                all.append(cloned)
            }
        }
        return all
    }
}

extension SteeringManifest.Clone {
    fileprivate init?(_ value: JSONValue) {
        guard let base = value["BASE-ID"]?.stringValue, let id = value["ID"]?.stringValue,
            let replacement = value["URI-REPLACEMENT"]
        else { return nil }
        self.base = base
        self.id = id
        host = replacement["HOST"]?.stringValue
        parameters = Self.texts(replacement["PARAMS"])
        variantURIs = Self.texts(replacement["PER-VARIANT-URIS"])
    }

    private static func texts(_ value: JSONValue?) -> [String: String] {
        let members = (value?.objectValue?.members ?? []).prefix(SteeringManifest.replacementLimit)
        return Dictionary(
            members.compactMap { member in member.value.stringValue.map { (member.name, $0) } },
            uniquingKeysWith: { _, last in last })
    }

    /// Nil when the result is not a valid HTTP address.
    fileprivate func address(of option: VariantOption) -> WebURL? {
        if let id = option.variant.stableVariantID, let uri = variantURIs[id] {
            return try? option.url.resolving(uri)
        }
        var reference = option.url.reference
        if let host { reference.authority = Self.authority(host, base: reference.authority ?? "") }
        var items = QueryItems(option.url.query)
        for (name, value) in parameters.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            let name = name.percentEncoded { $0.isPlainInQuery && $0 != UInt8(ascii: "=") }
            items.removeAll(named: name)
            items.appendIfAbsent(name: name, value: value.percentEncoded(except: \.isPlainInQuery))
        }
        reference.query = items.text.map { Substring($0) }
        return try? WebURL(reference.text)
    }

    /// HOST with the port of the base, unless it has one: the host of an address is replaced, not its port.
    private static func authority(_ host: String, base: Substring) -> Substring {
        guard port(of: Substring(host)) == nil, let port = port(of: base) else { return Substring(host) }
        return host + ":" + port
    }

    /// The digits behind the last colon; within brackets other characters follow them.
    private static func port(of authority: Substring) -> Substring? {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = authority[authority.utf8.index(after: colon)...]
        return !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit) ? digits : nil
    }
}

extension UInt8 {
    /// Whether a name or value of a query may have this byte as it is; an escape stays one.
    fileprivate var isPlainInQuery: Bool {
        (0x21..<0x7F).contains(self) && !needsURLEscape && self != UInt8(ascii: "&") && self != UInt8(ascii: "#")
    }
}
