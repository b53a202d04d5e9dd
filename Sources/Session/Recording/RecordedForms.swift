import AdFormats
import AdTracking
import Ports

extension String: RecordedValue, RecordedElement {
    var recorded: JSONValue { .string(self) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> String {
        try fields.string(name)
    }

    static func element(_ json: JSONValue) -> String? { json.stringValue }
}

extension Bool: RecordedValue {
    var recorded: JSONValue { .bool(self) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Bool {
        guard let flag = fields.json(name).boolValue else { throw .init("has no boolean '\(name)'") }
        return flag
    }
}

extension Int: RecordedValue {
    var recorded: JSONValue { .integer(Int64(self)) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Int {
        try fields.int(name)
    }
}

extension Int64: RecordedValue {
    var recorded: JSONValue { .integer(self) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Int64 {
        try fields.integer(name)
    }
}

/// As text, because JSON numbers do not hold unsigned 64-bit values.
extension UInt64: RecordedValue {
    var recorded: JSONValue { .string(String(self)) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> UInt64 {
        guard let number = UInt64(try fields.string(name)) else { throw .init("has a \(name) that is not a number") }
        return number
    }
}

extension Double: RecordedValue {
    var recorded: JSONValue { .double(self) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Double {
        guard let number = fields.json(name).doubleValue else { throw .init("has no number '\(name)'") }
        return number
    }
}

/// In microseconds.
extension Duration: RecordedValue {
    var recorded: JSONValue { .integer(inMicroseconds) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Duration {
        .microseconds(try fields.integer(name))
    }
}

/// In microseconds.
extension UnixTime: RecordedValue {
    var recorded: JSONValue { .integer(microseconds) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> UnixTime {
        UnixTime(microseconds: try fields.integer(name))
    }
}

extension WebURL: RecordedValue {
    var recorded: JSONValue { .string(text) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> WebURL {
        let text = try fields.string(name)
        do throws(WebURLProblem) {
            return try WebURL(text)
        } catch {
            throw RecordingFormat.Problem("has a '\(name)' that \(error.explanation)")
        }
    }
}

/// Any document.
extension JSONValue: RecordedValue {
    var recorded: JSONValue { self }

    static func member(_ name: String, of fields: Fields) -> JSONValue { fields.json(name) }
}

/// Nil is null, or missing.
extension Optional: RecordedValue where Wrapped: RecordedValue {
    var recorded: JSONValue { self?.recorded ?? .null }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Wrapped? {
        fields.has(name) ? try Wrapped.member(name, of: fields) : nil
    }
}

/// A case of an enumeration, as text.
protocol RecordedChoice: RecordedValue, RawRepresentable<String> {}

extension RecordedChoice {
    var recorded: JSONValue { .string(rawValue) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Self {
        try fields.choice(name, of: Self.self)
    }
}

extension ProviderSetting: RecordedChoice {}
extension ReportingMode: RecordedChoice {}
extension RetrySetting: RecordedChoice {}
extension RenewalSetting: RecordedChoice {}
extension HTTPFailure.Kind: RecordedChoice {}
extension HTTPProtocolVersion: RecordedChoice {}
extension CertificateRejection: RecordedChoice {}
extension ProxyFault: RecordedChoice {}
extension AdFormat: RecordedChoice {}
extension AdPlacementKind: RecordedChoice {}
extension DeviceProfile.Kind: RecordedChoice {}

/// A name and a value as a pair; anything else is dropped.
protocol RecordedPair: RecordedElement {
    var name: String { get }
    var value: String { get }
    init(_ name: String, _ value: String)
}

extension RecordedPair {
    var recorded: JSONValue { [.string(name), .string(value)] }

    static func element(_ json: JSONValue) -> Self? {
        guard let parts = json.arrayValue, parts.count == 2, let name = parts[0].stringValue,
            let value = parts[1].stringValue
        else { return nil }
        return Self(name, value)
    }
}

extension HTTPField: RecordedPair {}
extension AdConfig.Parameter: RecordedPair {}

/// Bytes from lower-case hexadecimal digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func bytes(_ text: String) throws(RecordingFormat.Problem) -> [UInt8] {
        let nibbles = text.utf8.map { digits.firstIndex(of: $0) }
        guard nibbles.count.isMultiple(of: 2) else {
            throw .init("has a body with an odd number of hexadecimal digits")
        }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            guard let high = nibbles[index], let low = nibbles[index + 1] else {
                throw .init("has a body that is not hexadecimal")
            }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
