import Dashboard
import Foundation
import Ports
import TestSupport
import Testing

/// `adtop config keys` in the real program: the names for the section `keys:` of the config file.
@Suite struct ConfigKeysTests {
    @Test func everyActionIsPrintedWithItsKeys() async throws {
        let run = try await AdtopProcess.run(["config", "keys"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let rows = run.output.split(separator: "\n")
        #expect(rows.map { String($0.prefix { $0 != " " }) } == Keymap.standard.rows.map(\.name))
        for (row, action) in zip(rows, Keymap.standard.rows) {
            #expect(row.contains("  \(action.keys.joined(separator: " "))"), "\(row)")
            #expect(row.hasSuffix("  # \(action.summary)"), "\(row)")
        }
    }

    /// Those of the config file, in text and as JSON.
    @Test func theConfigFileCounts() async throws {
        let folder = try TemporaryFolder()
        try folder.write("keys:\n  freeze: [F7, C-b]\n  mute: []\n", to: "config.yaml")
        let asked = ["config", "keys", "freeze", "next-failure", "mute", "--config", folder.file("config.yaml")]
        let text = try await AdtopProcess.run(asked)
        let expected = [
            "next-failure  !             # next failed event; next finding in the playlist view",
            "freeze        F7 C-b        # freeze the display; collecting and sending continue",
            "mute          -             # mute or unmute the virtual player and report it",
        ]
        #expect(text.status == 0 && text.output == expected.map { $0 + "\n" }.joined(), "\(text.output)\(text.errors)")
        let json = try await AdtopProcess.run(asked + ["--json"])
        let document = try json.json()
        #expect(document["schema"] == "adtop-keys/1")
        let rows = document["keys"]?.arrayValue ?? []
        #expect(rows.map { $0["action"]?.stringValue } == ["next-failure", "freeze", "mute"])
        let keys = rows.map { ($0["keys"]?.arrayValue ?? []).compactMap(\.stringValue) }
        #expect(keys == [["!"], ["F7", "C-b"], []])
    }

    @Test func anActionThatDoesNotExistIsNamed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("keys:\n  frez: [F7]\n", to: "config.yaml")
        let sentence = "keys: unknown action \"frez\"; similar: freeze\n"
        let asked = try await AdtopProcess.run(["config", "keys", "frez"])
        #expect(asked.status == 2 && asked.output.isEmpty && asked.errors == "adtop: \(sentence)")
        let path = folder.file("config.yaml")
        let given = try await AdtopProcess.run(["config", "keys", "--config", path])
        #expect(given.status == 2 && given.output.isEmpty && given.errors == "adtop: \(path):2:3: \(sentence)")
    }

    /// What a dashboard with the same file rejects, in its words; the place is that of the word that is wrong.
    @Test(arguments: [
        ("keys:\n  frez: [F7]\n", "2:3: keys: unknown action \"frez\"; similar: freeze"),
        (
            "keys:\n  mute: [M, Ctrl+M]\n",
            "2:13: keys: mute: unknown key \"Ctrl+M\"; write keys as j, G, C-d, Enter, Esc, Tab, F1, Space"
        ),
        ("keys:\n  sort: [x]\n  theme: [x]\n", "2:10: keys: \"x\" is given to both sort and theme"),
        ("keys:\n  quit: []\n", "2:3: keys: quit has no key left; it keeps its standard keys"),
        (
            "commands:\n  m: [date]\n",
            "2:3: commands: m is the key of mute; choose another, or change that under keys:"
        ),
    ])
    func theSettingsAreThoseThatADashboardTakes(yaml: String, sentence: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(yaml, to: "config.yaml")
        let path = folder.file("config.yaml")
        for asked in [["config"], ["config", "--json"]] {
            let run = try await AdtopProcess.run(asked + ["--config", path])
            #expect(run.status == 2 && run.output.isEmpty, "\(asked): \(run.output)")
            #expect(run.errors == "adtop: \(path):\(sentence)\n", "\(asked)")
        }
        // The dashboard draws this recording, unless its settings are wrong.
        let recording = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden/recording/rush.adtop").path
        let drawn = try await AdtopProcess.run(["replay", recording, "--dump", "--config", path])
        #expect(drawn.status == 2 && drawn.output.isEmpty)
        #expect(drawn.errors == "adtop: \(path):\(sentence)\n")
    }
}
