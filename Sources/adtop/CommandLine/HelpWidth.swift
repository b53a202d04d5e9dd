import Foundation
import Screen
import Terminal

/// The width of the parser's help and usage.
enum HelpWidth {
    /// Narrowest width. Descriptions begin in column 26, and the parser (swift-argument-parser 1.8) ends a debug build where
    /// nothing is left for them.
    static let minimum = 40

    /// The width in place of that of the user (`COLUMNS`) or the terminal; nil where that is wide enough.
    static func replacement(columns: String?, terminal: Int?) -> Int? {
        // A terminal of 0 columns does not know its size, and the parser then takes 80.
        guard let width = columns.flatMap({ Int($0) }) ?? terminal.flatMap({ $0 > 0 ? $0 : nil }) else { return nil }
        return width < minimum ? minimum : nil
    }

    /// Makes the parser take at least the narrowest width. The process ends with the text, so nothing else reads the variable.
    static func prepare() {
        let columns = ProcessInfo.processInfo.environment["COLUMNS"]
        let terminal = WindowSize.of(descriptor: STDOUT_FILENO)?.columns
        if let width = replacement(columns: columns, terminal: terminal) { setenv("COLUMNS", "\(width)", 1) }
    }
}
