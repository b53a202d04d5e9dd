/// The path of a request: `[/pmm-N][/s/SCENARIO]/resource?query`.
///
/// The instance comes first, because a client that finds `/pmm-N` in a variant puts it before the whole path (TRK-2).
struct OriginPath: Equatable {
    /// Prefix of every instance name.
    static let instancePrefix = "pmm-"
    /// Directory of playlists and metadata below the prefixes.
    static let streamDirectory = "/variant/v1/hls/"
    /// Path prefix of a scenario other than the one the server was started with.
    static let scenarioPrefix = "/s/"

    /// `pmm-N`, when the path names an instance.
    var instance: String?
    /// The scenario, when the path names one.
    var scenario: String?
    /// The rest of the path, beginning with `/`.
    var resource: String
    /// The query, decoded.
    var query: QueryItems

    init(target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        query = QueryItems(parts.count > 1 ? parts[1] : "")
        var rest = parts.first ?? ""
        if let (segment, tail) = Self.firstSegment(of: rest), Self.isInstance(segment) {
            instance = String(segment)
            rest = tail
        }
        if rest.hasPrefix(Self.scenarioPrefix), let (name, tail) = Self.firstSegment(of: rest.dropFirst(2)) {
            scenario = String(name)
            rest = tail
        }
        resource = rest.isEmpty ? "/" : String(rest)
    }

    /// The prefixes of the request, with the instance replaced by `instance`.
    func prefix(instance: String?) -> String {
        (instance.map { "/\($0)" } ?? "") + (scenario.map { Self.scenarioPrefix + $0 } ?? "")
    }

    /// True for `pmm-` followed by the characters of a slug.
    static func isInstance(_ segment: some StringProtocol) -> Bool {
        segment.hasPrefix(instancePrefix) && segment.utf8.count > instancePrefix.utf8.count
            && Slug.isValid(String(segment))
    }

    /// The first segment of a path that begins with `/`, and what follows it.
    private static func firstSegment(of path: Substring) -> (segment: Substring, tail: Substring)? {
        guard path.first == "/" else { return nil }
        let segment = path.dropFirst().prefix { $0 != "/" }
        return segment.isEmpty ? nil : (segment, path[segment.endIndex...])
    }
}

/// The items of a query string.
struct QueryItems: Equatable {
    /// Most items of one request; further items are ignored.
    static let limit = 64

    private let items: [Item]

    private struct Item: Equatable {
        let name: String
        let value: String
    }

    /// The items of `query` (without its `?`); `+` is not a blank, as in every URL that is not a form.
    init(_ query: some StringProtocol) {
        items = query.split(separator: "&").prefix(Self.limit).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: PercentText.decoded(parts[0]), value: parts.count > 1 ? PercentText.decoded(parts[1]) : "")
        }
    }

    /// Value of the first item `name`; empty for `name` without `=`.
    subscript(_ name: String) -> String? {
        items.first { $0.name == name }?.value
    }
}

/// Percent-encoding (RFC 3986 section 2.1).
enum PercentText {
    /// The decoded text; an invalid escape does not change, invalid UTF-8 becomes U+FFFD.
    static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(0x25) else { return String(text) }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count,
                let high = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue,
                let low = Character(UnicodeScalar(bytes[index + 2])).hexDigitValue
            {
                output.append(UInt8(high << 4 | low))
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text with all characters except the unreserved ones escaped.
    static func encoded(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            let scalar = UnicodeScalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": output.unicodeScalars.append(scalar)
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                output += byte < 16 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return output
    }
}
