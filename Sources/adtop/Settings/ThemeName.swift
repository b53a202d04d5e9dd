import Themes

/// The names of themes that are not files.
enum ThemeName {
    /// Chooses by the terminal's background.
    static let auto = "auto"
    /// All of them.
    static let all = [auto] + BuiltInTheme.allCases.map(\.rawValue)
}
