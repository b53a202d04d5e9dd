/// Replaces macros in URLs (VAST 4.3 section 6).
///
/// Expansion is a single pass: an inserted value is never expanded again. Only standard macros and the user's are
/// replaced; the rest of the URL is unchanged, so that the sent URL can be compared byte by byte with the template.
package struct MacroExpander: Sendable {
    /// The purpose of a URL, which decides whether ERRORCODE and REASON apply. Raw values are those of the vectors.
    package enum Context: String, Hashable, Sendable, CaseIterable {
        case request, impression, tracking, click, error, verificationNotExecuted
        /// The error URL of a VMAP break, where the macro is spelled ERROR_CODE.
        case vmapError = "vmap-error"
    }

    /// One macro found in the template.
    package struct Step: Hashable, Sendable {
        /// Why the macro was replaced or not.
        package enum Reason: String, Hashable, Sendable {
            case value
            /// Replaced by a value that the user set.
            case user
            /// Replaced by -1: the value is unknown.
            case unknown
            /// Replaced by -2: the value is known but not shared.
            case withheld
            /// Replaced by 0 or -1: the macro does not apply here.
            case notApplicable = "not-applicable"
            /// Replaced by 900: an error URL without an error code.
            case undefinedError = "undefined-error"
            /// Not replaced: the macro has no word for an unknown value.
            case noValue = "no-value"
            /// Not replaced: reserved for other URLs.
            case wrongContext = "wrong-context"
            /// Not replaced: not a known macro.
            case unlisted
            /// Not replaced: names must be in upper case.
            case wrongCase = "wrong-case"
        }

        /// The macro as written in the template, brackets included.
        package var token: String
        /// The text in the expanded URL.
        package var replacement: String
        package var reason: Reason

        package var isLeft: Bool { token == replacement }
    }

    package struct Expansion: Hashable, Sendable {
        package var url: String
        /// The macros in the order of the template.
        package var steps: [Step]
    }

    package var values: MacroValues
    /// Follows only the standard: no `%%NAME%%`, no `%5BNAME%5D`, no RANDOM, no ERRORCODE in VMAP.
    package var isStrict: Bool

    package init(values: MacroValues, isStrict: Bool = false) {
        self.values = values
        self.isStrict = isStrict
    }

    /// Returns only the expanded URL.
    package func url(_ template: String, in context: Context) -> String {
        // Many URLs have no macro.
        guard template.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "%") }) else {
            return template
        }
        return expand(template, in: context).url
    }

    /// Returns the expanded URL and the result for each macro.
    package func expand(_ template: String, in context: Context) -> Expansion {
        let bytes = Array(template.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64)
        var steps: [Step] = []
        var index = 0
        while index < bytes.count {
            guard let token = MacroToken(bytes, at: index, isStrict: isStrict) else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let step = replace(token, in: context)
            steps.append(step)
            output += Array(step.replacement.utf8)
            index += token.length
        }
        return Expansion(url: String(decoding: output, as: UTF8.self), steps: steps)
    }

    private func replace(_ token: MacroToken, in context: Context) -> Step {
        func left(_ reason: Step.Reason) -> Step { Step(token: token.text, replacement: token.text, reason: reason) }
        let name = name(of: token.name, in: context)
        // Names that are reserved for some URLs stay as written in others, even if their value is known.
        if let name, name.isReserved(outside: context) { return left(.wrongContext) }
        if let text = custom(token.name, name) {
            return Step(token: token.text, replacement: Self.user(text, for: token.name), reason: .user)
        }
        guard let name else {
            return left(MacroName(rawValue: token.name.uppercased()) == nil ? .unlisted : .wrongCase)
        }
        if let value = values[name] { return step(token, name, value) }
        switch name {
        case .errorCode: return Step(token: token.text, replacement: "900", reason: .undefinedError)
        case .reason: return left(.noValue)
        default: return Step(token: token.text, replacement: "-1", reason: .unknown)
        }
    }

    /// The user's value for a macro, which counts in every spelling of its name.
    private func custom(_ spelling: String, _ name: MacroName?) -> String? {
        if let text = values.custom[spelling] { return text }
        guard let name else { return nil }
        return values.custom[name.rawValue] ?? (name == .errorCode ? values.custom[MacroName.vmapErrorCode] : nil)
    }

    /// The user separates the members of a list by commas.
    private static func user(_ text: String, for name: String) -> String {
        guard MacroName(rawValue: name)?.isList == true else { return PercentEncoding.component(text) }
        let members = text.split(separator: ",", omittingEmptySubsequences: false)
        return members.map { PercentEncoding.component(String($0)) }.joined(separator: ",")
    }

    private func step(_ token: MacroToken, _ name: MacroName, _ value: MacroValue) -> Step {
        let (text, reason): (String, Step.Reason) =
            switch value {
            case .text(let text): (PercentEncoding.component(text), .value)
            case .list(let members): (members.map(PercentEncoding.component).joined(separator: ","), .value)
            case .withheld: ("-2", .withheld)
            case .notApplicable: (name.isZeroWhenNotApplicable ? "0" : "-1", .notApplicable)
            }
        return Step(token: token.text, replacement: text, reason: reason)
    }

    private func name(of text: String, in context: Context) -> MacroName? {
        if context == .vmapError {
            if text == MacroName.vmapErrorCode { return .errorCode }
            if text == MacroName.errorCode.rawValue { return isStrict ? nil : .errorCode }
        }
        if !isStrict, text == "RANDOM" || text == "random" { return .cacheBusting }
        return MacroName(rawValue: text)
    }
}

extension MacroName {
    /// Whether it stays as written in such a URL (VAST 4.3 section 6.1).
    fileprivate func isReserved(outside context: MacroExpander.Context) -> Bool {
        switch self {
        case .errorCode: context != .error && context != .vmapError
        case .reason: context != .verificationNotExecuted
        default: false
        }
    }
}

/// One `[NAME]` in a template, or the same in another spelling.
struct MacroToken {
    let name: String
    let length: Int
    let text: String

    /// Nil when no token starts at `index`.
    init?(_ bytes: [UInt8], at index: Int, isStrict: Bool) {
        guard Self.begins(with: bytes[index]) else { return nil }
        let spellings: [(open: StaticString, close: StaticString)] =
            isStrict ? [("[", "]")] : [("[", "]"), ("%5B", "%5D"), ("%5b", "%5d"), ("%%", "%%")]
        for (open, close) in spellings where Self.stands(open, in: bytes, at: index) {
            let start = index + open.utf8CodeUnitCount
            let end = bytes[start...].prefix(Self.longestName + 1).firstIndex { !$0.isMacroNameByte }
            guard let end, end > start, Self.stands(close, in: bytes, at: end) else { continue }
            name = String(decoding: bytes[start..<end], as: UTF8.self)
            length = end + close.utf8CodeUnitCount - index
            text = String(decoding: bytes[index..<(index + length)], as: UTF8.self)
            return
        }
        return nil
    }

    /// Whether a token may begin with a byte.
    static func begins(with byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%") }

    private static let longestName = 40

    private static func stands(_ text: StaticString, in bytes: [UInt8], at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }
}

extension MacroExpander.Step.Reason {
    /// The reason as a clause for display.
    package var explanation: String {
        switch self {
        case .value: "known value"
        case .user: "set by the user"
        case .unknown: "unknown: -1"
        case .withheld: "known but not shared: -2"
        case .notApplicable: "does not apply here"
        case .undefinedError: "no error code: 900"
        case .noValue: "not replaced: unknown value"
        case .wrongContext: "not replaced: reserved for other URLs"
        case .unlisted: "not replaced: unknown macro"
        case .wrongCase: "not replaced: names must be in upper case"
        }
    }
}

extension UInt8 {
    /// Letters, digits and the underscore.
    fileprivate var isMacroNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
