import Yams

/// A place in a YAML document, with typed reads that fail with file, line and column.
///
/// Scalars are read as text and never by YAML's tag rules. So `no` is a name, and the regular expressions of those
/// rules are not compiled at start-up.
struct YAMLCursor {
    /// The file name for errors.
    let file: String
    /// The node at this place.
    let node: Node
    /// The keys on the path to this place, for error texts.
    let path: String

    /// The document's root. Throws when the text is not YAML or is empty.
    static func root(of text: String, file: String) throws(ScenarioIssue) -> YAMLCursor {
        do {
            guard let node = try Yams.compose(yaml: text, .basic) else {
                throw ScenarioIssue(file: file, line: 1, column: 1, message: "the file is empty")
            }
            return YAMLCursor(file: file, node: node, path: "")
        } catch let issue as ScenarioIssue {
            throw issue
        } catch {
            throw issueOf(error, file: file)
        }
    }

    /// An issue at this place.
    func issue(_ message: String) -> ScenarioIssue {
        ScenarioIssue(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, message: message)
    }

    /// True for `key: value` nodes.
    var isMapping: Bool { node.mapping != nil }

    /// The members of a mapping; keys outside `known` become warnings and are omitted.
    func members(
        known: Set<String>, warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [String: YAMLCursor] {
        var found: [String: YAMLCursor] = [:]
        for (key, cursor) in try entries() {
            if known.contains(key) {
                found[key] = cursor
            } else {
                let names = known.sorted().joined(separator: ", ")
                warnings.append(cursor.issue("unknown key \"\(key)\" ignored; known keys: \(names)"))
            }
        }
        return found
    }

    /// The entries of a mapping in file order, any key.
    func entries() throws(ScenarioIssue) -> [(key: String, value: YAMLCursor)] {
        guard let mapping = node.mapping else { throw issue("\(label) must be a mapping (key: value)") }
        var entries: [(key: String, value: YAMLCursor)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw issue("\(label) has a key that is not text") }
            entries.append((name, YAMLCursor(file: file, node: value, path: path.isEmpty ? name : "\(path).\(name)")))
        }
        return entries
    }

    /// The items of a sequence, at most `limit`.
    func items(limit: Int) throws(ScenarioIssue) -> [YAMLCursor] {
        guard let sequence = node.sequence else { throw issue("\(label) must be a list") }
        guard sequence.count <= limit else {
            throw issue("\(label) has \(sequence.count) items; at most \(limit) are allowed")
        }
        return sequence.enumerated().map { YAMLCursor(file: file, node: $1, path: "\(path)[\($0)]") }
    }

    /// The text of a scalar.
    func text() throws(ScenarioIssue) -> String {
        guard let scalar = node.scalar else { throw issue("\(label) must be a single value") }
        return scalar.string
    }

    /// A lower-case name: letters, digits and `-`, at most 64.
    func slug() throws(ScenarioIssue) -> String {
        let text = try text()
        guard Slug.isValid(text) else {
            throw issue("\(label) must be 1 to 64 of a-z, 0-9 and \"-\", not \"\(text)\"")
        }
        return text
    }

    /// A whole number within `range`.
    func integer(in range: ClosedRange<Int>) throws(ScenarioIssue) -> Int {
        let text = try text()
        guard let value = Int(text), range.contains(value) else {
            throw issue(
                "\(label) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return value
    }

    /// A duration with its unit (`30s`, `10.01s`, `1500ms`, `3m`) as milliseconds within `range`.
    func milliseconds(in range: ClosedRange<Int>) throws(ScenarioIssue) -> Int {
        let text = try text()
        guard let value = DurationText.milliseconds(text) else {
            throw issue("\(label) must be a duration such as 30s, 10.01s, 1500ms or 3m, not \"\(text)\"")
        }
        guard range.contains(value) else {
            throw issue("\(label) is \(value) ms, it must be \(range.lowerBound) to \(range.upperBound) ms")
        }
        return value
    }

    /// A value of a closed list of words.
    func word<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) throws(ScenarioIssue) -> Value where Value.RawValue == String {
        let text = try text()
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw issue("\(label) must be one of \(words), not \"\(text)\"")
        }
        return value
    }

    /// The word `expected` and nothing else.
    func literal(_ expected: String) throws(ScenarioIssue) {
        let text = try text()
        guard text == expected else { throw issue("\(label) must be \(expected), not \"\(text)\"") }
    }

    /// `yes` or `no`.
    func yesOrNo() throws(ScenarioIssue) -> Bool { try word(YesOrNo.self) == .yes }

    /// Values of a closed list of words.
    func words<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) throws(ScenarioIssue) -> [Value] where Value.RawValue == String {
        var values: [Value] = []
        for item in try items(limit: Value.allCases.count) { values.append(try item.word(type)) }
        return values
    }

    private enum YesOrNo: String, CaseIterable { case yes, no }

    private var label: String { path.isEmpty ? "the file" : "\"\(path)\"" }

    private static func issueOf(_ error: any Error, file: String) -> ScenarioIssue {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ScenarioIssue(file: file, line: mark.line, column: mark.column, message: "not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            ScenarioIssue(
                file: file, line: context.mark.line, column: context.mark.column,
                message: "the same key twice: \(duplicates.joined(separator: ", "))")
        default:
            ScenarioIssue(file: file, line: 1, column: 1, message: "not valid YAML")
        }
    }
}

/// Names that are safe in paths, queries and ids.
enum Slug {
    /// True for 1 to 64 of a-z, 0-9 and `-`.
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

/// Durations with a unit.
enum DurationText {
    /// `30s`, `10.01s`, `1500ms`, `3m`, `2h` in ms; nil when malformed, negative, finer than a ms or out of range.
    static func milliseconds(_ text: String) -> Int? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit: Int
        switch text.dropFirst(number.count) {
        case "ms": unit = 1
        case "s": unit = 1_000
        case "m": unit = 60_000
        case "h": unit = 3_600_000
        default: return nil
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let whole = Int(first) else { return nil }
        let (base, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return base }
        let digits = parts[1]
        guard (1...6).contains(digits.count), let fraction = Int(digits) else { return nil }
        let scale = (0..<digits.count).reduce(1) { product, _ in product * 10 }
        guard fraction * unit % scale == 0 else { return nil }
        let (sum, sumOverflow) = base.addingReportingOverflow(fraction * unit / scale)
        return sumOverflow ? nil : sum
    }
}
