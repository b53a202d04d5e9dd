import Ports

/// Reads the nodes of one metadata document and records problems with their paths.
///
/// Recoverable type errors, such as numbers as strings, are accepted and reported (lint L04); unreadable values are
/// omitted and reported (L03).
struct NodeReader {
    /// The largest time a date can hold, in milliseconds (the range of ECMAScript dates); larger values are rejected.
    static let largestMilliseconds: Int64 = 8_640_000_000_000_000

    private enum Step {
        case member(String)
        case element(Int)
    }

    private(set) var findings: [Finding] = []
    /// Number of findings that were dropped because of the limit.
    private(set) var dropped = 0
    /// Whether what was read may change when the data range ends elsewhere.
    var dependsOnEdge = false
    private var path: [Step] = []

    /// Reads below `name`, which becomes part of the paths of findings.
    mutating func inside<Value>(_ name: String, _ read: (inout NodeReader) -> Value) -> Value {
        path.append(.member(name))
        defer { path.removeLast() }
        return read(&self)
    }

    /// Reads below element `index` of the array `name`.
    mutating func inside<Value>(_ name: String, _ index: Int, _ read: (inout NodeReader) -> Value) -> Value {
        path.append(.member(name))
        path.append(.element(index))
        defer { path.removeLast(2) }
        return read(&self)
    }

    /// A path such as `adBreaks[1].ads[0].duration`.
    private func pathText(_ member: String?) -> String {
        var text = ""
        for step in path + (member.map { [.member($0)] } ?? []) {
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .element(let index): text += "[\(index)]"
            }
        }
        return text
    }

    mutating func report(_ rule: LintRule, _ message: @autoclosure () -> String, at member: String? = nil) {
        guard findings.count < DecodedMetadata.findingsKept else {
            dropped += 1
            return
        }
        findings.append(rule.finding(message(), path: pathText(member)))
    }

    /// Gives the findings since the `first` one their place: that of `ad` or of an event in it. The break is filled in by
    /// ``place(of:start:)`` when its own members are known.
    mutating func place(since first: Int, ad: String?, event: String? = nil) {
        for index in findings.indices.dropFirst(first) {
            var place = findings[index].place ?? FindingPlace(adBreak: "", start: UnixTime(microseconds: 0))
            place.ad = place.ad ?? ad
            place.event = place.event ?? event
            findings[index].place = place
        }
    }

    /// Gives all findings of this reader the break as their place.
    mutating func place(of adBreak: String?, start: UnixTime) {
        for index in findings.indices {
            let place = findings[index].place
            findings[index].place = FindingPlace(
                adBreak: adBreak ?? "", start: start, ad: place?.ad, event: place?.event)
        }
    }

    /// Adds the findings of another reader for element `index` of the array `name`.
    mutating func take(_ findings: [Finding], dropped: Int, of name: String, _ index: Int) {
        self.dropped += dropped
        for var finding in findings {
            guard self.findings.count < DecodedMetadata.findingsKept else {
                self.dropped += 1
                continue
            }
            let place = "\(name)[\(index)]"
            finding.path = finding.path.map { $0.isEmpty ? place : "\(place).\($0)" } ?? place
            self.findings.append(finding)
        }
    }

    // MARK: Values

    /// Text; numbers are accepted in its place. Null, absent and empty values give nil.
    mutating func text(_ value: JSONValue, _ name: String) -> String? {
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .null: return nil
        case .integer(let number):
            report(.typeMismatch, "\(name) is the number \(number) instead of a string", at: name)
            return String(number)
        case .double, .number, .bool, .array, .object:
            report(.wrongType, "\(name) is a JSON \(value.typeName) instead of a string", at: name)
            return nil
        }
    }

    /// Reads a media date from milliseconds.
    mutating func time(_ value: JSONValue, _ name: String) -> UnixTime? {
        microseconds(value, name).map { UnixTime(microseconds: $0) }
    }

    /// Reads a span from milliseconds; a negative one counts as absent (PRV-2).
    mutating func span(_ value: JSONValue, _ name: String) -> Duration? {
        guard let microseconds = microseconds(value, name) else { return nil }
        guard microseconds >= 0 else {
            report(.wrongType, "\(name) is negative", at: name)
            return nil
        }
        return .microseconds(microseconds)
    }

    /// Reads a size attribute in pixels: numbers or strings; an empty string means absent (TRK-4).
    mutating func pixels(_ value: JSONValue?, _ name: String) -> Int? {
        guard let value, value != .null, value != .string("") else { return nil }
        return number(value, name).flatMap { Int(exactly: $0.rounded()) }
    }

    /// Converts milliseconds to microseconds; fractions are kept to the microsecond.
    private mutating func microseconds(_ value: JSONValue, _ name: String) -> Int64? {
        if case .integer(let milliseconds) = value, milliseconds.magnitude <= Self.largestMilliseconds {
            return milliseconds * 1_000
        }
        guard let milliseconds = number(value, name) else { return nil }
        guard abs(milliseconds) <= Double(Self.largestMilliseconds) else {
            report(.wrongType, "\(name) is out of range", at: name)
            return nil
        }
        return Int64((milliseconds * 1_000).rounded())
    }

    private mutating func number(_ value: JSONValue, _ name: String) -> Double? {
        switch value {
        case .integer, .double, .number:
            guard let number = value.doubleValue else {
                report(.wrongType, "\(name) is out of range", at: name)
                return nil
            }
            return number
        case .string(let text):
            guard let number = Double(text), number.isFinite else {
                report(.wrongType, "\(name) is the string '\(text)' instead of a number", at: name)
                return nil
            }
            report(.typeMismatch, "\(name) is the string '\(text)' instead of a number", at: name)
            return number
        case .null:
            return nil
        case .bool, .array, .object:
            report(.wrongType, "\(name) is a JSON \(value.typeName) instead of a number", at: name)
            return nil
        }
    }

    /// The objects of a required array with their indices; other elements are reported and omitted.
    mutating func objects(_ value: JSONValue?, _ name: String) -> [(index: Int, object: JSONObject)]? {
        guard let value, value != .null else {
            report(.wrongType, "\(name) is missing", at: name)
            return nil
        }
        guard case .array(let values) = value else {
            report(.wrongType, "\(name) is a JSON \(value.typeName) instead of an array", at: name)
            return nil
        }
        var objects: [(Int, JSONObject)] = []
        objects.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            if case .object(let object) = value {
                objects.append((index, object))
            } else {
                inside(name, index) { $0.reportNoObject(value) }
            }
        }
        return objects
    }

    mutating func reportNoObject(_ value: JSONValue) {
        report(.wrongType, "is a JSON \(value.typeName) instead of an object")
    }

    /// Reports an unsupported member and keeps it.
    mutating func keep(_ member: JSONObject.Member, in extras: inout JSONObject, known: Set<String>) {
        extras.append(member.name, member.value)
        guard !MetadataNames.unread.contains(member.name) else { return }
        let lowered = member.name.lowercased()
        if let expected = known.first(where: { $0.lowercased() == lowered }) {
            report(.unknownKey, "key '\(member.name)' is ignored; expected '\(expected)'", at: member.name)
        } else {
            report(.unknownKey, "unknown key '\(member.name)'", at: member.name)
        }
    }
}

/// Member names in Harmonic metadata (TRK-4).
enum MetadataNames {
    /// Documented members that affect no decision: kept as they came, without a finding.
    static let unread: Set<String> = ["startDateTime", "prftStartTime", "prftStart", "prftEnd"]
    static let root: Set<String> = ["adBreaks", "dataRange"]
    static let adBreak: Set<String> = ["id", "startTime", "duration", "ads"]
    static let ad: Set<String> = [
        "id", "startTime", "duration", "trackingEvents", "clickThrough", "clickTracking", "companionAds",
        "adVerifications", "icons",
    ]
    static let event: Set<String> = ["event", "startTime", "duration", "signalingUrls"]
}
