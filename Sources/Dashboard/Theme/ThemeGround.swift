import Screen
import Themes

/// The backgrounds that the themes of the program are made for, as the list behind `:theme` has them.
package enum ThemeGround {
    /// The name that stands for `paper` on a light background and for `default` otherwise.
    package static let auto = "auto"

    /// A clause about a theme by name; empty for one that is a file.
    static func summary(of name: String) -> SafeText {
        guard name != auto else { return "light or dark, as the terminal's background" }
        return variants[name].map(words) ?? .empty
    }

    /// Read once: the list is made again with each key that is typed.
    private static let variants = Dictionary(
        uniqueKeysWithValues: BuiltInTheme.allCases.compactMap { theme in
            // A test reads every built-in theme; without one the list would lack a word, which is no reason to stop.
            (try? ThemeResolver.builtIn(theme.rawValue)).map { (theme.rawValue, $0.variant) }
        })

    private static func words(_ variant: ThemeFile.Variant) -> SafeText {
        switch variant {
        case .any: "on any background"
        case .dark: "dark"
        case .light: "light"
        }
    }
}
