import ArgumentParser
import Foundation
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
    @Test func flagsGiveTheirSettings() {
        var given: Set<Setting> = []
        for setting in Setting.allCases {
            let name = setting.rawValue
            for arguments in [["--\(name)", setting.defaultText ?? "1"], ["--\(name)"], ["--no-\(name)"]] {
                // A flag has one of these forms, and some settings have none.
                let settings =
                    (try? SessionOptions.parse(arguments).settings) ?? (try? ScreenOptions.parse(arguments).settings)
                guard let settings else { continue }
                given.insert(setting)
                #expect(settings[setting] != nil, "\(arguments)")
            }
        }
        #expect(given.count > 35)
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
