import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// `adtop hls parse` and `adtop hls timeline` on what no reader should trust: one line, one exit code, no crash.
@Suite struct PlaylistVerbTests {
    /// Runs `adtop hls parse` on a file with those bytes.
    private static func parse(_ bytes: some Sequence<UInt8>, _ more: [String] = []) async throws -> AdtopProcess {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("playlist.m3u8")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try await AdtopProcess.run(["hls", "parse", path] + more)
    }

    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    @Test func fiftyMegabytesAreRefusedByTheLimit() async throws {
        let line = Array("#EXTINF:6,\nsegment.ts\n".utf8)
        var bytes = Array(Self.head.utf8)
        while bytes.count < 50_000_000 { bytes += line }
        let result = try await Self.parse(bytes)
        #expect(result.status == 4)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasSuffix(".m3u8: longer than \(Limits.playlistBytes) bytes\n"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func aTimelineNeedsAFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("#EXTM3U\n", to: "a.m3u8")
        func errors(_ place: String) async throws -> String {
            let run = try await AdtopProcess.run(["hls", "timeline", place])
            #expect(run.status == 4)
            return run.errors
        }
        let file = folder.file("a.m3u8")
        #expect(try await errors(file) == "adtop: \(file): is a file; give its folder, or see adtop hls parse\n")
        let missing = folder.file("none")
        #expect(try await errors(missing) == "adtop: \(missing): no such folder; check the name\n")
        #expect(try await errors(folder.path) == "adtop: \(folder.path): no meta.json in this folder\n")
    }

    @Test func anEndlessLineIsSkippedAndSaid() async throws {
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 5_000_000)
        let result = try await Self.parse(Array((Self.head + "#EXTINF:6,\n").utf8) + line)
        #expect(result.status == 1)
        #expect(result.output.contains(":4: error limit-reached: a line of 5000000 bytes is not read"))
        #expect(result.output.hasPrefix("media playlist, live, 0 segments"))
    }

    @Test func zeroBytesAreControlCharacters() async throws {
        let result = try await Self.parse(Array((Self.head + "#EXTINF:6,\nseg\0ment.ts\n#EXT-X-ENDLIST\n").utf8))
        #expect(result.status == 0)
        #expect(result.output.contains(":4: warning control-characters: "))
        #expect(!result.output.utf8.contains(0), "nothing of it reaches the terminal")
        let nothingElse = try await Self.parse([UInt8](repeating: 0, count: 4_096))
        #expect(nothingElse.status == 1)
        #expect(nothingElse.output.contains("rejected: no-extm3u"))
    }

    @Test func linesThatEndWithCarriageReturnAloneAreRead() async throws {
        let text = Self.head + "#EXTINF:6,\nsegment.ts\n#EXT-X-ENDLIST\n"
        let result = try await Self.parse(text.utf8.map { $0 == 0x0A ? 0x0D : $0 })
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("media playlist, finished, 1 segment,"))
        #expect(result.output.contains("warning bare-carriage-return"))
    }

    @Test func theContentTypeOfAURLIsJudged() async throws {
        let playlist = Self.head + "#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
        let server = try await ScriptedServer { _ in
            [.answer("200 OK", ["Content-Type: text/plain"], body: playlist)]
        }
        let parsed = try await AdtopProcess.run(["hls", "parse", server.url("/pl")])
        #expect(parsed.status == 1 && parsed.output.contains("error playlist-content-type: "))
        let followed = try await AdtopProcess.run(["hls", "timeline", server.url("/pl"), "--reloads", "1"])
        #expect(followed.status == 0 && followed.errors.contains("error playlist-content-type: "))
    }

    @Test func relativeURIsFromStandardInputStayRelative() async throws {
        let playlist = Self.head + "#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
        let parsed = try await AdtopProcess.run(["hls", "parse", "-", "--json"], input: playlist)
        #expect(parsed.output.contains("\"a.ts\"") && !parsed.output.contains("/dev/"))
    }

    @Test func whatIsNoFolderOrPlaylistIsSaid() async throws {
        let folder = try await AdtopProcess.run(["hls", "timeline", "/nowhere"])
        #expect(folder.status == 4 && folder.errors == "adtop: /nowhere: no such folder; check the name\n")
        let refused = try await AdtopProcess.run(["hls", "timeline", "http://127.0.0.1:1/live.m3u8"])
        #expect(refused.status == 3 && refused.errors.contains("connection refused"))
        let number = try await AdtopProcess.run(["hls", "timeline", "http://127.0.0.1:1/live.m3u8", "--reloads", "0"])
        #expect(number.status == 2)
    }

    /// One vector of each kind: refused, refused with variables, read with variables, and both types of playlist with faults.
    /// What the reader makes of all the others the conformance tests compare, without a process for each.
    @Test(
        .enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)),
        arguments: [
            "no-extm3u", "define-import-missing", "define-import", "daterange-errors", "multivariant-req-and-errors",
        ])
    func aVectorEndsWithItsRules(_ name: String) async throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("hls/playlists")
        let golden = try JSONReader.read(
            Array(Data(contentsOf: folder.appendingPathComponent(name + ".expected.json"))))
        var arguments = ["hls", "parse", folder.appendingPathComponent(name + ".m3u8").path]
        arguments += ["--base", try #require(golden["playlist_uri"]?.stringValue)]
        for member in golden["variables"]?.objectValue?.members ?? [] {
            arguments += ["--var", "\(member.name)=\(member.value.stringValue ?? "")"]
        }
        let result = try await AdtopProcess.run(arguments)
        #expect(result.errors.isEmpty)
        for rule in (golden["issues"]?.arrayValue ?? []).compactMap(\.stringValue) {
            #expect(result.output.contains(" \(rule): "), "\(rule) is not in the report")
        }
        guard let fatal = golden["fatal"]?.arrayValue?.first?.stringValue ?? golden["fatal"]?.stringValue else {
            return
        }
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("rejected: \(fatal)\n"))
    }
}
