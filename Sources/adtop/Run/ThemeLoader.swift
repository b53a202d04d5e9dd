import Dashboard
import Themes

/// Finds a theme by name or path, with errors for the command line.
enum ThemeLoader {
    /// - Parameter isLight: whether the background is light, for the name `auto`; nil where that is not known.
    static func theme(_ nameOrPath: String, onLight isLight: Bool? = nil) throws(CommandFailure) -> Theme {
        let nameOrPath = ThemeName.shown(nameOrPath, onLight: isLight)
        do {
            if let theme = try ThemeResolver.builtIn(nameOrPath) { return theme }
            let text = try InputFile.text(
                nameOrPath, or: "one of \(ThemeName.all.joined(separator: ", "))")
            return try ThemeResolver.theme(from: .init(file: nameOrPath, text: text))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
