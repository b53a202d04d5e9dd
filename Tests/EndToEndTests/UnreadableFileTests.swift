import Foundation
import ScriptedServers
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files that are there and cannot be read: one sentence, exit code 2, and no request.
@Suite struct UnreadableFileTests {
    /// A flag with a file, `@` for its place; `first` is what the flag needs besides.
    struct Row: Sendable, CustomTestStringConvertible {
        var flag: String
        var first: [String] = []
        var testDescription: String { flag }
    }

    static let rows = [
        Row(flag: "--cacert"), Row(flag: "--cert"), Row(flag: "--key", first: ["--cert", "@client.pem"]),
        Row(flag: "--cookie-jar"), Row(flag: "SSL_CERT_FILE"), Row(flag: "--config"),
    ]

    private static func expectNoRequest(
        _ row: Row, at path: String, in folder: CertificateFolder, through command: [String] = []
    ) async throws {
        let server = try await ScriptedServer { _ in [.answer(body: SecretVerbTests.playlist)] }
        let first = row.first.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 }
        let isFlag = row.flag.hasPrefix("-")
        let given = first + (isFlag ? [row.flag, path] : [])
        let watch = [server.url("/live.m3u8"), "--dump", "--for", "1s", "--no-journal"] + given
        // A tool has no --config.
        let tool = row.flag == "--config" ? [] : [["hls", "parse", server.url("/live.m3u8")] + given]
        for arguments in [watch] + tool {
            let run = try await AdtopChild(
                arguments, through: command, environment: isFlag ? [:] : [row.flag: path]
            ).end()
            #expect(run.status == 2, "\(arguments): \(run.output) \(run.errors)")
            #expect(run.errors.hasPrefix("adtop: ") && run.errors.contains(path), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty, "\(run.errors)")
        }
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    /// For every user, root too.
    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"), arguments: rows)
    func aFolderInPlaceOfAFile(_ row: Row) async throws {
        let folder = try CertificateFolder()
        try await Self.expectNoRequest(row, at: folder.file("empty"), in: folder)
    }

    @Test(
        .enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"),
        .enabled(if: PlainRights.command != nil, "root may read every file"), arguments: rows)
    func aFileWithoutPermission(_ row: Row) async throws {
        let command = try #require(PlainRights.command)
        let folder = try CertificateFolder()
        let path = folder.file("client.pem") + ".closed"
        try FileManager.default.copyItem(atPath: folder.file("client.pem"), toPath: path)
        chmod(path, 0)
        try await Self.expectNoRequest(row, at: path, in: folder, through: command)
    }

    /// A key that belongs to another certificate, and one that is locked with another word.
    @Test(
        .enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"),
        arguments: [("server.key", ""), ("locked.key", ""), ("locked.key", "another word"), ("ca.pem", "")])
    func aKeyThatDoesNotFitEndsBeforeAnyRequest(key: String, word: String) async throws {
        let folder = try CertificateFolder()
        let server = try await ScriptedServer { _ in [.answer(body: SecretVerbTests.playlist)] }
        let given =
            ["--cert", folder.file("client.pem"), "--key", folder.file(key)]
            + (word.isEmpty ? [] : ["--key-passphrase-env", "WORD"])
        let verbs = [
            ["hls", "parse", server.url("/a")], [server.url("/a"), "--dump", "--for", "1s", "--no-journal"],
            ["doctor", server.url("/a")], ["config"],
        ]
        for verb in verbs {
            let run = try await AdtopChild(verb + given, environment: ["WORD": word]).end()
            #expect(run.status == 2, "\(verb): \(run.output) \(run.errors)")
            #expect(run.errors.hasPrefix("adtop: --") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(run.errors.contains(folder.file(key)) && !run.errors.contains("another word"), "\(run.errors)")
        }
        #expect(server.requests.isEmpty)
        try await server.stop()
    }
}
