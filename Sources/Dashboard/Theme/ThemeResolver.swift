import Themes

/// Makes a theme from its text and the texts of those it inherits.
package enum ThemeResolver {
    /// The longest chain of themes that inherit from one another.
    package static let depthLimit = 8

    /// A theme file's name for errors, and its text.
    package struct Source: Sendable, Equatable {
        /// As the user would name it.
        package let file: String
        /// The whole file.
        package let text: String

        /// A file and its text.
        package init(file: String, text: String) {
            self.file = file
            self.text = text
        }
    }

    /// Reads a theme and everything it inherits. `find` gives the text of a user's theme by name; built-in names
    /// need no `find`. A theme without `inherits` inherits `default`.
    package static func theme(
        from source: Source, find: (String) -> Source? = { _ in nil }
    ) throws(ThemeProblem) -> Theme {
        var layers: [ThemeFile] = []
        var next: Source? = source
        while let source = next {
            let layer = try ThemeFile(parsing: source.text, file: source.file)
            layers.append(layer)
            next = try parent(of: layer, in: layers, find: find)
        }
        return try Theme(layers: layers)
    }

    /// A built-in theme by name; nil when there is none of that name.
    package static func builtIn(_ name: String) throws(ThemeProblem) -> Theme? {
        guard let source = builtInSource(name) else { return nil }
        return try theme(from: source)
    }

    /// The text of a built-in theme.
    package static func builtInSource(_ name: String) -> Source? {
        guard let theme = BuiltInTheme(rawValue: name) else { return nil }
        return Source(file: "themes/\(name).yaml", text: theme.text)
    }

    private static func parent(
        of layer: ThemeFile, in layers: [ThemeFile], find: (String) -> Source?
    ) throws(ThemeProblem) -> Source? {
        guard let inherits = layer.inherits else {
            let isDefault = layers.contains { $0.name == BuiltInTheme.default.rawValue }
            return isDefault ? nil : builtInSource(BuiltInTheme.default.rawValue)
        }
        guard !layers.contains(where: { $0.name == inherits.value }) else {
            throw ThemeProblem(layer.file, inherits.place, "theme \"\(inherits.value)\" inherits itself")
        }
        guard layers.count < depthLimit else {
            throw ThemeProblem(layer.file, inherits.place, "more than \(depthLimit) themes inherit from one another")
        }
        guard let source = find(inherits.value) ?? builtInSource(inherits.value) else {
            throw ThemeProblem(layer.file, inherits.place, "\"\(inherits.value)\": no such theme")
        }
        return source
    }
}
