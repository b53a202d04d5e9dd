import Ports

/// A usage error of the argument parser in the form of all others, *thing: problem; remedy*. The parser has no public type for
/// what is wrong (`CommandError` and `ParserError` of swift-argument-parser 1.8 are internal), only a sentence, whose parts are
/// taken; a sentence that is not known, such as one of ours, stays as it is. What is decided depends on no sentence, only how the
/// error reads.
struct UsageText {
    private let sentence: Substring
    /// `adtop config --help`
    private let help: String
    private let arguments: [String]

    /// - Parameters:
    ///   - sentence: of the parser.
    ///   - verb: the words of the verb, empty for `adtop URL`.
    ///   - arguments: what followed them.
    init(_ sentence: String, verb: some Sequence<String>, arguments: [String]) {
        self.arguments = arguments
        self.sentence = sentence[...]
        help = (["adtop"] + verb + ["--help"]).joined(separator: " ")
    }

    /// One line.
    var text: String {
        unknownOption ?? missingValue ?? unwantedValue ?? invalidValue ?? extraWords ?? missingWord
            ?? "\(sentence) (see \(help))"
    }

    private var unknownOption: String? {
        // For letters in a row a second line has another reading.
        guard let rest = sentence.prefix(while: { $0 != "\n" }).after("Unknown option '") else { return nil }
        guard let (name, similar) = rest.split(around: "'. Did you mean '") else {
            return "\(rest.dropLast()): no such option; see \(help)"
        }
        return "\(name): no such option; did you mean '\(similar.dropLast(2))'? See \(help)"
    }

    private var missingValue: String? {
        guard let option = sentence.after("Missing value for '")?.dropLast() else { return nil }
        let place = arguments.firstIndex(of: String(option.name)).map { $0 + 1 }
        if let place, place < arguments.count, Self.isNegative(arguments[place]) {
            let joined = "\(option.name)=\(arguments[place])"
            return "\(option.name): has no value; write \(joined) for one that begins with a dash"
        }
        return "\(option.name): has no value; give \(option), or see \(help)"
    }

    /// Whether an argument is meant as a number or a span. The parser takes it for an option, unless it is joined to one.
    private static func isNegative(_ argument: String) -> Bool {
        argument.prefixMatch(of: /-\.?[0-9]/) != nil
    }

    private var unwantedValue: String? {
        guard let (name, value) = sentence.after("The option '")?.split(around: "' does not take any value, but '"),
            let given = value.split(around: "' was specified.", isLast: true)?.before
        else { return nil }
        return "\(name): takes no value, but '\(given)' is given; give \(name) alone"
    }

    private var invalidValue: String? {
        guard let (value, rest) = sentence.after("The value '")?.split(around: "' is invalid for '", isLast: true),
            let end = rest.firstIndex(of: "'")
        else { return nil }
        let thing = "\(rest[..<end].name): '\(value)'"
        let reason = rest[rest.index(after: end)...]
        if let own = reason.after(": ") { return "\(thing) \(own)" }
        let choices = Self.choices(in: reason)
        switch choices.count {
        case 0: return "\(thing) is not valid; see \(help)"
        case 1: return "\(thing) is not '\(choices[0])'; see \(help)"
        default: return "\(thing) is not one of \(choices.joined(separator: ", "))"
        }
    }

    /// Few values are in quotes, many have a line each.
    private static func choices(in reason: Substring) -> [Substring] {
        let quoted = reason.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        return quoted + reason.split(separator: "\n").compactMap { $0.after("  - ") }
    }

    private var extraWords: String? {
        let words = sentence.after("Unexpected argument ") ?? sentence.split(around: " unexpected arguments: ")?.after
        return words.map { "\($0): not expected; see \(help)" }
    }

    private var missingWord: String? {
        guard let name = sentence.after("Missing expected argument '")?.dropLast() else { return nil }
        if let negative = arguments.first(where: Self.isNegative), !arguments.contains("--") {
            return "\(name.name): missing; write -- before '\(negative)', which begins with a dash"
        }
        return "\(name.name): missing; give it, or see \(help)"
    }
}

extension Substring {
    /// What follows `start`; nil if the text begins with something else.
    fileprivate func after(_ start: String) -> Substring? { hasPrefix(start) ? dropFirst(start.count) : nil }

    /// The parts around the first or last `middle`; nil without it.
    fileprivate func split(around middle: String, isLast: Bool = false) -> (before: Substring, after: Substring)? {
        guard let place = isLast ? ranges(of: middle).last : firstRange(of: middle) else { return nil }
        return (self[..<place.lowerBound], self[place.upperBound...])
    }

    /// `--poll` of `--poll <duration>`.
    fileprivate var name: Substring { prefix { $0 != " " } }
}
