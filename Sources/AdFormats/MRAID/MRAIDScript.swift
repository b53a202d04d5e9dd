/// Steps for the container, one per line: `loaded`, `expand`, `resize 320x250 0 0`, `close`, `open URL`,
/// `useCustomClose true`, `exposure 50`, `unload`. Lines that begin with `#` are comments.
package struct MRAIDScript: Sendable, Hashable {
    /// Why a line is not a step.
    package struct Problem: Error, Sendable, Hashable {
        /// 1-based line.
        package var line: Int
        /// The reason as a clause.
        package var message: String
    }

    package static let maximumSteps = 10_000

    package struct Step: Sendable, Hashable {
        package var line: Int
        package var command: MRAIDContainer.Command
    }

    package private(set) var steps: [Step] = []

    package init(_ text: String) throws(Problem) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard steps.count < Self.maximumSteps else {
                throw Problem(line: index + 1, message: "more than \(Self.maximumSteps) steps")
            }
            guard let command = Self.command(first, Array(words.dropFirst())) else {
                throw Problem(
                    line: index + 1,
                    message:
                        "unknown step; use loaded, expand, resize WxH X Y, close, open URL, useCustomClose true|false, "
                        + "exposure PERCENT or unload")
            }
            steps.append(Step(line: index + 1, command: command))
        }
    }

    private static func command(_ name: Substring, _ words: [Substring]) -> MRAIDContainer.Command? {
        switch (name, words.count) {
        case ("loaded", 0): return .loaded
        case ("expand", 0): return .expand
        case ("close", 0): return .close
        case ("unload", 0): return .unload
        case ("open", 1): return .open(String(words[0]))
        case ("useCustomClose", 1): return Bool(String(words[0])).map { .useCustomClose($0) }
        case ("exposure", 1):
            return Double(words[0]).flatMap { (0...100).contains($0) ? .exposure($0) : nil }
        case ("resize", 3):
            guard let size = PixelSize(text: words[0]), let x = Int(words[1]), let y = Int(words[2]) else { return nil }
            return .resize(size, x: x, y: y)
        default: return nil
        }
    }
}
