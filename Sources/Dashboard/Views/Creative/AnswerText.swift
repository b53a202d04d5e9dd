import Ports
import Screen
import Session

/// An answer of an ad server as it came, line by line for the screen.
///
/// Ad servers send XML without line ends: lines too long to read are broken between elements, and only there.
struct AnswerText: Sendable {
    /// In bytes; a longer line is broken.
    static let longLine = 400

    /// The rows, controls and hidden characters escaped.
    let lines: [SafeText]
    /// Whether line breaks were added that the answer does not have.
    let isBroken: Bool
    private let text: String

    /// The answer of a hop.
    init(_ hop: CreativeView.Hop) {
        // What exceeds the sanitiser's limit would be discarded anyway.
        let text = String(decoding: hop.body.prefix(SafeText.bodyByteLimit + 1), as: UTF8.self)
        let parts = text.split(ascii: "\n")
        isBroken = parts.contains { $0.utf8.count > AnswerText.longLine && $0.contains("><") }
        self.text = isBroken ? AnswerText.broken(parts) : text
        lines = SafeText.lines(body: self.text)
    }

    /// The rows with each line changed by `mask`, for answers that are exported.
    func lines(masked mask: (String) -> String) -> [SafeText] {
        let parts = text.split(ascii: "\n")
        return SafeText.lines(body: parts.map { mask(String($0)) }.joined(separator: "\n"))
    }

    private static func broken(_ parts: [Substring]) -> String {
        parts.map { $0.utf8.count > longLine ? String($0.replacing("><", with: ">\n<")) : String($0) }.joined(
            separator: "\n")
    }
}
