import Screen
import Yams

/// A theme file as written: nothing inherited, nothing resolved.
package struct ThemeFile: Equatable, Sendable {
    /// The ground the theme is made for.
    package enum Variant: String, Sendable {
        case any, dark, light
    }

    /// A value and its place.
    struct Placed<Value: Equatable & Sendable>: Equatable, Sendable {
        let value: Value
        let place: ThemePlace
    }

    /// The most bytes of a theme file that are read.
    package static let byteLimit = 65_536

    /// The file as the user named it.
    package let file: String
    /// The theme's name.
    package private(set) var name = ""
    /// The theme it builds on.
    private(set) var inherits: Placed<String>?
    /// The ground it is made for.
    package private(set) var variant = Variant.any
    /// Named colours.
    private(set) var palette: [String: ThemeColor] = [:]
    /// Styles by role name or by a prefix of role names.
    private(set) var roles: [String: StyleString] = [:]
    /// Warnings about ignored parts.
    package private(set) var warnings: [ThemeProblem] = []

    /// Reads the YAML text of a theme file. Unknown keys are warnings, everything else that is wrong is an error.
    package init(parsing text: String, file: String) throws(ThemeProblem) {
        self.file = file
        guard text.utf8.count <= ThemeFile.byteLimit else {
            throw ThemeProblem(file, .none, "larger than \(ThemeFile.byteLimit) bytes")
        }
        let root = try ThemeYAML.compose(text, file: file)
        guard let mapping = root.mapping else {
            throw ThemeProblem(file, root.place, "a theme is a list of keys and values")
        }
        for (key, value) in mapping { try read(key, value) }
        guard !name.isEmpty else { throw ThemeProblem(file, .none, "a theme needs a name") }
    }

    private mutating func read(_ key: Node, _ value: Node) throws(ThemeProblem) {
        switch key.scalar?.string {
        case "name": name = try string(value, of: "name")
        case "inherits": inherits = Placed(value: try string(value, of: "inherits"), place: value.place)
        case "variant":
            guard let known = Variant(rawValue: try string(value, of: "variant")) else {
                throw ThemeProblem(file, value.place, "variant is any, dark or light")
            }
            variant = known
        case "palette":
            for (name, color) in try entries(value, of: "palette") { palette[name.value] = try self.color(color, name) }
        case "roles":
            for (name, style) in try entries(value, of: "roles") { try readRole(name, style) }
        default:
            warn(key.place, "unknown key \"\(key.scalar?.string ?? "")\"")
        }
    }

    private mutating func readRole(_ name: Placed<String>, _ value: Node) throws(ThemeProblem) {
        let text = try string(value, of: name.value)
        let style = try StyleString(parsing: text, file: file, at: value.textPlace)
        if ThemeFile.knownRoles.contains(name.value) {
            roles[name.value] = style
        } else {
            warn(name.place, "unknown role \"\(name.value)\"")
        }
    }

    private func color(_ value: Node, _ name: Placed<String>) throws(ThemeProblem) -> ThemeColor {
        let text = try string(value, of: name.value)
        guard ThemeColor(parsing: name.value[...]) == nil else {
            throw ThemeProblem(file, name.place, "\"\(name.value)\": already a colour; choose another palette name")
        }
        guard let color = ThemeColor(parsing: text[...]) else {
            throw ThemeProblem(
                file, value.textPlace, "\"\(text)\": not a colour; write #rrggbb, 0-255 or a name, highest depth first")
        }
        return color
    }

    private func entries(_ node: Node, of key: String) throws(ThemeProblem) -> [(Placed<String>, Node)] {
        guard let mapping = node.mapping else {
            throw ThemeProblem(file, node.place, "\(key) is a list of keys and values")
        }
        var entries: [(Placed<String>, Node)] = []
        for (key, value) in mapping {
            entries.append((Placed(value: try string(key, of: "a key"), place: key.place), value))
        }
        return entries
    }

    private func string(_ node: Node, of key: String) throws(ThemeProblem) -> String {
        guard let scalar = node.scalar else { throw ThemeProblem(file, node.place, "\(key) is a single value") }
        return scalar.string
    }

    private mutating func warn(_ place: ThemePlace, _ message: String) {
        warnings.append(ThemeProblem(file, place, message, severity: .warning))
    }

    /// Every role name and every dotted prefix of one.
    private static let knownRoles: Set<String> = {
        var names = Set<String>()
        for role in Role.allCases { names.formUnion(role.lookupNames) }
        return names
    }()
}

extension Role {
    /// The role's name and then its prefixes: `text.url.host`, `text.url`, `text`.
    var lookupNames: [String] {
        var names = [name]
        while let dot = names[names.count - 1].lastIndex(of: ".") {
            names.append(String(names[names.count - 1][..<dot]))
        }
        return names
    }
}

extension Node {
    /// Where the node starts.
    var place: ThemePlace {
        mark.map { ThemePlace(line: $0.line, column: $0.column) } ?? .none
    }

    /// Where the text of a scalar starts, after an opening quote.
    var textPlace: ThemePlace {
        guard let scalar else { return place }
        let quoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
        return quoted ? place.advanced(by: 1) : place
    }
}
