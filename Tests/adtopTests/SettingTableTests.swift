import ArgumentParser
import Foundation
import Ports
import Testing

@testable import adtop

@Suite struct SettingTableTests {
    @Test func everySettingIsInOneSection() {
        let described = SettingSection.all.flatMap { $0.settings.map(\.setting) }
        #expect(Set(described) == Set(Setting.allCases))
        #expect(described.count == Setting.allCases.count)
    }

    /// A default is written twice: as the text that users read and as the value of the property.
    @Test(arguments: Setting.allCases.filter { $0.defaultText != nil })
    func defaultsOfTheTableAreThoseOfTheProperties(setting: Setting) throws {
        var settings = Settings()
        try setting.spec.apply(&settings, #require(setting.defaultText))
        #expect(settings == Settings())
    }

    /// A flag with the name of a setting gives it.
    /// `adtop config` masks what looks like a user and a password.
    @Test(arguments: Setting.allCases) func noExplanationLooksLikeASecret(setting: Setting) {
        #expect(Redaction.credentials(in: setting.explanation) == setting.explanation)
    }

    /// A range in an explanation is the one that is read.
    @Test(arguments: [
        (Setting.timeout, "100ms", "1h", ["99ms", "3601s"]),
        (Setting.maximumRate, "0.01/s", "100000/s", ["0.009/s", "100001/s"]),
    ])
    func theRangeOfATextIsTheOneThatIsRead(
        setting: Setting, lowest: String, highest: String, beyond: [String]
    ) throws {
        #expect(setting.explanation.contains(", \(lowest) to \(highest);"), "\(setting.explanation)")
        var settings = Settings()
        for text in [lowest, highest] { try setting.spec.apply(&settings, text) }
        for text in beyond {
            #expect(throws: SettingProblem.self, "\(text)") { try setting.spec.apply(&settings, text) }
        }
    }

    @Test func flagsGiveTheirSettings() throws {
        let groups: [(help: String, settings: ([String]) throws -> [Setting: String])] = [
            (SessionOptions.helpMessage(columns: 200), { try SessionOptions.parse($0).settings }),
            (SessionCacheOptions.helpMessage(columns: 200), { try SessionCacheOptions.parse($0).settings }),
            (ScreenOptions.helpMessage(columns: 200), { try ScreenOptions.parse($0).settings }),
        ]
        var given: Set<Setting> = []
        for setting in Setting.allCases {
            for group in groups {
                // Some settings have no flag.
                guard let flag = Self.flag(of: setting, in: group.help) else { continue }
                given.insert(setting)
                #expect(try group.settings(flag)[setting] != nil, "\(flag)")
            }
        }
        #expect(given.count > 35)
    }

    /// The arguments that give a setting: a flag with a value, a flag, or its negative.
    private static func flag(of setting: Setting, in help: String) -> [String]? {
        let name = setting.rawValue
        if help.contains("  --\(name) <") { return ["--\(name)", setting.defaultText ?? "1"] }
        if help.contains("  --\(name) ") { return ["--\(name)"] }
        return help.contains("  --no-\(name) ") ? ["--no-\(name)"] : nil
    }

    /// docs/settings.md ends with the table. ADTOP_RECORD_GOLDENS=1 writes it.
    @Test func thePageHasTheTable() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/settings.md")
            .standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        let heading = try #require(page.range(of: "## All settings\n"))
        let wanted = page[..<heading.upperBound] + SettingSection.all.map(markdown).joined()
        if ProcessInfo.processInfo.environment["ADTOP_RECORD_GOLDENS"] == "1" {
            try Data(wanted.utf8).write(to: file)
        }
        #expect(page == wanted, "run this test with ADTOP_RECORD_GOLDENS=1 and read the change")
    }

    private func markdown(_ section: SettingSection) -> String {
        let rows = section.settings.map { spec in
            let value = spec.defaultText.map { "`\($0)`" } ?? ""
            return "| `\(spec.setting.rawValue)` | \(value) | \(spec.explanation) |\n"
        }
        return "\n### \(section.title)\n\n| setting | default | meaning |\n|---|---|---|\n" + rows.joined()
    }
}
