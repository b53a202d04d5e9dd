import Ports

/// HTTP exchanges as JSON. Bodies that are UTF-8 are text, so that a recording can be read and searched; others are
/// hexadecimal.
enum ExchangeJSON {
    static func value(of exchange: HTTPExchange) -> JSONValue {
        var object = JSONObject()
        object.append("hops", .array(exchange.hops.map(value)))
        if let failure = exchange.failure {
            object.append("failure", ["kind": .string(failure.kind.rawValue), "message": .string(failure.message)])
        }
        if let text = String(validating: exchange.body, as: UTF8.self) {
            object.append("body", .string(text))
        } else {
            object.append("bodyHex", .string(hexadecimal(exchange.body)))
        }
        object.append("isBodyCut", .bool(exchange.isBodyCut))
        object.append("bodyBytes", .integer(Int64(exchange.bodyBytes)))
        object.append("timings", value(of: exchange.timings))
        return .object(object)
    }

    static func exchange(from fields: Fields) throws(RecordingFormat.Problem) -> HTTPExchange {
        var hops: [HTTPExchange.Hop] = []
        for value in try fields.array("hops") { hops.append(try hop(from: Fields(value))) }
        var failure: HTTPFailure?
        if fields.has("failure") {
            let object = try fields.object("failure")
            failure = HTTPFailure(try object.choice("kind", of: HTTPFailure.Kind.self), try object.string("message"))
        }
        let body = fields.has("body") ? Array(try fields.string("body").utf8) : try bytes(try fields.string("bodyHex"))
        return HTTPExchange(
            hops: hops, failure: failure, body: body, isBodyCut: try fields.bool("isBodyCut"),
            bodyBytes: try fields.int("bodyBytes"), timings: try timings(from: fields.object("timings")))
    }

    private static func value(of hop: HTTPExchange.Hop) -> JSONValue {
        let fields = hop.fields.map { JSONValue.array([.string($0.name), .string($0.value)]) }
        return ["url": .string(hop.url), "status": .integer(Int64(hop.status)), "fields": .array(fields)]
    }

    private static func hop(from fields: Fields) throws(RecordingFormat.Problem) -> HTTPExchange.Hop {
        let pairs = try fields.array("fields").compactMap { pair -> HTTPField? in
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let value = parts[1].stringValue
            else { return nil }
            return HTTPField(name, value)
        }
        return HTTPExchange.Hop(url: try fields.string("url"), status: try fields.int("status"), fields: pairs)
    }

    private static func value(of timings: HTTPExchange.Timings) -> JSONValue {
        [
            "resolveUs": .optional(timings.resolve), "connectUs": .optional(timings.connect),
            "waitUs": .optional(timings.wait), "receiveUs": .optional(timings.receive),
            "totalUs": .integer(timings.total),
        ]
    }

    private static func timings(from fields: Fields) throws(RecordingFormat.Problem) -> HTTPExchange.Timings {
        func phase(_ name: String) throws(RecordingFormat.Problem) -> Int64? {
            fields.has(name) ? try fields.integer(name) : nil
        }
        return HTTPExchange.Timings(
            resolve: try phase("resolveUs"), connect: try phase("connectUs"), wait: try phase("waitUs"),
            receive: try phase("receiveUs"), total: try fields.integer("totalUs"))
    }

    private static let digits = Array("0123456789abcdef".utf8)

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

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
