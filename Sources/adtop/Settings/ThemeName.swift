import Themes

/// The names of themes that are not files.
enum ThemeName {
    /// Chooses by the terminal's background.
    static let auto = "auto"
    /// All of them.
    static let all = [auto] + BuiltInTheme.allCases.map(\.rawValue)

    /// The theme that a name stands for.
    /// - Parameter isLight: whether the background is light; nil where that is not known.
    static func shown(_ name: String, onLight isLight: Bool?) -> String {
        name == auto ? (isLight == true ? BuiltInTheme.paper : .default).rawValue : name
    }
}
