import Foundation
import Testing

@testable import DemoOrigin

/// The texts of every scenario at fixed moments, to be read by people when they change.
///
/// A missing file is written and the test fails once, so that a new golden is looked at before it is kept.
@Suite struct GoldenTests {
    /// Tests/Golden/DemoOrigin.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/DemoOrigin", directoryHint: .isDirectory)

    private static let session = SessionId.make(seed: 1, index: 0)

    /// The scenario with windows short enough to be read, about one break (all four of the odd ones), and with one
    /// user event in place of eight.
    private func responder(_ name: String) throws -> OriginResponder {
        var scenario = try #require(try BuiltinScenarios.load(name)).scenario
        scenario.stream.windowMs = 32_000
        scenario.metadata.windowMs = name == "odd-metadata" ? 160_000 : 32_000
        for ad in scenario.ads.keys {
            scenario.ads[ad]?.events.removeAll { AdEvent.userNames.dropFirst().contains($0.name) }
        }
        return OriginResponder(scenario: scenario, seed: 1, startMs: tenOClockMs, authority: "h")
    }

    @Test(arguments: ["rush", "steady"]) func playlists(name: String) throws {
        let responder = try responder(name)
        var state = OriginState()
        var text = ""
        for target in ["index.m3u8", "01.m3u8", "02.m3u8"] {
            let request = OriginRequest(target: "\(OriginPath.streamDirectory)\(target)?sessid=\(Self.session)")
            let answer = responder.respond(to: request, at: tenOClockMs + 24_000, state: &state)
            text += "== \(request.target)\n\(answer.text)\n"
        }
        try compare(text, with: Self.folder.appending(path: "\(name)-playlists.txt"))
    }

    @Test(arguments: BuiltinScenarios.names) func metadata(name: String) throws {
        let stream = try responder(name).stream
        let metadata = MetadataText(stream: stream, session: Self.session, origin: "http://h")
        // Escaped, since hostile text would attack the reader's terminal, too.
        let document = metadata.document(at: tenOClockMs + 32_000).readable()
        let text = document.unicodeScalars.map { $0.isASCII ? String($0) : $0.escaped(asASCII: true) }.joined() + "\n"
        try compare(text, with: Self.folder.appending(path: "\(name)-metadata.txt"))
    }

    private func compare(_ text: String, with file: URL) throws {
        guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("\(file.lastPathComponent) was missing and has been written; read it, then run again")
            return
        }
        let (lines, expected) = (text.split(separator: "\n"), golden.split(separator: "\n"))
        let difference = zip(lines, expected).enumerated().first { $1.0 != $1.1 }
        #expect(text == golden, "\(file.lastPathComponent): first difference at \(String(describing: difference))")
    }
}
