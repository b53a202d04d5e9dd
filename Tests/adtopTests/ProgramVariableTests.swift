import Foundation
import Testing

@testable import adtop

/// Variables of the environment that begin as the program's do.
@Suite struct ProgramVariableTests {
    private static func warnings(_ names: String...) -> [String] {
        ProgramVariable.warnings(of: Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }))
    }

    @Test func aMistypedVariableWarnsWithTheNearestName() {
        #expect(
            Self.warnings("ADTOP_THME", "ADTOP_BANANA", "ADTOP_CONFG") == [
                "environment: unknown setting 'ADTOP_BANANA' ignored (see adtop config)",
                "environment: unknown setting 'ADTOP_CONFG' ignored (similar: ADTOP_CONFIG; see adtop config)",
                "environment: unknown setting 'ADTOP_THME' ignored (similar: ADTOP_THEME; see adtop config)",
            ])
    }

    @Test func whatIsKnownDoesNotWarn() {
        for name in Setting.allCases.map(\.environmentName) + ProgramVariable.allCases.map(\.rawValue) {
            #expect(Self.warnings(name).isEmpty, "\(name)")
        }
        #expect(Self.warnings("PATH", "ADTOPIA", "adtop_theme", "MY_ADTOP_THME").isEmpty)
    }

    /// What a document, a script or the Makefile names may be exported: none of it is a mistyped setting.
    @Test func noVariableOfADocumentOrScriptWarns() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let folders = try ["docs", "scripts"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: [.isRegularFileKey])
        }
        let files = ["README.md", "CONTRIBUTING.md", "Makefile"].map { root.appending(path: $0) } + folders
        var names: Set<String> = []
        for file in files where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            names.formUnion(text.matches(of: /ADTOP_[A-Z_]*[A-Z]/).map { String($0.output) })
        }
        #expect(names.isSuperset(of: ["ADTOP_CONFORMANCE", "ADTOP_KILLS", "ADTOP_STORE", "ADTOP_CACHE_TTL"]))
        // ADTOP_NAME stands for any setting.
        for name in names.subtracting(["ADTOP_NAME"]) { #expect(Self.warnings(name).isEmpty, "\(name)") }
    }

    @Test func theWarningComesWithThoseOfTheFile() throws {
        var warned: [String] = []
        let settings = try SettingsLoader(environment: ["HOME": "/dev/null", "ADTOP_THME": "paper", "ADTOP_POLL": "5s"])
            .load(flags: [:]) { warned.append($0) }
        #expect(
            warned == ["environment: unknown setting 'ADTOP_THME' ignored (similar: ADTOP_THEME; see adtop config)"])
        #expect(settings.session.poll == .seconds(5))
    }
}
