import Ports

/// The text of a recording, `adtop-recording/2` (docs/recording.md): JSON lines, first a header with the configuration,
/// then one input per line with its moment, and bodies on lines of their own. A session receives everything through its
/// inputs, so replaying them reproduces the session.
package enum RecordingFormat {
    package static let version = "adtop-recording/2"
    /// Supported versions, oldest first.
    static let versions = ["adtop-recording/1", version]

    /// Why a line cannot be read, as a clause.
    package struct Problem: Error, Hashable, Sendable {
        package var message: String

        init(_ message: String) {
            self.message = message
        }
    }

    /// The first line, unredacted.
    package static func header(_ configuration: MonitorConfiguration) -> String {
        header(configuration, .none).text()
    }

    static func header(_ configuration: MonitorConfiguration, _ redaction: RecordingRedaction.Setting) -> JSONValue {
        [
            "format": .string(version), "redaction": .string(redaction.rawValue),
            "configuration": configuration.recorded,
        ]
    }

    /// One input on one line with its body, unredacted.
    package static func line(_ recorded: RecordedInput) -> String {
        value(of: recorded).text()
    }

    /// Reads the input of such a line.
    package static func readLine(_ line: [UInt8]) throws(Problem) -> RecordedInput {
        try recorded(from: Fields(json(line)))
    }

    /// One input with its moment; its body is the numbered one, or its own.
    static func value(of recorded: RecordedInput, body: Int? = nil) -> JSONValue {
        var object = JSONObject()
        object.append("wallUs", .integer(recorded.at.wall.microseconds))
        object.append("uptimeUs", .integer(recorded.at.uptime.inMicroseconds))
        if let body { object.append("bodyId", .integer(Int64(body))) }
        object.append("input", InputJSON.value(of: recorded.input))
        return .object(object)
    }

    package static func readHeader(_ line: [UInt8]) throws(Problem) -> MonitorConfiguration {
        let value = try json(line)
        guard let format = value["format"]?.stringValue else { throw Problem("is not a recording: it has no format") }
        guard versions.contains(format) else {
            throw Problem("has the format \(format), not \(versions.joined(separator: " or "))")
        }
        return try MonitorConfiguration(recorded: Fields(value["configuration"]))
    }

    static func recorded(from fields: Fields) throws(Problem) -> RecordedInput {
        let moment = Moment(
            wall: UnixTime(microseconds: try fields.integer("wallUs")),
            uptime: .microseconds(try fields.integer("uptimeUs")))
        return RecordedInput(input: try InputJSON.input(from: fields.object("input")), at: moment)
    }

    static func json(_ line: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONProblem) {
            return try JSONReader.read(line)
        } catch {
            throw Problem("is not JSON: \(error.message) at column \(error.column)")
        }
    }
}

/// Reads the members of one object; a missing or mistyped member is a problem with its name.
struct Fields {
    private let value: JSONValue

    init(_ value: JSONValue?) throws(RecordingFormat.Problem) {
        guard let value, value.objectValue != nil else { throw .init("has no object where one is expected") }
        self.value = value
    }

    /// The member, or null if it is missing.
    func json(_ name: String) -> JSONValue { value[name] ?? .null }

    func has(_ name: String) -> Bool {
        value[name].map { $0 != .null } ?? false
    }

    func string(_ name: String) throws(RecordingFormat.Problem) -> String {
        guard let text = value[name]?.stringValue else { throw .init("has no text '\(name)'") }
        return text
    }

    func integer(_ name: String) throws(RecordingFormat.Problem) -> Int64 {
        guard let number = value[name]?.integerValue else { throw .init("has no whole number '\(name)'") }
        return number
    }

    func int(_ name: String) throws(RecordingFormat.Problem) -> Int {
        guard let number = Int(exactly: try integer(name)) else { throw .init("has a '\(name)' out of range") }
        return number
    }

    func array(_ name: String) throws(RecordingFormat.Problem) -> [JSONValue] {
        guard let values = value[name]?.arrayValue else { throw .init("has no array '\(name)'") }
        return values
    }

    func object(_ name: String) throws(RecordingFormat.Problem) -> Fields {
        try Fields(value[name])
    }

    /// The member as a case of an enumeration.
    func choice<Choice: RawRepresentable<String>>(
        _ name: String, of type: Choice.Type
    ) throws(RecordingFormat.Problem) -> Choice {
        let text = try string(name)
        guard let choice = Choice(rawValue: text) else { throw .init("has the unknown \(name) '\(text)'") }
        return choice
    }
}
