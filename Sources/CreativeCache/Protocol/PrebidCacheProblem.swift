/// The error that a Prebid Cache server returns for a request that it rejects (CACHE-7).
package enum PrebidCacheProblem: Error, Hashable, Sendable {
    /// The body is not JSON, or not a write document; the error repeats it.
    case notJSON(echo: [UInt8])
    case tooManyValues(limit: Int)
    case missingValue
    case negativeLife(Int64)
    case unknownType(String)
    /// The value of an XML put is not a string; the payload is the beginning of the value as written.
    case xmlNotText([UInt8])
    case valueTooLarge(index: Int, bytes: Int, limit: Int)
    /// A client-supplied key that is not allowed in a path.
    case badKey(String)
    case missingID
    case badIDLength(String)
    case unknownID(String)

    package var status: Int {
        switch self {
        case .badIDLength, .unknownID: 404
        default: 400
        }
    }

    /// Bytes as that server prints them: decimal numbers in brackets, separated by spaces.
    private static func numbers(_ bytes: [UInt8]) -> String {
        "[\(bytes.map(String.init).joined(separator: " "))]"
    }

    /// The error text; the server appends a line feed.
    package var text: String {
        let sentence: String =
            switch self {
            case .notJSON(let echo): String(decoding: echo, as: UTF8.self)
            case .tooManyValues(let limit): "More keys than allowed: \(limit)"
            case .missingValue: "Missing value."
            case .negativeLife(let seconds): "ttlseconds must not be negative \(seconds)."
            case .unknownType(let type): "Type must be one of [\"json\", \"xml\"]. Found '\(type)'"
            case .xmlNotText(let value): "XML messages must have a String value. Found \(Self.numbers(value))"
            case .valueTooLarge(let index, let bytes, let limit):
                "POST /cache element \(index) exceeded max size: Payload size \(bytes) exceeded max \(limit)"
            case .badKey(let key): "Key must be 1 to 128 of A-Za-z0-9._-. Found '\(key)'"
            case .missingID: "GET /cache: Missing required parameter uuid"
            case .badIDLength(let id): "GET /cache uuid=\(id): invalid uuid length"
            case .unknownID(let id): "GET /cache uuid=\(id): Key not found"
            }
        return sentence + "\n"
    }
}
