import Ports
import Screen

/// A line of a tool's text output: pieces with a meaning, so that a terminal shows colour and a pipe receives plain
/// text. Strings from outside are sanitised when the line is written.
struct ToolLine: Equatable, ExpressibleByStringInterpolation {
    /// The meaning of a piece.
    enum Tint: Equatable {
        case error, warning, info, good, muted, strong

        /// The parameter of its SGR sequence: one of the eight basic colours, which terminal themes keep legible.
        fileprivate var parameter: Int {
            switch self {
            case .error: 31
            case .warning: 33
            case .info: 36
            case .good: 32
            case .muted: 2
            case .strong: 1
            }
        }
    }

    struct Piece: Equatable {
        var text: String
        var tint: Tint?
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String, _ tint: Tint? = nil) {
        pieces = [Piece(text: text, tint: tint)]
    }

    init(stringLiteral value: String) {
        self.init(value)
    }

    init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            append(Piece(text: literal))
        }

        mutating func appendInterpolation(_ value: some CustomStringConvertible, _ tint: Tint? = nil) {
            append(Piece(text: "\(value)", tint: tint))
        }

        mutating func appendInterpolation(_ line: ToolLine) {
            line.pieces.forEach { append($0) }
        }

        private mutating func append(_ piece: Piece) {
            if !piece.text.isEmpty { pieces.append(piece) }
        }
    }

    /// Without colour.
    var plain: String { pieces.map(\.text).joined() }

    /// Sanitised and without passwords of URLs, with SGR sequences where `isColored`.
    func text(isColored: Bool) -> String {
        pieces.map { piece in
            let text = SafeText(outside: Redaction.credentials(in: piece.text)).string
            guard isColored, let tint = piece.tint, !text.isEmpty else { return text }
            return "\u{1B}[\(tint.parameter)m\(text)\u{1B}[0m"
        }.joined()
    }
}

extension String {
    /// With blanks to that many characters.
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// With blanks before it, to that many characters.
    func paddingStart(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
