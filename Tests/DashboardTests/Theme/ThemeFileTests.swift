import Dashboard
import Testing

@Suite struct ThemeFileTests {
    private func error(_ text: String) -> String? {
        do {
            _ = try ThemeResolver.theme(from: .init(file: "my.yaml", text: text))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("", "my.yaml: empty theme"),
        ("- a\n- b\n", "my.yaml:1:1: a theme is a list of keys and values"),
        ("variant: dark\n", "my.yaml: a theme needs a name"),
        ("name: x\nvariant: blue\n", "my.yaml:2:10: variant is any, dark or light"),
        ("name: [x]\n", "my.yaml:1:7: name is a single value"),
        ("name: x\nroles: red\n", "my.yaml:2:8: roles is a list of keys and values"),
        (
            "name: x\nroles:\n  text: red blue\n",
            "my.yaml:3:13: \"blue\": not an attribute, and a foreground is already given"
        ),
        ("name: x\nroles:\n  text: \"red on=#12345\"\n", "my.yaml:3:17: \"#12345\": not a colour"),
        ("name: x\nroles:\n  text: red; bold\n", "my.yaml:3:14: only mono= may follow \";\""),
        (
            "name: x\nroles:\n  text: red; mono=loud\n",
            "my.yaml:3:14: \"loud\": not an attribute; use bold, dim, italic, underline, reverse, normal"
        ),
        ("name: x\nroles:\n  text: red; mono=bold; dim\n", "my.yaml:3:9: more than one \";\" in a style"),
        ("name: x\nroles:\n  text: red on=blue on=green\n", "my.yaml:3:21: more than one background"),
        ("name: x\nroles:\n  text: accent\n", "my.yaml:3:9: \"accent\": no such colour in the palette"),
        ("name: x\nroles:\n  text: bold on=sea\n", "my.yaml:3:17: \"sea\": no such colour in the palette"),
        (
            "name: x\npalette:\n  a: \"#12\"\n",
            "my.yaml:3:7: \"#12\": not a colour; write #rrggbb, 0-255 or a name, highest depth first"
        ),
        ("name: x\npalette:\n  red: blue\n", "my.yaml:3:3: \"red\": already a colour; choose another palette name"),
        ("name: x\nname: y\n", "my.yaml:1:1: duplicate key: name"),
        ("name: x\ninherits: nothing\n", "my.yaml:2:11: \"nothing\": no such theme"),
        ("name: x\ninherits: x\n", "my.yaml:2:11: theme \"x\" inherits itself"),
    ])
    func errorsNameFileLineAndColumn(_ text: String, _ expected: String) {
        #expect(error(text) == expected)
    }

    @Test func brokenYAMLNamesThePlace() throws {
        let problem = try #require(error("name: x\nroles:\n  text: \"red\n"))
        #expect(problem.hasPrefix("my.yaml:4:1: "))
        #expect(!problem.contains("\n"))
        let tab = try #require(error("name: x\n\troles: y\n"))
        #expect(tab.hasPrefix("my.yaml:2:1: "))
    }

    @Test func deepAndLargeFilesAreRefused() throws {
        let deep = try #require(error(String(repeating: "[", count: 60_000)))
        #expect(deep.hasPrefix("my.yaml:1:"))
        let large = try #require(error("name: x\n#" + String(repeating: "x", count: ThemeFile.byteLimit)))
        #expect(large == "my.yaml: larger than 65536 bytes")
    }

    @Test func unknownKeysAreWarningsWithAPlace() throws {
        let theme = try ThemeResolver.theme(
            from: .init(file: "my.yaml", text: "name: x\nauthor: me\nroles:\n  state.asleep: red\n  state: blue\n"))
        #expect(
            theme.warnings.map(\.description) == [
                "my.yaml:2:1: warning: unknown key \"author\"",
                "my.yaml:4:3: warning: unknown role \"state.asleep\"",
            ])
        #expect(theme.warnings.allSatisfy { $0.severity == .warning })
    }
}
