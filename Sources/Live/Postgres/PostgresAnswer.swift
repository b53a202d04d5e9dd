package import Fleet
package import Ports

/// The answer to a call: rows of texts, read as the types that the caller expects.
package struct PostgresAnswer: Sendable {
    fileprivate let places: [String: Int]
    fileprivate var values: [String?] = []
    /// The SQLSTATE of the first message of severity WARNING between the call and its answer. A claim with one has no answer (FLT-9).
    package let warning: String?

    /// - Parameter values: row by row.
    init(columns: [String], values: [String?], warning: String?) {
        places = Dictionary(columns.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        width = max(1, columns.count)
        self.values = values
        self.warning = warning
    }

    fileprivate let width: Int

    package var count: Int { values.count / width }

    package var rows: [PostgresRow] { (0..<count).map { PostgresRow(answer: self, index: $0) } }

    /// The only row; throws where there is none, or more.
    package var row: PostgresRow {
        get throws(StoreProblem) {
            guard count == 1 else { throw .strangeAnswer("an answer with \(count) rows") }
            return PostgresRow(answer: self, index: 0)
        }
    }
}

/// A row of an answer. Each read throws `strangeAnswer` where the column is missing or has another type.
package struct PostgresRow: Sendable {
    fileprivate let answer: PostgresAnswer
    fileprivate let index: Int

    package func optionalText(_ column: String) throws(StoreProblem) -> String? {
        guard let place = answer.places[column] else { throw .strangeAnswer("an answer without '\(column)'") }
        return answer.values[index * answer.width + place]
    }

    package func text(_ column: String) throws(StoreProblem) -> String { try present(try optionalText(column), column) }

    package func optionalInteger<Number: FixedWidthInteger>(
        _ column: String, as type: Number.Type = Int.self
    ) throws(StoreProblem) -> Number? {
        guard let text = try optionalText(column) else { return nil }
        return try present(Number(text), column)
    }

    package func integer<Number: FixedWidthInteger>(
        _ column: String, as type: Number.Type = Int.self
    ) throws(StoreProblem) -> Number {
        try present(try optionalInteger(column, as: type), column)
    }

    package func optionalNumber(_ column: String) throws(StoreProblem) -> Double? {
        guard let text = try optionalText(column) else { return nil }
        // A server may answer `NaN`, which no arithmetic here expects.
        return try present(Double(text).flatMap { $0.isFinite ? $0 : nil }, column)
    }

    package func flag(_ column: String) throws(StoreProblem) -> Bool {
        switch try optionalText(column) {
        case "t": true
        case "f": false
        default: throw strange(column)
        }
    }

    /// A column of ``PostgresSQL/microseconds(_:)``; nil for null and for infinity.
    package func optionalTime(_ column: String) throws(StoreProblem) -> UnixTime? {
        try optionalInteger(column, as: Int64.self).map(UnixTime.init(microseconds:))
    }

    package func time(_ column: String) throws(StoreProblem) -> UnixTime {
        try present(try optionalTime(column), column)
    }

    package func optionalJSON(_ column: String) throws(StoreProblem) -> JSONValue? {
        guard let text = try optionalText(column) else { return nil }
        return try present(try? JSONReader.read(text), column)
    }

    /// The elements of an array, null for null; an array that is null has none.
    package func texts(_ column: String) throws(StoreProblem) -> [String?] {
        guard let text = try optionalText(column) else { return [] }
        return try present(PostgresArray.elements(text), column)
    }

    package func integers<Number: FixedWidthInteger>(
        _ column: String, as type: Number.Type = Int.self
    ) throws(StoreProblem) -> [Number] {
        try texts(column).map { text throws(StoreProblem) in try present(text.flatMap { Number($0) }, column) }
    }

    /// A column of ``PostgresSQL/hex(_:)``; nil for null.
    package func optionalBytes(_ column: String) throws(StoreProblem) -> [UInt8]? {
        guard let text = try optionalText(column) else { return nil }
        return try present([UInt8](hexadecimal: text.utf8), column)
    }

    private func present<Value>(_ value: Value?, _ column: String) throws(StoreProblem) -> Value {
        guard let value else { throw strange(column) }
        return value
    }

    private func strange(_ column: String) -> StoreProblem { .strangeAnswer("the value of '\(column)'") }
}

/// Pieces of statements whose answers do not depend on settings of the server, such as its style of dates.
package enum PostgresSQL {
    /// Microseconds since the epoch under the column's own name; null for infinity.
    package static func microseconds(_ column: String, as name: String? = nil) -> String {
        let label = name ?? String(column.split(separator: ".").last ?? "")
        return "CASE WHEN isfinite(\(column)) THEN (extract(epoch FROM \(column)) * 1000000)::bigint END AS \(label)"
    }

    /// The digits of a `bytea` under the column's own name.
    package static func hex(_ column: String) -> String {
        "encode(\(column), 'hex') AS \(column.split(separator: ".").last ?? "")"
    }
}
