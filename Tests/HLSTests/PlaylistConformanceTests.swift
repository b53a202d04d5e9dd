import Foundation
import Ports
import TestSupport
import Testing

@testable import HLS

/// The playlists of the shared vectors against their goldens, `issues` included.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct PlaylistConformanceTests {
    static let names: [String] = {
        guard let folder = ConformanceFolder.url?.appendingPathComponent("hls/playlists"),
            let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return files.filter { $0.hasSuffix(".m3u8") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func thereAre64() {
        #expect(Self.names.count == 64)
    }

    @Test(arguments: names) func golden(_ name: String) throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("hls/playlists")
        let text = try Data(contentsOf: folder.appendingPathComponent("\(name).m3u8"))
        let golden = try JSONReader.read(
            Array(Data(contentsOf: folder.appendingPathComponent("\(name).expected.json"))))
        let uri = try #require(golden["playlist_uri"]?.stringValue)
        let variables = (golden["variables"]?.objectValue?.members ?? []).map { ($0.name, $0.value.stringValue ?? "") }
        let parsed = PlaylistParser.parse(
            Array(text), uri: uri, variables: Dictionary(uniqueKeysWithValues: variables))
        let differences = JSONDifference.list(golden, parsed.json)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    /// The six hour playlist against its key facts.
    @Test func sixHours() throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("hls/bench")
        let facts = try JSONReader.read(Array(Data(contentsOf: folder.appendingPathComponent("dvr-6h.expected.json"))))
        let text = try Data(contentsOf: folder.appendingPathComponent("dvr-6h.m3u8"))
        let parsed = PlaylistParser.parse(Array(text), uri: "https://cdn.example.com/live/ch1/media.m3u8")
        let playlist = try #require(parsed.media)
        #expect(playlist.segments.count == facts["segments"]?.integerValue.map(Int.init))
        #expect(playlist.duration.roundedMilliseconds == facts["duration_ms"]?.integerValue)
        #expect(playlist.segments.last?.sequence == facts["last_seq"]?.integerValue.map(Int.init))
        #expect(playlist.segments.first?.date?.milliseconds == facts["first_pdt_ms"]?.integerValue)
        #expect(playlist.segments.last?.date?.milliseconds == facts["last_pdt_ms"]?.integerValue)
        #expect(playlist.dateRanges.count == facts["dateranges"]?.integerValue.map(Int.init))
        #expect(
            playlist.dateRanges.filter { $0.end != nil }.count == facts["dateranges_closed"]?.integerValue.map(Int.init)
        )
        #expect(parsed.json["issues"] == facts["issues"])
    }
}
