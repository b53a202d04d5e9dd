import Ports

/// The state that all tag readers share while one playlist is parsed.
struct ParseContext {
    var findings = PlaylistFindings()
    var variables = VariableTable()
    var versions = VersionUse()
    var resolver: PlaylistURIResolver
    var interner = StringInterner()
    /// Keeps the bytes of attribute values whose variables were replaced.
    private let replacedTexts = ReplacedTexts()
    /// 1-based number of the current line.
    var line = 0
    /// The last decoded SCTE-35 message: some packagers repeat it at every segment of a break.
    var lastSplice: (text: [UInt8], splice: DecodedSplice)?
    var undecodableSplices: [UndecodableSplice] = []
    /// The rule that makes the playlist invalid; reading stops there.
    private(set) var refusal: PlaylistRule?

    init(uri: String) {
        resolver = PlaylistURIResolver(base: uri)
    }

    /// Adds a finding at the current line.
    mutating func report(_ rule: PlaylistRule, _ message: @autoclosure () -> String) {
        findings.add(rule, line: line, message())
    }

    /// Rejects the whole playlist because of this line or `line`; the first rejection counts.
    mutating func refuse(_ rule: PlaylistRule, line: Int? = nil, _ message: @autoclosure () -> String) {
        guard refusal == nil else { return }
        refusal = rule
        findings.add(rule, line: line ?? self.line, message())
    }

    /// Parses the attributes of a tag and replaces their variables. Returns nil when a variable is undefined, or when
    /// the draft requires the tag to be ignored: an unknown attribute starts with REQ- (section 6.3.1).
    mutating func attributes(of value: ByteView, knownRequirement: StaticString? = nil) -> AttributeList? {
        var list = AttributeList(value)
        for problem in list.problems { report(problem) }
        // Most lists contain no brace at all.
        if value.firstIndex(of: UInt8(ascii: "{")) != nil {
            list.replaceValues { attribute in
                guard attribute.takesVariables else { return nil }
                return substituted(attribute.value).map(replacedTexts.keep)
            }
        }
        var isRefused = false
        for attribute in list.attributes where attribute.name.hasPrefix("REQ-") {
            versions.note("a REQ- attribute", needs: 12, line: line)
            if let knownRequirement, attribute.name == knownRequirement { continue }
            isRefused = true
        }
        return isRefused || refusal != nil ? nil : list
    }

    private mutating func report(_ problem: AttributeProblem) {
        switch problem {
        case .noEquals(let text): report(.badAttributeList, "'\(text.excerpt)' has no equals sign")
        case .badName(let text): report(.badAttributeList, "'\(text.excerpt)' is not an attribute name")
        case .unterminatedQuote(let text): report(.badAttributeList, "the quote before '\(text.excerpt)' is not closed")
        case .textAfterQuote(let text): report(.badAttributeList, "'\(text.excerpt)' follows a closing quote")
        case .whitespace: report(.attributeWhitespace, "blanks around a name or value")
        case .duplicate(let text): report(.duplicateAttribute, "\(text.excerpt) appears twice; the last value counts")
        case .tooMany: report(.limitReached, "more than \(PlaylistLimits.attributes) attributes; the rest is not read")
        }
    }

    // MARK: Values

    /// The value as a string, with its variables replaced.
    mutating func string(_ attribute: PlaylistAttribute) -> String {
        interner.string(attribute.value)
    }

    /// The value as a string; nil when absent.
    mutating func string(_ list: AttributeList, _ name: StaticString) -> String? {
        list[name].map { string($0) }
    }

    /// The text with its variables replaced. Nil when it has none, or when one is undefined, which makes the playlist
    /// invalid.
    mutating func substituted(_ text: ByteView) -> String? {
        switch variables.substitute(text) {
        case .unchanged: return nil
        case .replaced(let result):
            versions.note("a variable", needs: 8, line: line)
            return result
        case .undefined(let name):
            refuse(.undefinedVariable, "{$\(name)} is not defined before this line")
            return nil
        case .tooLong:
            refuse(.playlistTooLong, "replacing variables produces more than \(PlaylistLimits.replacedBytes) bytes")
            return nil
        }
    }

    /// A URI line with its variables replaced, resolved against the playlist; nil, with a finding, when it is too long.
    mutating func resolvedLine(_ text: ByteView) -> String? {
        if text.firstIndex(of: UInt8(ascii: "{")) != nil, let replaced = substituted(text) {
            return replaced.withBytes { resolvedURI($0) }
        }
        return resolvedURI(text)
    }

    private mutating func resolvedURI(_ text: ByteView) -> String? {
        // The content of a data: URI may be as long as its line.
        guard text.count <= PlaylistLimits.uriBytes || DataURI.isOne(text.prefix(5).string) else {
            report(.limitReached, "a URI of \(text.count) bytes is not read; the limit is \(PlaylistLimits.uriBytes)")
            return nil
        }
        return resolver.resolve(text)
    }

    /// Reports a URI that is never requested because of its scheme (HLS-6).
    mutating func checkScheme(of uri: String) {
        guard let scheme = resolver.foreignScheme(of: uri) else { return }
        report(.uriScheme, "a URI with the scheme '\(scheme)' is never requested")
    }

    /// Nil when absent, empty or, with a finding, too long.
    mutating func uri(_ list: AttributeList, _ name: StaticString) -> String? {
        guard let attribute = list[name], !attribute.value.isEmpty else { return nil }
        return resolvedURI(attribute.value)
    }

    /// Nil when absent or, with a finding, when unreadable.
    mutating func integer(_ list: AttributeList, _ name: StaticString) -> Int? {
        guard let attribute = list[name] else { return nil }
        if let number = DecimalNumber.integer(attribute.value) {
            reportQuotes(attribute, name)
            return number
        }
        let (rule, problem) = DecimalNumber.problem(of: attribute.value)
        report(rule, "\(name)=\(attribute.value.excerpt) \(problem)")
        return nil
    }

    /// Like `integer`, but a fraction, which some packagers write although the type is decimal-integer, is cut off with
    /// a finding: without BANDWIDTH, a variant cannot be compared.
    mutating func bitRate(_ list: AttributeList, _ name: StaticString) -> Int? {
        let number = integer(list, name)
        if number != nil { return number }
        return list[name].flatMap { DecimalNumber.wholePart($0.value) }
    }

    /// Nil when absent or, with a finding, when unreadable.
    mutating func seconds(_ list: AttributeList, _ name: StaticString) -> Duration? {
        number(list, name, { DecimalNumber.seconds($0) }, "a number of seconds")
    }

    /// Nil when absent or, with a finding, when unreadable.
    mutating func floating(_ list: AttributeList, _ name: StaticString) -> Double? {
        number(list, name, DecimalNumber.floating, "a decimal number")
    }

    private mutating func number<Number>(
        _ list: AttributeList, _ name: StaticString, _ read: (ByteView) -> Number?, _ kind: String
    ) -> Number? {
        guard let attribute = list[name] else { return nil }
        if let number = read(attribute.value) {
            reportQuotes(attribute, name)
            return number
        }
        report(.numberInvalid, "\(name)=\(attribute.value.excerpt) is not \(kind)")
        return nil
    }

    /// Reports a number in quotes, which is used: only strings have quotes (section 4.2).
    mutating func reportQuotes(_ attribute: PlaylistAttribute, _ name: StaticString) {
        guard attribute.isQuoted else { return }
        report(.numberInvalid, "\(name)=\"\(attribute.value.excerpt)\" is quoted; a number has no quotes")
    }

    /// YES is true, NO or absence false; any other value is false with a finding.
    mutating func flag(_ list: AttributeList, _ name: StaticString) -> Bool {
        guard let attribute = list[name] else { return false }
        if attribute.value == "YES" { return true }
        if !(attribute.value == "NO") {
            report(.unknownEnumValue, "\(name)=\(attribute.value.excerpt) is neither YES nor NO")
        }
        return false
    }

    /// Whether the value is one that the draft lists; if not, its tag must be ignored (section 6.3.1).
    mutating func isKnown(_ list: AttributeList, _ name: StaticString, _ known: [StaticString]) -> Bool {
        guard let attribute = list[name] else { return true }
        if known.contains(where: { attribute.value == $0 }) { return true }
        report(.unknownEnumValue, "\(name)=\(attribute.value.excerpt) is unknown: the tag is ignored")
        return false
    }
}
