import Testing

@testable import adtop

/// What `adtop --version` shows.
struct BuildReportTests {
    @Test func theFirstLineIsTheVersion() {
        let lines = BuildReport.ofProgram.text.split(separator: "\n")
        #expect(lines.first == "adtop \(Version.current)")
        #expect(lines.dropFirst().map { $0.prefix { $0 != ":" } } == ["build", "platform", "libraries"])
        #expect(lines.allSatisfy { $0.utf8.count <= 160 })
    }

    @Test func everyLibraryHasItsVersion() throws {
        let libraries = BuildReport.ofProgram.libraries
        #expect(libraries.map(\.name).starts(with: ["ncurses", "SQLite", "libxml2", "zlib"]))
        let version = /\d+(\.\d+)+/
        for library in libraries {
            #expect(try version.wholeMatch(in: library.built) != nil, "\(library)")
            #expect(try version.wholeMatch(in: library.used) != nil, "\(library)")
        }
        #expect(BuildReport.ofProgram.text.contains("BoringSSL"))
    }

    /// The compiler is that of this test.
    @Test func theCompilerIsNamed() throws {
        let match = try #require(BuildReport.ofProgram.text.firstMatch(of: /Swift (\d+\.\d+)/))
        #if compiler(>=6.4)
            #expect(match.output.1 != "6.3" && match.output.1 != "6.2")
        #elseif compiler(>=6.3)
            #expect(match.output.1 == "6.3")
        #else
            #expect(match.output.1 == "6.2")
        #endif
    }

    @Test func anotherVersionInUseIsShown() {
        let library = BuildReport.Library(name: "SQLite", built: "3.40.1", used: "3.45.0")
        let report = BuildReport(libraries: [library], hasStaticRuntime: true)
        #expect(report.text.contains("libraries: SQLite 3.40.1 (in use: 3.45.0), BoringSSL"))
        #expect(report.text.contains(", static Swift runtime\n"))
        #expect(!BuildReport(libraries: [], hasStaticRuntime: false).text.contains("static"))
    }

    @Test(arguments: [
        ("20914", "2.9.14"), ("21203-GITv2.12.3", "2.12.3"), ("ncurses 6.4.20221231", "6.4.20221231"),
        ("3.40.1", "3.40.1"), ("21409", "2.14.9"), ("", ""),
    ])
    func versionsAreWrittenAsPeopleWriteThem(text: String, version: String) {
        #expect(BuildReport.version(text) == version)
    }
}
