import Dashboard
import Screen
import Testing

@testable import adtop

@Suite struct ConfigFileTests {
    @Test func readsSettingsAndKeysWithTheirPlaces() throws {
        let file = try ConfigFile(
            yaml: "theme: midnight\nallow-host: [a.example, b.example]\nkeys:\n  quit: [Q, C-c]\n  mute: M\n",
            path: "c.yaml")
        #expect(
            file.settings[.theme] == .init(text: "midnight", position: FilePosition(path: "c.yaml", line: 1, column: 8))
        )
        #expect(file.settings[.allowHost]?.text == "a.example,b.example")
        #expect(file.keys["quit"]?.keys.map(\.text) == ["Q", "C-c"])
        #expect(file.keys["mute"]?.keys.first?.position == FilePosition(path: "c.yaml", line: 5, column: 9))
        #expect(file.warnings.isEmpty)
    }

    @Test func anEmptyFileIsFine() throws {
        #expect(try ConfigFile(yaml: "", path: "c.yaml").settings.isEmpty)
        #expect(try ConfigFile(yaml: "# nothing yet\n", path: "c.yaml").settings.isEmpty)
    }

    @Test func unknownSettingsWarnAndTheOthersCount() throws {
        let file = try ConfigFile(yaml: "thme: paper\npoll: 5s\nbanana: 1", path: "c.yaml")
        #expect(
            file.warnings == [
                "c.yaml:1:1: unknown setting 'thme' ignored (similar: theme; see adtop config)",
                "c.yaml:3:1: unknown setting 'banana' ignored (see adtop config)",
            ])
        #expect(file.settings[.poll]?.text == "5s")
    }

    @Test func aKeyThatAnActionLosesWarnsWithItsPlace() throws {
        let file = try ConfigFile(yaml: "keys:\n  mute: M\n  quit: [Q, j]\n", path: "c.yaml")
        #expect(
            file.warnings == [
                "c.yaml:3:13: keys: \"j\" was a key of down and is one of quit now; add down: [Down] if that is intended"
            ])
    }

    /// The example of docs/settings.md.
    @Test func aKeyIsMovedWithoutAWarningWhereBothActionsAreNamed() throws {
        let file = try ConfigFile(yaml: "keys:\n  quit: [q, C-c]\n  back: [Esc]\n  mute: [M]\n", path: "c.yaml")
        #expect(file.warnings.isEmpty)
    }

    @Test(arguments: [
        ("- a\n- b", "c.yaml:1:1: expected settings such as 'theme: midnight', one on each line"),
        ("theme: [a]", "c.yaml:1:8: theme: expected one value"),
        ("keys: 3", "c.yaml:1:7: keys: expected actions with keys such as 'quit: [Q, C-c]'"),
        ("keys:\n  quit:\n    - {a: b}", "c.yaml:3:7: expected a key name such as C-d"),
        ("allow-host: [[a]]", "c.yaml:1:14: expected a host name"),
    ])
    func saysWhereAndWhat(yaml: String, message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try ConfigFile(yaml: yaml, path: "c.yaml") }
    }

    @Test(arguments: ["theme: 'x", "a: b: c", "\t- x", "{", "theme: a\ntheme: b"])
    func brokenYAMLNamesFileAndLine(yaml: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try ConfigFile(yaml: yaml, path: "c.yaml") }
        #expect(failure.status == .usage)
        #expect(failure.message.wholeMatch(of: /c\.yaml:[0-9]+:[0-9]+: .+/) != nil, "\(failure.message)")
        #expect(!failure.message.contains("\n"))
    }

    /// The sentence about broken YAML is the parser's; the place is in the file, and nothing of a type is in it.
    @Test(arguments: [
        ("theme: 'x", "1:10: not valid YAML: found unexpected end of stream"),
        ("a: b: c", "1:5: not valid YAML: mapping values are not allowed in this context"),
        ("\t- x", "1:1: not valid YAML: found character that cannot start any token"),
        ("theme: [a, b", "2:1: not valid YAML: did not find expected ',' or ']'"),
        ("keys: {a: b", "2:1: not valid YAML: did not find expected ',' or '}'"),
        ("theme: \"\\q\"", "1:9: not valid YAML: found unknown escape character"),
        ("theme: &a *b", "1:11: not valid YAML: did not find expected key"),
        ("%YAML 9.9\n---\na: b", "1:1: not valid YAML: found incompatible YAML document"),
        ("theme: a\n  b: c", "2:4: not valid YAML: mapping values are not allowed in this context"),
        ("- a\nb: c", "2:1: not valid YAML: did not find expected '-' indicator"),
        ("theme: !<a", "1:11: not valid YAML: did not find the expected '>'"),
        ("theme: |x\n y", "1:9: not valid YAML: did not find expected comment or line break"),
        ("theme: a\ntheme: b", "1:1: repeated key: theme"),
        ("theme: \u{1}", "1:1: not valid YAML; check that it is UTF-8 text"),
    ])
    func theWordsAboutBrokenYAML(yaml: String, message: String) {
        #expect(throws: CommandFailure(.usage, "c.yaml:\(message)")) { try ConfigFile(yaml: yaml, path: "c.yaml") }
    }

    // MARK: Commands

    @Test func readsCommands() throws {
        let file = try ConfigFile(
            yaml: """
                commands:
                  F5: [notify-send, "{host}"]
                  F6:
                    run: ['curl "$1" | jq .', "{url}"]
                    shell: yes
                    ask: no
                    summary: show the answer
                  F7: date
                """, path: "c.yaml")
        let commands = try DashboardSetup.commands(file.commands, .standard)
        #expect(
            commands == [
                UserCommand(key: KeyPress(.f(5)), words: ["notify-send", "{host}"]),
                UserCommand(
                    key: KeyPress(.f(6)), words: ["curl \"$1\" | jq .", "{url}"], usesShell: true, asks: false,
                    summary: "show the answer"),
                UserCommand(key: KeyPress(.f(7)), words: ["date"]),
            ])
    }

    @Test(arguments: [
        ("commands: [a]", "c.yaml:1:11: commands: expected keys with programs such as"),
        ("commands:\n  F5: []", "c.yaml:2:7: commands: expected a program"),
        ("commands:\n  F5: {shell: yes}", "c.yaml:2:7: commands: F5 has no run: [program]"),
        ("commands:\n  F5: {run: a, shell: perhaps}", "c.yaml:2:23: commands: expected yes or no"),
        (
            "commands:\n  F5: {run: a, sudo: yes}",
            "c.yaml:2:16: commands: 'sudo' is not one of run, shell, ask, summary"
        ),
        ("commands:\n  Foo: a", "c.yaml:2:3: commands: unknown key \"Foo\""),
        ("commands:\n  m: a", "c.yaml:2:3: commands: m is the key of mute; choose another"),
        ("commands:\n  F5: {run: \"open {url}\", shell: yes}", "c.yaml:2:13: commands: {url} inside a script"),
    ])
    func badCommandsNameTheirPlace(yaml: String, message: String) {
        #expect {
            let file = try ConfigFile(yaml: yaml, path: "c.yaml")
            _ = try DashboardSetup.commands(file.commands, .standard)
        } throws: { error in
            (error as? CommandFailure)?.message.hasPrefix(message) == true
        }
    }
}
