import Foundation
import TestSupport
import Testing

/// What `make install` and `make uninstall` do with a built program.
@Suite struct InstallTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private static func run(_ program: String, _ arguments: [String]) async throws -> AdtopProcess {
        let child = try ChildProcess(
            program, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "STRIP": "true"])
        return AdtopProcess(try await child.end())
    }

    private static func files(below folder: String) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    @Test func programPageAndCompletionsComeAndGo() async throws {
        let folder = try TemporaryFolder()
        let place = folder.file("a prefix")
        try folder.write("", to: "a prefix/share/man/man1/other.1")
        let install = try await Self.run("\(Self.root)/scripts/install-tree", [BuiltProduct.path("adtop"), place])
        #expect(install.status == 0, "\(install.errors)")
        #expect(
            try Self.files(below: place) == [
                "bin/adtop", "share/man/man1/adtop.1", "share/man/man1/other.1",
                "share/bash-completion/completions/adtop", "share/zsh/site-functions/_adtop",
                "share/fish/vendor_completions.d/adtop.fish",
            ])
        let version = try await Self.run("\(place)/bin/adtop", ["--version"])
        #expect(version.status == 0 && version.output.hasPrefix("adtop "), "\(version.errors)")
        let page = try String(contentsOfFile: "\(place)/share/man/man1/adtop.1", encoding: .utf8)
        #expect(page.hasPrefix(".TH ADTOP 1 "))
        for shell in [
            "bash-completion/completions/adtop", "zsh/site-functions/_adtop", "fish/vendor_completions.d/adtop.fish",
        ] {
            let script = try String(contentsOfFile: "\(place)/share/\(shell)", encoding: .utf8)
            #expect(script.contains("simulate") && script.contains("__adtop_files"), "\(shell)")
        }
        let remove = try await Self.run(
            "/usr/bin/make", ["-C", Self.root, "uninstall", "DESTDIR=\(folder.path)", "PREFIX=/a prefix"])
        #expect(remove.status == 0, "\(remove.errors)")
        #expect(try Self.files(below: place) == ["share/man/man1/other.1"])
    }

    /// As `man adtop` finds it: by name, in a folder of manual pages.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"),
            "man is not installed (Debian: apt-get install man-db)"))
    func manShowsThePage() async throws {
        let folder = try TemporaryFolder()
        let page = try await AdtopProcess.run(["--generate-manual"])
        #expect(page.status == 0 && page.errors.isEmpty)
        try folder.write(page.output, to: "man/man1/adtop.1")
        let shown = try await Self.run(
            "/usr/bin/man", ["-M", folder.file("man"), "-P", "cat", "--warnings=w", "1", "adtop"])
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
        // Overstruck characters are bold.
        let text = shown.output.replacing(/.\u{8}/, with: "")
        for words in [
            "ADTOP(1)", "htop for ad breaks", "adtop hls parse", "--fire-anyway", "adtop demo   ",
            "$XDG_STATE_HOME/adtop/journal.sqlite",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test(arguments: [["--generate-manual", "x"], ["--generate-manual=x"], ["watch", "--generate-manual"]])
    func otherArgumentsAreNoRequestForThePage(_ arguments: [String]) async throws {
        let run = try await AdtopProcess.run(arguments)
        #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
    }
}
