import Yams

/// Reads YAML into nodes with places, and turns the parser's errors into one line each.
enum ThemeYAML {
    /// The root node of a text. An empty text is an error, because a theme without a name is one.
    static func compose(_ text: String, file: String) throws(ThemeProblem) -> Node {
        do {
            guard let root = try Yams.compose(yaml: text) else {
                throw ThemeProblem(file, .none, "empty theme")
            }
            return root
        } catch let problem as ThemeProblem {
            throw problem
        } catch let error as YamlError {
            throw problem(error, text, file: file)
        } catch {
            throw ThemeProblem(file, .none, "not readable as YAML")
        }
    }

    private static func problem(_ error: YamlError, _ text: String, file: String) -> ThemeProblem {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ThemeProblem(file, ThemePlace(line: mark.line, column: mark.column), problem)
        case .reader(let problem, let offset, _, _):
            return ThemeProblem(file, place(ofByte: offset ?? 0, in: text), problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let place = ThemePlace(line: context.mark.line, column: context.mark.column)
            return ThemeProblem(file, place, "duplicate key: \(duplicates.sorted().joined(separator: ", "))")
        default:
            return ThemeProblem(file, .none, "not readable as YAML")
        }
    }

    private static func place(ofByte offset: Int, in text: String) -> ThemePlace {
        let before = text.utf8.prefix(max(offset, 0))
        let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
        let column = before.reversed().prefix { $0 != 0x0A }.count + 1
        return ThemePlace(line: line, column: column)
    }
}
