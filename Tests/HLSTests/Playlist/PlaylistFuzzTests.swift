import Foundation
import HLS
import Ports
import TestSupport
import Testing

/// Mutated playlists never trap, and the result meets the guarantees of the model.
struct PlaylistFuzzTests {
    private static let mutations = 20_000

    private static let seeds: [[UInt8]] = {
        let inline = PlaylistRuleTests.cases.map { Array($0.text.utf8) }
        guard let folder = ConformanceFolder.url?.appendingPathComponent("hls/playlists"),
            let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return inline }
        return inline
            + files.filter { $0.hasSuffix(".m3u8") }.sorted().compactMap { name in
                (try? Data(contentsOf: folder.appendingPathComponent(name))).map(Array.init)
            }
    }()

    private static let fragments = [
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=99999999999\n", "#EXTINF:1e9,\n", "\n", "\r", ",", "\"", "=", "{$a}", "-", "@",
        "#EXT-X-CUE-OUT-CONT:99999999/1\n", "#EXT-X-CUE-IN\n", "#EXT-X-DATERANGE:ID=\"a\",", "999999999999999999",
        "#EXT-X-PROGRAM-DATE-TIME:0000-01-01T00:00:00+23:59\n", "#EXT-X-DISCONTINUITY\n", "#EXT-X-ENDLIST\n",
        "SCTE35-OUT=0xFC30", "#EXT-X-BYTERANGE:1\n", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n", "\u{0}", "é",
    ].map { Array($0.utf8) }

    @Test func mutatedPlaylistsNeverTrap() {
        let seed: UInt64 = 0x5EED
        var random = SplitMix64(seed: seed)
        var previous: MediaPlaylist?
        for round in 0..<Self.mutations {
            let text = Self.mutate(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)], &random)
            let parsed = PlaylistParser.parse(text, uri: InlinePlaylist.uri, variables: ["known": "x"])
            guard let playlist = parsed.media else {
                if case .invalid(let rule) = parsed.kind {
                    #expect(
                        parsed.findings.contains { $0.rule == rule && $0.line != nil }, "seed \(seed), round \(round)")
                }
                continue
            }
            #expect(Self.holds(playlist), "seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
            if let previous { _ = PlaylistDelta.merge(held: previous, delta: playlist) }
            if round % 16 == 0 { _ = parsed.json.text() }
            previous = playlist
        }
    }

    private static func mutate(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let index = Int.random(in: 0...text.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where index < text.count: text[index] = UInt8.random(in: 0...255, using: &random)
            case 1 where index < text.count:
                text.removeSubrange(index..<min(text.count, index + Int.random(in: 1...20, using: &random)))
            case 2:
                let end = min(text.count, index + Int.random(in: 0...60, using: &random))
                text.insert(contentsOf: text[index..<end], at: Int.random(in: 0...index, using: &random))
            default: text.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: index)
            }
        }
        return text
    }

    /// Numbers ascend by one, segments lie end to end, a date has a source.
    private static func holds(_ playlist: MediaPlaylist) -> Bool {
        zip(playlist.segments, playlist.segments.dropFirst()).allSatisfy { left, right in
            right.sequence == left.sequence + 1 && right.start == left.end
                && right.discontinuitySequence >= left.discontinuitySequence
        } && playlist.segments.allSatisfy { ($0.date == nil) == ($0.dateSource == nil) && $0.duration >= .zero }
    }
}
