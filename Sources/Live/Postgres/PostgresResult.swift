import CPostgres
import Fleet

/// A result of libpq: one row, or the end of an answer.
struct PostgresResult: ~Copyable {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        adtop_pq_clear(result)
    }

    /// Whether the call went well so far.
    var isFine: Bool {
        [ADTOP_PQ_EMPTY, ADTOP_PQ_COMMAND, ADTOP_PQ_TUPLES, ADTOP_PQ_SINGLE].map { Int32($0) }
            .contains(adtop_pq_result_status(result))
    }

    /// Whether it is the last of its statement: rows come one by one before it.
    var endsStatement: Bool { adtop_pq_result_status(result) != Int32(ADTOP_PQ_SINGLE) }

    /// The error of the server; nil where the library itself failed, or for a result that is none of a call, such as a copy.
    var error: ServerError? {
        guard let state = field("C") else { return nil }
        return ServerError(state: state, words: field("M") ?? "", detail: field("D"))
    }

    private func field(_ letter: Unicode.Scalar) -> String? {
        adtop_pq_result_error(result, Int32(letter.value)).map { String(cString: $0) }
    }

    var columns: [String] {
        (0..<adtop_pq_columns(result)).map { index in
            adtop_pq_column(result, index).map { String(cString: $0) } ?? ""
        }
    }

    /// Appends the values of its rows; returns their bytes.
    func appendValues(to values: inout [String?]) -> Int {
        var bytes = 0
        let columns = adtop_pq_columns(result)
        for row in 0..<adtop_pq_rows(result) {
            for column in 0..<columns {
                values.append(adtop_pq_value(result, row, column).map { String(cString: $0) })
                bytes += Int(adtop_pq_length(result, row, column)) + Self.bytesPerValue
            }
        }
        return bytes
    }

    /// What a value takes beside its text.
    private static let bytesPerValue = 16
}
