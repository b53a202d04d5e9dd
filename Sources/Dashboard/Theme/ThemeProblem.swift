/// A problem in a theme file, with its place.
package struct ThemeProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// Whether the theme can still be used.
    package enum Severity: String, Sendable {
        case warning, error
    }

    /// Whether the theme can still be used.
    package let severity: Severity
    /// The file as the user named it, or `themes/NAME.yaml` for a built-in one.
    package let file: String
    /// Line and column from 1; zero when the problem has no place.
    package let place: ThemePlace
    /// One sentence without a full stop; may quote the file, so it passes the sanitiser before it is shown.
    package let message: String

    init(_ file: String, _ place: ThemePlace, _ message: String, severity: Severity = .error) {
        self.severity = severity
        self.file = file
        self.place = place
        self.message = message
    }

    /// `file:line:column: what`, on one line; without the numbers when there is no place.
    package var description: String {
        let position = place.line > 0 ? "\(file):\(place.line):\(place.column)" : file
        return severity == .warning ? "\(position): warning: \(message)" : "\(position): \(message)"
    }
}

/// A place in a theme file.
package struct ThemePlace: Hashable, Sendable {
    /// Line from 1, zero for none.
    package let line: Int
    /// Column from 1, zero for none.
    package let column: Int

    /// A line and a column, both from 1.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// No place.
    package static let none = ThemePlace(line: 0, column: 0)

    /// The place `columns` further on the same line.
    func advanced(by columns: Int) -> ThemePlace {
        ThemePlace(line: line, column: column + columns)
    }
}
