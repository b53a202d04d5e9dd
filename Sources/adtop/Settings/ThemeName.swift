import Dashboard
import Foundation
import Themes

/// The names of themes that are not files.
enum ThemeName {
    /// Chooses by the terminal's background.
    static let auto = ThemeGround.auto
    /// All of them.
    static let all = [auto] + BuiltInTheme.allCases.map(\.rawValue)

    /// The theme that a name means.
    /// - Parameter isLight: whether the background is light; nil where that is not known.
    static func shown(_ name: String, onLight isLight: Bool?) -> String {
        name == auto ? (isLight == true ? BuiltInTheme.paper : .default).rawValue : name
    }
}

extension SettingType<String> {
    /// The name of a theme, or of a file, which is read when it is needed.
    static let theme = Self { text throws(SettingProblem) in
        // Settings are read for each of thousands of sessions, and also where no theme is shown.
        let isKnown = ThemeName.all.contains(text) || text.contains("/")
        guard isKnown || FileManager.default.fileExists(atPath: text) else {
            throw SettingProblem("is neither a file nor one of \(ThemeName.all.joined(separator: ", "))")
        }
        return text
    }
}
