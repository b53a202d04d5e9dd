import Foundation
import Testing

@testable import DemoOrigin

/// The texts of every scenario at fixed times; a change is read before it is committed.
///
/// A missing file is written and the test fails once, so that a new golden is read before it is committed.
@Suite struct GoldenTests {
    /// Tests/Golden/DemoOrigin.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/DemoOrigin", directoryHint: .isDirectory)

    private static let session = SessionId.make(seed: 1, index: 0)

    /// The scenario with short windows of about one break (four breaks for odd metadata) and with one viewer event
    /// instead of eight, so that the file is readable.
    private func responder(_ name: String) throws -> OriginResponder {
        var scenario = try #require(try BuiltinScenarios.load(name)).scenario
        scenario.stream.windowMs = 32_000
        scenario.metadata.windowMs = name == "odd-metadata" ? 160_000 : 32_000
        for ad in scenario.ads.keys {
            scenario.ads[ad]?.events.removeAll { AdEvent.userNames.dropFirst().contains($0.name) }
        }
        return OriginResponder(scenario: scenario, seed: 1, startMs: tenOClockMs, authority: "h")
    }

    /// The answers to `/variant/v1/hls/<target>?sessid=…` for each target, at ten o'clock plus `atMs` milliseconds.
    private func answers(_ name: String, _ targets: [String], atMs: Int = 24_000) throws -> String {
        let responder = try responder(name)
        var state = OriginState()
        return targets.map { target in
            let separator = target.contains("?") ? "&" : "?"
            let request = OriginRequest(
                target:
                    "\(target.hasPrefix("/") ? "" : OriginPath.streamDirectory)\(target)\(separator)sessid=\(Self.session)"
            )
            let answer = responder.respond(to: request, at: tenOClockMs + atMs, state: &state)
            return "== \(request.target)\n\(answer.text)\n"
        }.joined()
    }

    /// The files of the built-in scenarios; several are put together from shared lines.
    @Test func scenarios() throws {
        let texts = BuiltinScenarios.names.map { "== \($0)\n\(BuiltinScenarios.text($0) ?? "")\n" }
        try compare(texts.joined(), with: Self.folder.appending(path: "scenarios.txt"))
    }

    @Test(arguments: [
        "rush", "steady", "low-latency", "interstitials", "client-side", "vod", "dateranges-scte35", "pdt-jumps",
        "rotating-tokens", "cut-pods",
    ]) func playlists(name: String) throws {
        let text = try answers(name, ["index.m3u8", "01.m3u8", "02.m3u8"])
        try compare(text, with: Self.folder.appending(path: "\(name)-playlists.txt"))
    }

    /// Every dialect, at the time when the first content after its break is listed.
    @Test func cueDialects() throws {
        let breaks = try #require(try BuiltinScenarios.load("plain-cues")?.scenario.breaks)
        let text = try breaks.pods.indices.map { index in
            try answers("plain-cues", ["01.m3u8"], atMs: breaks.firstMs + breaks.everyMs * index + 24_000)
        }.joined()
        try compare(text, with: Self.folder.appending(path: "plain-cues-playlists.txt"))
    }

    @Test func deltaUpdate() throws {
        let text = try answers("low-latency", ["01.m3u8?_HLS_skip=YES"], atMs: 27_300)
        try compare(text, with: Self.folder.appending(path: "low-latency-delta.txt"))
    }

    @Test func assetLists() throws {
        let stream = try responder("interstitials").stream
        let ids = ["pre"] + stream.breaks(from: tenOClockMs, through: tenOClockMs + 239_999).map(\.id)
        let text = try answers(
            "interstitials", ids.map { "assets/\($0).json?_HLS_interstitial_id=ad-\($0)" } + ["assets/sneakers.m3u8"],
            atMs: 240_000
        ).replacing(",\"", with: ",\n\"")
        try compare(text, with: Self.folder.appending(path: "interstitials-lists.txt"))
    }

    @Test func decisions() throws {
        let ids = try responder("client-side").stream.breaks(from: tenOClockMs, through: tenOClockMs + 119_999).map(
            \.id)
        let text = try answers(
            "client-side",
            ids.map { "/ads/vast?id=\($0)" } + [
                "/ads/vast?ads=espresso&depth=1&level=1", "/ads/vast?ads=espresso&extras=1&macros=1",
                "/ads/vast?answer=no-ad", "/ads/vast?answer=hostile", "/ads/vast?answer=wrapper-loop",
                "/ads/vmap?repeat=00:00:30", "/ads/vmap?breaks=start,50%25&inline=1",
            ], atMs: 120_000)
        try compare(text, with: Self.folder.appending(path: "client-side-decisions.txt"))
    }

    /// `sprint` differs from `rush` in its times only, `slow-trackers` and `stale-playlist` from others in their name only.
    @Test(
        arguments: BuiltinScenarios.withMetadata.filter { !["sprint", "slow-trackers", "stale-playlist"].contains($0) })
    func metadata(name: String) throws {
        let stream = try responder(name).stream
        let metadata = MetadataText(stream: stream, session: Self.session, origin: "http://h")
        // Escaped, because hostile text would also attack the terminal of the reader.
        let document = metadata.document(at: tenOClockMs + 32_000, poll: 1).readable()
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
