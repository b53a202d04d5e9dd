import Dashboard
import Themes

/// Finds a theme by name or path, with errors for the command line.
enum ThemeLoader {
    static func theme(_ nameOrPath: String) throws(CommandFailure) -> Theme {
        do {
            if let theme = try ThemeResolver.builtIn(nameOrPath) { return theme }
            let text = try InputFile.text(
                nameOrPath, or: "one of \(BuiltInTheme.allCases.map(\.rawValue).joined(separator: ", "))")
            return try ThemeResolver.theme(from: .init(file: nameOrPath, text: text))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
